import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { RotateCw, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, LinkButton } from '../controls/button.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { useOnline } from '../feedback/offline-banner.tsx';
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

/** The time between checks whether the service can be reached, in milliseconds. */
const CHECK_AFTER_MS = 3_000;

/** Shows that the code of a page could not be loaded. Reloads the page as soon as the service can be reached. */
function Unreachable() {
  const isOnline = useOnline();
  const [isChecking, setChecking] = useState(false);
  useEffect(() => {
    // Right after the device is online, requests can still fail, so one check at that time is not enough.
    const check = (): void => void reloadIfReachable();
    const timer = setInterval(check, CHECK_AFTER_MS);
    addEventListener('online', check);
    return () => {
      clearInterval(timer);
      removeEventListener('online', check);
    };
  }, []);
  const retry = async () => {
    setChecking(true);
    await reloadIfReachable();
    setChecking(false);
  };
  const again = (
    <Button variant="primary" icon={RotateCw} busy={isChecking} onClick={() => void retry()}>
      {texts.tryAgain}
    </Button>
  );
  return (
    <Page title={isOnline ? texts.failure.unreachable : texts.failure.offline} width="narrow">
      <EmptyState icon={WifiOff} title={texts.failure.notLoaded} actions={again}>
        {isOnline ? texts.failure.unreachableDetail : texts.failure.offlineDetail}
      </EmptyState>
    </Page>
  );
}

/** Reloads the page unless that would end in the browser's error page. */
async function reloadIfReachable(): Promise<void> {
  if (await isReachable()) location.reload();
}
