import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { Button, LinkButton } from '../controls/button.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { Page } from './page.tsx';
import { isOutdated } from './outdated.ts';
import { isReachable, UnreachableError } from './reachable.ts';
import { Row } from '../controls/stack.tsx';
import { texts } from './texts.ts';

/** Shows the error of a page that failed. For an outdated page, offers to reload it. */
export function Failure({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof UnreachableError || (isOutdated(error) && !navigator.onLine)) return <Unreachable />;
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

/** The time between two checks of the connection to the service, in milliseconds. */
const CHECK_AFTER_MS = 3_000;

/** Shows that the code of a page could not be loaded. Reloads the page as soon as the service can be reached. */
function Unreachable() {
  useEffect(() => {
    // Right after the device is online, requests can still fail, so one check at that time is not enough.
    const timer = setInterval(reloadIfReachable, CHECK_AFTER_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Page title={navigator.onLine ? texts.failure.title : texts.failure.offline} width="narrow">
      <ErrorPanel error={new UnreachableError(texts.failure.notLoaded)} onRetry={reloadIfReachable} />
    </Page>
  );
}

/** Reloads the page unless that would end in the browser's error page. */
function reloadIfReachable(): void {
  void isReachable().then((isThere) => isThere && location.reload());
}
