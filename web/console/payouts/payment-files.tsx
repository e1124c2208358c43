import { useQuery } from '@tanstack/react-query';
import type { Fulfillment, PaymentFiles } from '@whence/sdk';
import { Download, FileDown } from 'lucide-react';
import { useState } from 'react';
import { CollaboratorName } from '../names.tsx';
import { usePermission, useSession } from '../session.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { download } from '#web/ui/table/download.ts';
import { paymentFiles as texts } from './payment-file-texts.ts';
import styles from './payouts.module.css';
import { paymentFilesQuery } from './run-query.ts';
import { useFirstLines } from './use-first.tsx';

type File = PaymentFiles['files'][number];

/**
 * Offers the files with which a bank or payment service pays the unpaid payouts of a run. Once the run is complete, the
 * files contain the payouts that are marked as paid, in case someone forgot to pay them.
 */
export function PaymentFilesButton({ run }: { readonly run: Fulfillment }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={FileDown} onClick={() => setOpen(true)}>
        {texts.button}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={texts.title} description={texts.description}>
        {isOpen && <Files run={run} />}
      </Dialog>
    </>
  );
}

function Files({ run }: { readonly run: Fulfillment }) {
  const api = useApi();
  const may = usePermission('resources:write');
  const { organization } = useSession();
  const { data, error, refetch } = useQuery(paymentFilesQuery(api, run.id));
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={5} />;
  const { files, leftOut, hasPayerAccount } = data;
  const needsAccount = !hasPayerAccount && files.some(({ format }) => format === 'sepa');
  return (
    <Stack gap={3}>
      {organization.mode === 'test' && (
        <Notice tone="warn" title={texts.test}>
          {texts.testHelp}
        </Notice>
      )}
      {run.status === 'complete' && files.length > 0 && (
        <Notice tone="warn" title={texts.paid}>
          {texts.paidHelp}
        </Notice>
      )}
      {!may && <Notice tone="neutral">{texts.readOnly}</Notice>}
      {may && needsAccount && (
        <Notice
          tone="warn"
          title={texts.noAccount}
          actions={
            <LinkButton size="small" href="/settings/payouts">
              {texts.setAccount}
            </LinkButton>
          }
        >
          {texts.noAccountHelp}
        </Notice>
      )}
      {files.length === 0 && <EmptyState title={texts.nothing}>{texts.nothingHelp}</EmptyState>}
      {files.length > 0 && (
        <ul className={styles.planned}>
          {files.map((file) => (
            <FileLine
              key={`${file.format} ${file.first}`}
              run={run}
              file={file}
              label={labelOf(file, files)}
              isReady={may && (file.format !== 'sepa' || hasPayerAccount)}
            />
          ))}
        </ul>
      )}
      {leftOut.length > 0 && <LeftOut run={run} leftOut={leftOut} />}
    </Stack>
  );
}

function labelOf(file: File, files: readonly File[]): string {
  const parts = files.filter(({ format }) => format === file.format);
  return texts.part(texts.formats[file.format].label, parts.indexOf(file) + 1, parts.length);
}

type FileLineProps = {
  readonly run: Fulfillment;
  readonly file: File;
  readonly label: string;
  readonly isReady: boolean;
};

function FileLine({ run: { id, currency }, file, label, isReady }: FileLineProps) {
  const { organization } = useSession();
  const { format, first, last, payouts, amount } = file;
  const read = useCall((api) => api.fulfillments.downloadPaymentFile(id, { format, first, last }), {
    done: texts.downloaded(label),
    onDone: (content) => {
      const [type, extension] = format === 'sepa' ? ['application/xml', 'xml'] : ['text/csv', 'csv'];
      const prefix = organization.mode === 'test' ? 'test-not-for-a-bank-' : '';
      download(new Blob([content], { type }), `${prefix}run-${id}-${format}-${first}.${extension}`);
    },
    onError: toast.error,
  });
  return (
    <li className={styles.line}>
      <span className={styles.name}>
        <Text strong>{label}</Text>{' '}
        <Text tone="muted" size="small">
          {texts.some(payouts)}, <Money minor={amount} currency={currency} />
        </Text>
        <Text as="div" tone="muted" size="small">
          {texts.formats[format].help}
        </Text>
      </span>
      <Button
        size="small"
        icon={Download}
        busy={read.isPending}
        disabled={!isReady}
        aria-label={texts.downloadOf(label)}
        onClick={() => read.mutate()}
      >
        {texts.download}
      </Button>
    </li>
  );
}

function LeftOut({ run, leftOut }: { readonly run: Fulfillment; readonly leftOut: PaymentFiles['leftOut'] }) {
  const { shown, more } = useFirstLines(leftOut);
  return (
    <section className={styles.planned}>
      <h3 className={styles.plannedHead}>{texts.leftOut(leftOut.length)}</h3>
      <ul className={styles.lines}>
        {shown.map(({ payoutId, collaboratorId, amount, reason }) => (
          <li key={payoutId} className={styles.line}>
            <span className={styles.name}>
              <CollaboratorName id={collaboratorId} link={false} />
              <Text as="div" tone="muted" size="small">
                {texts.reasons[reason]}
              </Text>
            </span>
            <Money minor={amount} currency={run.currency} />
          </li>
        ))}
        {more}
      </ul>
    </section>
  );
}
