import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { frame as texts } from './frame/frame-texts.ts';
import { ApiProvider, openApi, openQueryClient } from '#web/ui/shell/api.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { routerLinks } from '#web/ui/shell/router-links.ts';
import { RefusedSessionContext, refusedSession } from '#web/ui/shell/refused-session.ts';
import { startTheme } from '#web/ui/shell/theme.tsx';
import { UiProvider } from '#web/ui/shell/ui-provider.tsx';
import { createConsoleRouter } from './router.tsx';

startTheme();
const place = placeOf(document);
const refused = refusedSession();
const api = openApi(place, refused.askForLogin);
const queryClient = openQueryClient(refused.end);
const router = createConsoleRouter(place.root, { api, queryClient });

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ApiProvider api={api}>
        <RefusedSessionContext value={refused}>
          <UiProvider {...routerLinks(router, place.root)} appName={texts.application}>
            <RouterProvider router={router} />
          </UiProvider>
        </RefusedSessionContext>
      </ApiProvider>
    </QueryClientProvider>
  </StrictMode>,
);
