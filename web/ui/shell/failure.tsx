import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { Button, LinkButton } from '../controls/button.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { Page } from './page.tsx';
import { isOutdated } from './outdated.ts';
import { Row } from '../controls/stack.tsx';
import { texts } from './texts.ts';

/** Shows the error of a page that failed. For an outdated page, offers to reload it. */
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
