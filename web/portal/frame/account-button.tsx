import { type ComponentProps, lazy } from 'react';
import { useSession } from '../session.ts';
import { frame as texts } from '../texts/frame.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { MenuOnDemand } from '#web/ui/shell/menu-on-demand.tsx';
import { VisuallyHidden } from '#web/ui/text.tsx';
import styles from './frame.module.css';

const loadMenu = () => import('./account-menu.tsx').then((module) => ({ default: module.AccountMenu }));
const AccountMenu = lazy(loadMenu);

/** Shows the partner. The menu with the appearance and the logout loads on demand. */
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
