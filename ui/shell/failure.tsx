import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { Button, LinkButton } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Page } from '#ui/page.tsx';
import { isOutdated } from '#ui/shell/outdated.ts';
import { Row } from '#ui/stack.tsx';
import { texts } from '#ui/texts.ts';

/** In place of a page that failed. */
export function Failure({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (isOutdated(error)) {
    const reload = (
      <Button variant="primary" icon={RotateCw} onClick={() => location.reload()}>
        {texts.failure.reload}
      </Button>
    );
    return (
      <Page title={texts.failure.outdated} width="narrow">
        <EmptyState title={texts.failure.outdatedDetail} actions={reload} />
      </Page>
    );
  }
  return (
    <Page title={texts.failure.title} width="narrow">
      <ErrorPanel error={error} onRetry={() => void router.invalidate()} />
      <Row>
        <LinkButton href="/">{texts.failure.home}</LinkButton>
      </Row>
    </Page>
  );
}
