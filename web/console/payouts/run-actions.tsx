import { useQuery } from '@tanstack/react-query';
import type { Fulfillment } from '@whence/sdk';
import { Ban, CheckCheck, Download, Play } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { payouts as texts } from './payouts-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { download } from '#web/ui/table/download.ts';
import { formatMoney } from '#web/ui/formats/money.ts';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { CHANGED } from './changed.ts';
import { ImportResultsButton } from './import-results.tsx';
import { paymentFiles as files } from './payment-file-texts.ts';
import { PaymentFilesButton } from './payment-files.tsx';
import { isOpen, paymentFilesQuery, type RunCounts } from './run-query.ts';

export type RunActionsProps = {
  readonly run: Fulfillment;
  /** The number of payouts by state, or undefined while it loads. */
  readonly counts: RunCounts | undefined;
};

export function RunActions({ run, counts }: RunActionsProps) {
  const may = usePermission('resources:write');
  const [asking, setAsking] = useState<'complete' | 'fail'>();
  const [isImporting, setImporting] = useState(false);
  const move = useMove(run);
  const { status } = run;
  const close = (): void => setAsking(undefined);
  return (
    <>
      {status !== 'failed' && <PaymentFilesButton run={run} />}
      {may && isOpen(run) && <ImportResultsButton isOpen={isImporting} onOpenChange={setImporting} />}
      <ExportMenu run={run} />
      {may && isOpen(run) && counts?.paid === 0 && (
        <Button icon={Ban} onClick={() => setAsking('fail')}>
          {texts.oneRun.fail}
        </Button>
      )}
      {may && status === 'pending' && (
        <Button variant="primary" icon={Play} busy={move.isPending} onClick={() => move.mutate('process')}>
          {texts.oneRun.process}
        </Button>
      )}
      {may && status === 'processing' && counts !== undefined && canGoOn(counts) && (
        <Button variant="primary" icon={CheckCheck} onClick={() => setAsking('complete')}>
          {counts.unpaid > 0 ? texts.oneRun.complete : texts.oneRun.finish}
        </Button>
      )}
      <ConfirmDialog
        open={asking === 'complete'}
        onClose={close}
        title={texts.oneRun.completeTitle}
        confirmLabel={texts.oneRun.complete}
        onConfirm={() => move.mutateAsync('complete')}
      >
        <Stack gap={3}>
          <CompleteWords run={run} counts={counts} />
          {move.isPending && <Progress label={texts.oneRun.completing} done={null} />}
        </Stack>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'fail'}
        onClose={close}
        danger
        title={texts.oneRun.failTitle}
        confirmLabel={texts.oneRun.fail}
        cancelLabel={texts.oneRun.keep}
        onConfirm={() => move.mutateAsync('fail')}
      >
        <Stack gap={3}>
          <p>{texts.oneRun.failWords(run.payouts)}</p>
          {move.isPending && <Progress label={texts.oneRun.failing} done={null} />}
        </Stack>
      </ConfirmDialog>
    </>
  );
}

/** Returns whether the run can be completed: it has no unpaid payout, or an unpaid payout that is not under review. */
function canGoOn({ unpaid, blocked }: RunCounts): boolean {
  return unpaid === 0 || unpaid > blocked;
}

function CompleteWords({ run, counts }: RunActionsProps) {
  const { paid = 0, unpaid = 0, blocked = 0, withoutDetails = 0 } = counts ?? {};
  const isWhole = paid === 0 && blocked === 0;
  const { data } = useQuery(paymentFilesQuery(useApi(), run.id));
  const left = (data?.files ?? []).filter(({ format, notDownloaded }) => format !== 'all' && notDownloaded > 0);
  return (
    <Stack gap={2}>
      <p>
        {texts.oneRun.completeWords(
          Math.max(0, unpaid - blocked),
          isWhole ? formatMoney(run.amount, run.currency) : undefined,
        )}
      </p>
      {blocked > 0 && <p>{texts.oneRun.completeReview(blocked)}</p>}
      {withoutDetails > 0 && <p>{texts.oneRun.completeNoMethod(withoutDetails)}</p>}
      {left.length > 0 && (
        <p>
          {files.notDownloaded(
            left.reduce((sum, { notDownloaded }) => sum + notDownloaded, 0),
            [...new Set(left.map(({ format }) => files.formats[format].label))],
          )}
        </p>
      )}
    </Stack>
  );
}

type Step = 'process' | 'complete' | 'fail';

function useMove({ id }: Fulfillment) {
  return useCall((api, step: Step) => api.fulfillments[step](id), {
    reloads: CHANGED,
    done: (run, step) => doneWords(step, run),
    onError: (error, step) => {
      // Every step except `process` has a dialog, which shows the error itself.
      if (step === 'process') toast.error(error);
    },
  });
}

function doneWords(step: Step, { status }: Fulfillment): string {
  if (step === 'complete') return status === 'complete' ? texts.oneRun.completed : texts.oneRun.completedPartly;
  return step === 'process' ? texts.oneRun.processed : texts.oneRun.failed;
}

function ExportMenu({ run: { id } }: { readonly run: Fulfillment }) {
  const file = useCall(
    (api, status: 'unpaid' | undefined) =>
      api.payouts.export({ fulfillmentId: id, ...(status === undefined ? {} : { status }) }),
    { onDone: (csv) => download(new Blob([csv], { type: 'text/csv' }), `payout-run-${id}.csv`), onError: toast.error },
  );
  return (
    <Menu
      trigger={
        <Button icon={Download} busy={file.isPending}>
          {texts.oneRun.export}
        </Button>
      }
      items={[
        { label: texts.oneRun.exportUnpaid, onSelect: () => file.mutate('unpaid') },
        { label: texts.oneRun.exportAll, onSelect: () => file.mutate(undefined) },
      ]}
    />
  );
}
