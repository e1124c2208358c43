import { useQueryClient } from '@tanstack/react-query';
import type { Transaction } from '@whence/sdk';
import { useState } from 'react';
import { toast } from '#web/ui/feedback/toast.tsx';
import { refetchSale } from './sale-query.ts';
import { sales as texts } from './sales-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { majorText } from '#web/ui/formats/money.ts';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';

const words = texts.refund;

export type RefundDialogProps = { readonly sale: Transaction; readonly open: boolean; readonly onClose: () => void };

/** Records a refund that no system has reported. The default is the whole remaining amount. */
export function RefundDialog({ sale, open, onClose }: RefundDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={words.title} description={words.description}>
      {open && <RefundForm sale={sale} onClose={onClose} />}
    </Dialog>
  );
}

type RefundDraft = { readonly amount: number | null; readonly refundId: string };

function RefundForm({ sale, onClose }: Omit<RefundDialogProps, 'open'>) {
  const { source, externalId, total, refundedAmount, currency } = sale;
  const client = useQueryClient();
  const [{ amount, refundId }, field] = useDraft<RefundDraft>({ amount: total - refundedAmount, refundId: '' });
  // Each attempt has the same id, so that repeated attempts record only one refund.
  const [ownId] = useState(() => `console-${crypto.randomUUID()}`);
  const [tried, setTried] = useState(false);
  const refund = useCall(
    (api, amountInMajor: string) =>
      api.report.refund({
        source,
        externalId,
        refundId: refundId.trim() === '' ? ownId : refundId.trim(),
        amount: amountInMajor,
      }),
    {
      onDone: async () => {
        await refetchSale(client);
        toast.success(words.done);
        onClose();
      },
    },
  );
  const submit = (): void => {
    setTried(true);
    if (amount !== null && amount > 0) refund.mutate(majorText(amount));
  };
  return (
    <Form onSubmit={submit} error={refund.error}>
      <MoneyField
        label={words.amount}
        {...field('amount')}
        currency={currency}
        error={tried && (amount === null || amount <= 0) ? words.amountMissing : undefined}
      />
      <TextField
        label={words.refundId}
        {...field('refundId')}
        optional
        description={words.refundIdHelp}
        maxLength={255}
      />
      <FormActions submitLabel={words.submit} busy={refund.isPending} onCancel={onClose} />
    </Form>
  );
}
