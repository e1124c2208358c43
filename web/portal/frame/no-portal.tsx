import { NotFoundError } from '@whence/sdk';
import { frame as texts } from './frame-texts.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { texts as uiTexts } from '#web/ui/shell/texts.ts';

/** Reports that no portal exists at this address, or that it can’t be reached. */
export function NoPortal({ error }: { readonly error: unknown }) {
  if (error instanceof NotFoundError) {
    return (
      <main>
        <Page title={texts.noPortal.title} width="narrow">
          <EmptyState title={texts.noPortal.detail} />
        </Page>
      </main>
    );
  }
  return (
    <main>
      <Page title={uiTexts.failure.title} width="narrow">
        <ErrorPanel error={error} onRetry={() => location.reload()} />
      </Page>
    </main>
  );
}
