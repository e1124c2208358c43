import 'whence:styles';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyAccent, startTheme } from '#web/ui/shell/theme.tsx';
import { TooltipProvider } from '#web/ui/overlay/tooltip-provider.tsx';
import { UiProvider } from '#web/ui/shell/ui-provider.tsx';
import { Actions } from './actions.tsx';
import { FormPart } from './form-part.tsx';
import { List } from './list.tsx';
import { Overview } from './overview.tsx';
import { Words } from './words.tsx';

// Shows the components, for gallery.test.ts and for developers.

function Gallery() {
  const part = new URLSearchParams(location.search).get('part') ?? 'overview';
  const parts: Readonly<Record<string, () => ReactNode>> = {
    overview: Overview,
    list: List,
    form: FormPart,
    words: Words,
    actions: Actions,
  };
  const Part = parts[part] ?? Overview;
  return <Part />;
}

startTheme();
const accent = new URLSearchParams(location.search).get('accent');
if (accent !== null) applyAccent(accent);
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <UiProvider appName="Gallery" href={(to) => to} navigate={(to) => void (location.hash = to)}>
        <TooltipProvider>
          <main>
            <Gallery />
          </main>
        </TooltipProvider>
      </UiProvider>
    </QueryClientProvider>,
  );
}
