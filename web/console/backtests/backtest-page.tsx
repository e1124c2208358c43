import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Backtest } from '@whence/sdk';
import { Download } from 'lucide-react';
import { useNames } from '../names.tsx';
import { usePermission } from '../session.ts';
import { BacktestBadge } from './backtest-badge.tsx';
import { backtestQuery, isUnfinished } from './backtest-query.ts';
import { backtests as texts } from './backtests-texts.ts';
import { BacktestResult } from './backtest-result.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyButton } from '#web/ui/controls/copy.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { periodText } from '#web/ui/formats/periods.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { useCall } from '#web/ui/shell/call.ts';
import { download } from '#web/ui/table/download.ts';

/*
 * The code of backtests loads together, so that the code that pages share isn't divided into many small files.
 */
export { BacktestsPage } from './backtest-list.tsx';
export { CompareDialog } from './compare-dialog.tsx';

const words = texts.page;

/** Shows a backtest: its progress, and then what each draft would have paid. */
export function BacktestPage() {
  const { id } = useParams({ from: '/signed-in/backtests/$id' });
  const api = useApi();
  const { data: backtest, error, refetch } = useQuery(backtestQuery(api, Number(id)));
  const programId = backtest?.programId ?? null;
  const nameOf = useNames('programs', programId === null ? [] : [programId]);
  const crumbs = [{ label: texts.title, href: '/backtests' }];
  if (backtest === undefined) {
    return (
      <Page title={texts.title} breadcrumbs={crumbs}>
        {error === null ? <Skeleton lines={8} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return (
    <Page
      title={programId === null ? words.newTitle : words.title(nameOf(programId))}
      breadcrumbs={crumbs}
      badge={<BacktestBadge backtest={backtest} />}
      description={periodText(backtest)}
      actions={
        <>
          <CopyButton text={location.href} label={words.link} variant="secondary" size="medium" />
          {backtest.status === 'succeeded' && <ExportButton id={backtest.id} />}
        </>
      }
    >
      <Content backtest={backtest} />
    </Page>
  );
}

function Content({ backtest }: { readonly backtest: Backtest }) {
  const { status, failure } = backtest;
  if (isUnfinished(backtest)) return <Waiting backtest={backtest} />;
  if (status === 'failed') {
    return (
      <Notice tone="bad" title={texts.failed}>
        {failure !== null && texts.failures[failure]}
      </Notice>
    );
  }
  if (status === 'canceled') return <Notice tone="neutral">{words.canceled}</Notice>;
  return <BacktestResult backtest={backtest} />;
}

function Waiting({ backtest: { id, status, progress } }: { readonly backtest: Backtest }) {
  const queries = useQueryClient();
  const may = usePermission('resources:write');
  const cancel = useCall((api) => api.backtests.cancel(id), {
    onError: toast.error,
    // Also after an error, because the backtest may have ended.
    onSettled: () => queries.invalidateQueries({ queryKey: ['backtests'] }),
  });
  const isQueued = status === 'queued';
  return (
    <Card>
      <Stack gap={4} align="stretch">
        <Progress
          label={isQueued ? words.queued : words.running}
          done={isQueued ? null : progress}
          value={isQueued ? undefined : `${progress}%`}
        />
        <Text as="p" tone="muted">
          {words.leave}
        </Text>
        {may && (
          <div>
            <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
              {words.cancel}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  );
}

function ExportButton({ id }: { readonly id: number }) {
  const { mutate, isPending } = useCall((api) => api.backtests.export(id), {
    onDone: (csv) => download(new Blob(['\uFEFF', csv], { type: 'text/csv' }), `backtest-${id}.csv`),
    onError: toast.error,
  });
  return (
    <Button icon={Download} busy={isPending} onClick={() => mutate()}>
      {words.export}
    </Button>
  );
}
