import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { Menu, Search } from 'lucide-react';
import { type MouseEvent, Suspense, useState } from 'react';
import { frame as texts } from './frame-texts.ts';
import { organizationQuery } from '../session.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { IconButton } from '#web/ui/controls/button.tsx';
import { classNames } from '#web/ui/controls/class-names.ts';
import { DataBanner } from '#web/ui/feedback/data-banner.tsx';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { useArrival } from '#web/ui/shell/arrival.ts';
import { useRefusedSession } from '#web/ui/shell/refused-session.ts';
import { TooltipProvider } from '#web/ui/overlay/tooltip-provider.tsx';
import styles from './frame.module.css';
import { DESTINATIONS } from './navigation.ts';
import { SearchMenu } from './search-menu.tsx';
import { Sidebar } from './sidebar.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** Renders the navigation and the account menu around every page of a logged-in user. */
export function Frame() {
  const [searching, setSearching] = useState(false);
  const [navigating, setNavigating] = useNavigationDrawer();
  const { reason } = useRefusedSession();
  useArrival();
  useGoingByKeys();
  const search = (): void => setSearching(true);
  useHotkeys([{ keys: 'mod+k', label: texts.search, run: search }]);
  return (
    <TooltipProvider>
      <div className={styles.frame}>
        <a className={styles.skip} href="#content" onClick={skipToContent}>
          {texts.skip}
        </a>
        <div className={styles.bar}>
          <IconButton icon={Menu} label={texts.openNavigation} tooltip={false} onClick={() => setNavigating(true)} />
          <BarTitle />
          <IconButton icon={Search} label={texts.search} tooltip={false} onClick={search} />
        </div>
        {navigating && (
          <button
            type="button"
            className={styles.veil}
            aria-label={texts.closeNavigation}
            onClick={() => setNavigating(false)}
          />
        )}
        <div className={classNames(styles.side, navigating && styles.shown)}>
          <Sidebar onSearch={search} />
        </div>
        <main id="content" tabIndex={-1} className={styles.content}>
          <OrganizationBanner />
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
        <SearchMenu open={searching} onOpenChange={setSearching} />
        {reason !== undefined && <SignInAgain reason={reason} />}
      </div>
    </TooltipProvider>
  );
}

/**
 * Returns whether the navigation drawer is open, and a function that opens or closes it. On a phone, the drawer covers
 * the page until the user closes the drawer, navigates or presses Escape.
 */
function useNavigationDrawer() {
  const { pathname } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  const setOpen = (open: boolean): void => setOpenAt(open ? pathname : undefined);
  const open = openAt === pathname;
  useHotkeys([{ keys: 'Escape', run: () => setOpen(false) }], { enabled: open });
  return [open, setOpen] as const;
}

/** Adds hotkeys that open a page: `g` followed by a letter. */
function useGoingByKeys(): void {
  const { navigate } = useLinks();
  const hotkeys = DESTINATIONS.map(({ to, label, key }) => ({ keys: `g ${key}`, label, run: () => navigate(to) }));
  useHotkeys(hotkeys, { group: texts.hotkeys.goTo });
}

/** Moves the focus to the content without adding a history entry. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector('main')?.focus();
}

function BarTitle() {
  const { data } = useQuery(organizationQuery(useApi()));
  return (
    <span className={styles.barTitle}>
      <span className={styles.barName}>{data?.name ?? texts.application}</span>
      {data?.mode === 'test' && <Badge tone="warn">{texts.test}</Badge>}
    </span>
  );
}

function OrganizationBanner() {
  const { data } = useQuery(organizationQuery(useApi()));
  return data !== undefined && <DataBanner demo={data.demo} mode={data.mode} />;
}
