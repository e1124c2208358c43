import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { AuthenticationError, type Whence } from '@whence/sdk';
import { parseSearch, type Search, stringifySearch } from '#web/ui/shell/search.ts';
import { Failure } from '#web/ui/shell/failure.tsx';
import { lazyPage } from '#web/ui/shell/lazy-page.ts';
import { Frame } from './frame/frame.tsx';
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
  component: Frame,
  beforeLoad: async ({ context: { api, queryClient }, location: { href } }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery(api));
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      throw redirect({ to: '/sign-in', search: { to: href === '/' ? undefined : href } });
    }
  },
});

/** Creates a route for logged-in partners. Its code is loaded on navigation or hover. */
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
  page('/', () => import('./home/home-page.tsx'), 'HomePage'),
  page('/links', () => import('./links/links-page.tsx'), 'LinksPage'),
  page('/materials', () => import('./materials/materials-page.tsx'), 'MaterialsPage'),
  page('/conversions', () => import('./conversions/conversions-page.tsx'), 'ConversionsPage'),
  page('/payouts', () => import('./payouts/payouts-page.tsx'), 'PayoutsPage'),
  page('/agreement', () => import('./agreement/agreement-page.tsx'), 'AgreementPage'),
  page('/settings', () => import('./settings/settings-page.tsx'), 'SettingsPage'),
] as const;

const openPages = [
  openPage('/sign-up', () => import('./sign-up/sign-up-page.tsx'), 'SignUpPage'),
  openPage('/sign-up/$program', () => import('./sign-up/sign-up-page.tsx'), 'SignUpPage'),
  openPage('/join', () => import('./sign-up/join-page.tsx'), 'JoinPage'),
  openPage('/sign-in', () => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  openPage('/enter', () => import('./enter/enter-page.tsx'), 'EnterPage'),
] as const;

const routeTree = root.addChildren([signedIn.addChildren(pages), ...openPages]);

export function createPortalRouter(basepath: string, context: RouterContext) {
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
    router: ReturnType<typeof createPortalRouter>;
  }
}
