import { type ComponentProps, lazy } from 'react';
import { useSession } from '#portal/session.ts';
import { frame as texts } from '#portal/texts/frame.ts';
import { Avatar } from '#ui/avatar.tsx';
import { MenuOnDemand } from '#ui/shell/menu-on-demand.tsx';
import { VisuallyHidden } from '#ui/text.tsx';
import styles from './frame.module.css';

const loadMenu = () => import('./account-menu.tsx').then((module) => ({ default: module.AccountMenu }));
const AccountMenu = lazy(loadMenu);

/** Who one is; behind it are the appearance and the way out. */
export function Account() {
  return <MenuOnDemand button={AccountButton} load={loadMenu} menu={(trigger) => <AccountMenu trigger={trigger} />} />;
}

function AccountButton(props: ComponentProps<'button'>) {
  const { collaborator } = useSession();
  return (
    <button type="button" {...props} className={styles.account}>
      <Avatar name={collaborator.name} />
      <span className={styles.accountName}>
        <VisuallyHidden>{texts.account.of}</VisuallyHidden> {collaborator.name}
      </span>
    </button>
  );
}
