import { useLocation } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useSession } from '../session.ts';
import { useWaitingCounts } from '../waiting.ts';
import { frame as texts } from './frame-texts.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { Keys } from '#web/ui/overlay/hotkeys.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { formatCompact } from '#web/ui/formats/numbers.ts';
import { AccountMenu } from './account-menu.tsx';
import { Mark } from './mark.tsx';
import { type Destination, NAVIGATION } from './navigation.ts';
import styles from './sidebar.module.css';

export function Sidebar({ onSearch }: { readonly onSearch: () => void }) {
  const { organization } = useSession();
  const counts = useWaitingCounts();
  return (
    <div className={styles.sidebar}>
      <div className={styles.head}>
        <Mark />
        <span className={styles.organization} title={organization.name}>
          {organization.name}
        </span>
        {organization.mode === 'test' && <Badge tone="warn">{texts.test}</Badge>}
      </div>
      <button type="button" className={styles.search} onClick={onSearch}>
        <Search aria-hidden />
        <span className={styles.searchWords}>{texts.search}</span>
        <span className={styles.searchKeys} aria-hidden>
          <Keys keys="mod+k" />
        </span>
      </button>
      <nav aria-label={texts.navigation} className={styles.navigation}>
        {NAVIGATION.map(({ label, destinations }) => (
          <div key={label ?? ''} className={styles.group}>
            {label !== undefined && <p className={styles.label}>{label}</p>}
            <ul className={styles.list}>
              {destinations.map((destination) => (
                <li key={destination.to}>
                  <Place {...destination} count={countOf(destination, counts)} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <AccountMenu />
    </div>
  );
}

/** Returns the number of resources on a page that need a decision or a repair. */
function countOf({ waiting = [] }: Destination, counts: ReturnType<typeof useWaitingCounts>): number {
  return waiting.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

function Place({ to, label, icon: Icon, count }: Destination & { readonly count: number }) {
  const { pathname } = useLocation();
  const isHere = to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`);
  return (
    <Link
      href={to}
      className={styles.place}
      aria-current={isHere ? 'page' : undefined}
      // The number is a description, so that the name of the link stays the name of the page.
      aria-description={count > 0 ? texts.waiting(formatCompact(count)) : undefined}
    >
      <Icon aria-hidden />
      {label}
      {count > 0 && (
        <span className={styles.waiting} aria-hidden>
          {formatCompact(count)}
        </span>
      )}
    </Link>
  );
}
