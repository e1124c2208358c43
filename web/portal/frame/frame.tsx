import { Outlet, useLocation } from '@tanstack/react-router';
import { ChartNoAxesColumn, CircleCheck, Images, Landmark, Link2, type LucideIcon, Settings } from 'lucide-react';
import { lazy, type MouseEvent, Suspense } from 'react';
import { usePortal } from '../brand.ts';
import { IS_EMBEDDED } from '../embedding.ts';
import { useSession } from '../session.ts';
import { frame as texts } from './frame-texts.ts';
import { DataBanner } from '#web/ui/feedback/data-banner.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useArrival } from '#web/ui/shell/arrival.ts';
import { useRefusedSession } from '#web/ui/shell/refused-session.ts';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { PreviewBanner } from './preview-banner.tsx';
import { Footer } from './footer.tsx';
import styles from './frame.module.css';
import { SignInAgain } from './sign-in-again.tsx';

/** The banner about the agreement. Its code loads only if there is an agreement to accept. */
const AgreementBanner = lazy(async () => {
  const module = await import('../agreement/agreement-banner.tsx');
  return { default: module.AgreementBanner };
});

const PLACES: readonly { readonly to: string; readonly label: string; readonly icon: LucideIcon }[] = [
  { to: '/', label: texts.places.home, icon: ChartNoAxesColumn },
  { to: '/links', label: texts.places.links, icon: Link2 },
  { to: '/materials', label: texts.places.materials, icon: Images },
  { to: '/conversions', label: texts.places.conversions, icon: CircleCheck },
  { to: '/payouts', label: texts.places.payouts, icon: Landmark },
  { to: '/settings', label: texts.places.settings, icon: Settings },
];

/**
 * Renders the navigation and the account menu around every page of a logged-in partner. An embedded portal shows
 * neither a footer nor the merchant's logo or name.
 */
export function Frame() {
  const { collaborator, portal, agreementToAccept } = useSession();
  const { demo, mode } = usePortal();
  const { reason } = useRefusedSession();
  const { pathname } = useLocation();
  useArrival();
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content" onClick={skipToContent}>
        {texts.skip}
      </a>
      <DataBanner demo={demo} mode={mode} />
      <PreviewBanner />
      <header className={styles.head}>
        <div className={styles.bar}>
          {!IS_EMBEDDED && <Brand portal={portal} />}
          <Navigation />
          <AccountMenu />
        </div>
      </header>
      <main id="content" tabIndex={-1} className={styles.content}>
        {agreementToAccept !== null && pathname !== '/agreement' && (
          <div className={styles.pending}>
            <Suspense>
              <AgreementBanner />
            </Suspense>
          </div>
        )}
        {/* Don't show the notice on the overview page, because that page already shows it to applicants. */}
        {collaborator.status === 'pending' && pathname !== '/' && (
          <div className={styles.pending}>
            <Notice tone="warn" title={texts.pending.title}>
              {texts.pending.detail(portal.name)}
            </Notice>
          </div>
        )}
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      {!IS_EMBEDDED && <Footer />}
      {reason !== undefined && <SignInAgain reason={reason} />}
    </div>
  );
}

function Navigation() {
  const { pathname } = useLocation();
  return (
    <nav aria-label={texts.navigation} className={styles.navigation}>
      {PLACES.map(({ to, label, icon: Icon }) => {
        const isHere = to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`);
        return (
          <Link key={to} href={to} className={styles.place} aria-current={isHere ? 'page' : undefined}>
            <Icon aria-hidden />
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

/** Moves the focus to the content without adding a history entry. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector('main')?.focus();
}
