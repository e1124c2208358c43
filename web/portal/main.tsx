import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider, openApi, openQueryClient } from '#web/ui/shell/api.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { routerLinks } from '#web/ui/shell/router-links.ts';
import { RefusedSessionContext, refusedSession } from '#web/ui/shell/refused-session.ts';
import { applyAccent, startTheme } from '#web/ui/shell/theme.tsx';
import { UiProvider } from '#web/ui/shell/ui-provider.tsx';
import { portalQuery } from './brand.ts';
import { startEmbedding } from './embedding.ts';
import { NoPortal } from './frame/no-portal.tsx';
import { createPortalRouter } from './router.tsx';
import { SlugContext } from './session.ts';

startTheme();
startEmbedding();
const place = placeOf(document);
const { slug } = place;
const refused = refusedSession();
const api = openApi(place, refused.askForLogin);
const queryClient = openQueryClient(refused.end);
const router = createPortalRouter(place.root, { api, queryClient });

await open();

/** Opens the portal. The brand is loaded first, so that the colors of a visible page never change. */
async function open(): Promise<void> {
  const root = createRoot(document.querySelector('#root') as HTMLElement);
  try {
    const { name, accent, logo } = await queryClient.fetchQuery(portalQuery(api, slug));
    applyAccent(accent);
    if (logo !== null) document.querySelector('link[rel=icon]')?.setAttribute('href', logo);
    document.title = name;
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <ApiProvider api={api}>
            <RefusedSessionContext value={refused}>
              <SlugContext value={slug}>
                <UiProvider {...routerLinks(router, place.root)} appName={name}>
                  <RouterProvider router={router} />
                </UiProvider>
              </SlugContext>
            </RefusedSessionContext>
          </ApiProvider>
        </QueryClientProvider>
      </StrictMode>,
    );
  } catch (error) {
    root.render(<NoPortal error={error} />);
  }
}
