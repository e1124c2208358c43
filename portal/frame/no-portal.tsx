import { NotFoundError } from '@whence/sdk';
import { frame as texts } from '#portal/texts/frame.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Page } from '#ui/page.tsx';
import { texts as uiTexts } from '#ui/texts.ts';

/** Where there is no portal, or it can’t be reached. */
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
