import { Toast as Base } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { texts } from '../shell/texts.ts';
import styles from './toast.module.css';
import { toasts } from './toast-queue.ts';

const manager = Base.createToastManager();

/** Shows the toasts, at most four at a time. */
export function ToastPlace() {
  useEffect(() => toasts.open(manager), []);
  return (
    <Base.Provider toastManager={manager} limit={4}>
      <Base.Portal>
        <Base.Viewport className={styles.viewport} aria-label={texts.notifications}>
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

const ICONS = { good: CircleCheck, bad: CircleAlert, info: Info };

function Toasts() {
  const { toasts: shown } = Base.useToastManager();
  return shown.map((each) => {
    const type = each.type === 'bad' || each.type === 'info' ? each.type : 'good';
    const Icon = ICONS[type];
    return (
      <Base.Root key={each.id} toast={each} data-toast="" swipeDirection={['right', 'down', 'up']}>
        <Base.Content className={styles.toast}>
          <Icon className={`${styles.icon} ${styles[type]}`} aria-hidden />
          <div className={styles.words}>
            <Base.Title className={styles.title} />
            <Base.Description className={styles.description} />
          </div>
          {each.actionProps !== undefined && <Base.Action className={styles.action} />}
          <Base.Close className={styles.close} aria-label={texts.close}>
            <X aria-hidden />
          </Base.Close>
        </Base.Content>
      </Base.Root>
    );
  });
}
