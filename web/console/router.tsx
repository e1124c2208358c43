import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { AuthenticationError, type Whence } from '@whence/sdk';
import { parseSearch, type Search, stringifySearch } from '#web/ui/shell/search.ts';
import { Failure } from '#web/ui/shell/failure.tsx';
import { lazyPage } from '#web/ui/shell/lazy-page.ts';
import { NotFoundPage } from './frame/not-found-page.tsx';
import { sessionQuery } from './session.ts';

/** The context that routes use before they render. */
export type RouterContext = { readonly api: Whence; readonly queryClient: QueryClient };

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  // Each list validates its part of the query in web/ui/shell/list-state.ts.
  validateSearch: (search): Search => search as Search,
});

/** Redirects logged-out visitors to the login page, which opens the requested page after the login. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: lazyPage(() => import('./frame/frame.tsx'), 'Frame'),
  beforeLoad: async ({ context: { api, queryClient }, location: { href } }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery(api));
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      throw redirect({ to: '/sign-in', search: { to: href === '/' ? undefined : href } });
    }
  },
});

/** Creates a route for logged-in users. Its code is loaded on navigation or hover. */
function page<const Path extends string, Module extends Readonly<Record<string, unknown>>>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  return createRoute({ getParentRoute: () => signedIn, path, component: lazyPage(load, name) });
}

/** Creates a route that requires no login. Its code is loaded on navigation or hover. */
function openPage<const Path extends string, Module extends Readonly<Record<string, unknown>>>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  return createRoute({ getParentRoute: () => root, path, component: lazyPage(load, name) });
}

const pages = [
  page('/', () => import('./reporting/overview-page.tsx'), 'OverviewPage'),
  page('/start', () => import('./start/start-page.tsx'), 'StartPage'),
  page('/programs', () => import('./programs/programs-page.tsx'), 'ProgramsPage'),
  page('/programs/new', () => import('./programs/new-program-page.tsx'), 'NewProgramPage'),
  page('/programs/$id', () => import('./programs/program-page.tsx'), 'ProgramPage'),
  page('/programs/$id/edit', () => import('./programs/edit-program-page.tsx'), 'EditProgramPage'),
  page('/backtests', () => import('./backtests/backtest-page.tsx'), 'BacktestsPage'),
  page('/backtests/$id', () => import('./backtests/backtest-page.tsx'), 'BacktestPage'),
  page('/groups', () => import('./programs/groups-page.tsx'), 'GroupsPage'),
  page('/collaborators', () => import('./collaborators/collaborators-page.tsx'), 'CollaboratorsPage'),
  page('/collaborators/$id', () => import('./collaborators/collaborator-page.tsx'), 'CollaboratorPage'),
  page('/announcements', () => import('./notifications/announcements-page.tsx'), 'AnnouncementsPage'),
  page('/materials', () => import('./materials/materials-page.tsx'), 'MaterialsPage'),
  page('/opportunities', () => import('./tracking/opportunities-page.tsx'), 'OpportunitiesPage'),
  page('/opportunities/$id', () => import('./tracking/journey-page.tsx'), 'JourneyPage'),
  page('/sales', () => import('./sales/sales-page.tsx'), 'SalesPage'),
  page('/sales/$id', () => import('./sales/sale-page.tsx'), 'SalePage'),
  page('/conversions', () => import('./attribution/conversions-page.tsx'), 'ConversionsPage'),
  page('/fraud', () => import('./attribution/fraud-page.tsx'), 'FraudPage'),
  page('/conversions/$id', () => import('./attribution/conversion-page.tsx'), 'ConversionPage'),
  page('/payouts', () => import('./payouts/payouts-page.tsx'), 'PayoutsPage'),
  page('/payouts/runs/$id', () => import('./payouts/run-page.tsx'), 'RunPage'),
  page('/payouts/$id', () => import('./payouts/payout-page.tsx'), 'PayoutPage'),
  page('/connectors', () => import('./connectors/connectors-page.tsx'), 'ConnectorsPage'),
  page('/connectors/$id', () => import('./connectors/connector-page.tsx'), 'ConnectorPage'),
  page('/webhooks', () => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  page('/webhooks/$id', () => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
  page('/keys', () => import('./access/keys-page.tsx'), 'KeysPage'),
  page('/people', () => import('./access/people-page.tsx'), 'PeoplePage'),
  page('/audit', () => import('./organizations/audit-page.tsx'), 'AuditPage'),
  page('/live', () => import('./reporting/live-page.tsx'), 'LivePage'),
  page('/settings', () => import('./organizations/settings-page.tsx'), 'SettingsPage'),
  page('/settings/portal', () => import('./portal/portal-settings-page.tsx'), 'PortalSettingsPage'),
  page('/settings/agreement', () => import('./portal/agreement-page.tsx'), 'AgreementPage'),
  page('/settings/emails', () => import('./notifications/emails-page.tsx'), 'EmailsPage'),
  page('/settings/payouts', () => import('./payout-settings/payout-settings-page.tsx'), 'PayoutSettingsPage'),
  page('/settings/currency', () => import('./reporting/rates-page.tsx'), 'RatesPage'),
  page('/settings/account', () => import('./access/account-page.tsx'), 'AccountPage'),
] as const;

const openPages = [
  openPage('/sign-in', () => import('./access/sign-in-page.tsx'), 'SignInPage'),
  openPage('/welcome', () => import('./access/welcome-page.tsx'), 'WelcomePage'),
  openPage('/invitation', () => import('./access/invitation-page.tsx'), 'InvitationPage'),
  openPage('/reset', () => import('./access/reset-page.tsx'), 'ResetPage'),
] as const;

const routeTree = root.addChildren([signedIn.addChildren(pages), ...openPages]);

export function createConsoleRouter(basepath: string, context: RouterContext) {
  return createRouter({
    routeTree,
    basepath,
    context,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // The query client decides how long data stays fresh, so the router must not cache data.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: Failure,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
