import type { Transaction } from '@whence/sdk';
import { useState } from 'react';
import { useCollaboratorChoices, useProgramChoices } from '../choices.ts';
import { sales as texts } from './sales-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { NO_CURRENCY } from '#web/ui/formats/money.ts';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { TextArea } from '#web/ui/form/text-field.tsx';

export type CreditDialogProps = { readonly sale: Transaction; readonly open: boolean; readonly onClose: () => void };

/** Credits a partner for a sale, even without a tracked visit. */
export function CreditDialog({ sale, open, onClose }: CreditDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={texts.credit.title} description={texts.credit.description}>
      {open && <CreditForm sale={sale} onClose={onClose} />}
    </Dialog>
  );
}

const LONGEST_NOTE = 1_000;

function CreditForm({ sale: { id, currency }, onClose }: Omit<CreditDialogProps, 'open'>) {
  const collaborators = useCollaboratorChoices();
  const programs = useProgramChoices();
  const [{ collaboratorId, programId, amount, note }, field] = useDraft({
    collaboratorId: null as string | null,
    programId: null as string | null,
    amount: null as number | null,
    note: '',
  });
  const [tried, setTried] = useState(false);
  const credit = useCall(
    (api, named: { readonly collaboratorId: number; readonly programId: number }) =>
      api.transactions.credit(id, {
        ...named,
        ...(amount === null ? {} : { amount }),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      }),
    { reloads: ['conversions', 'transactions', 'owed', 'balances'], done: texts.credit.done, onDone: onClose },
  );
  const submit = (): void => {
    setTried(true);
    if (collaboratorId === null || programId === null) return;
    credit.mutate({ collaboratorId: Number(collaboratorId), programId: Number(programId) });
  };
  const missing = (value: string | null): string | undefined =>
    tried && value === null ? texts.credit.choose : undefined;
  return (
    <Form onSubmit={submit} error={credit.error}>
      <Combobox
        label={texts.credit.collaborator}
        {...field('collaboratorId')}
        {...collaborators}
        error={missing(collaboratorId)}
      />
      <Combobox label={texts.credit.program} {...field('programId')} {...programs} error={missing(programId)} />
      {currency !== NO_CURRENCY && (
        <MoneyField
          label={texts.credit.amount}
          {...field('amount')}
          optional
          description={texts.credit.amountHelp}
          currency={currency}
        />
      )}
      <TextArea
        label={texts.credit.note}
        {...field('note')}
        optional
        description={texts.credit.noteHelp}
        rows={2}
        maxLength={LONGEST_NOTE}
      />
      <FormActions submitLabel={texts.credit.submit} busy={credit.isPending} onCancel={onClose} />
    </Form>
  );
}
