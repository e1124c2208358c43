import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Transaction } from '@whence/sdk';
import { useState } from 'react';
import { useCollaboratorChoices, useProgramChoices } from '../choices.ts';
import { sales as texts } from './sales-texts.ts';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { NO_CURRENCY } from '#web/ui/formats/money.ts';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { TextArea } from '#web/ui/form/text-field.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

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
  const api = useApi();
  const client = useQueryClient();
  const collaborators = useCollaboratorChoices();
  const programs = useProgramChoices();
  const [collaboratorId, setCollaboratorId] = useState<string | null>(null);
  const [programId, setProgramId] = useState<string | null>(null);
  const [amount, setAmount] = useState<number | null>(null);
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const credit = useMutation({
    mutationFn: (named: { readonly collaboratorId: number; readonly programId: number }) =>
      api.transactions.credit(id, {
        ...named,
        ...(amount === null ? {} : { amount }),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      }),
    onSuccess: async () => {
      const changed = ['conversions', 'transactions', 'owed', 'balances'];
      await Promise.all(changed.map((noun) => client.invalidateQueries({ queryKey: [noun] })));
      toast.success(texts.credit.done);
      onClose();
    },
  });
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
        name="collaboratorId"
        {...collaborators}
        value={collaboratorId}
        onChange={setCollaboratorId}
        error={missing(collaboratorId)}
      />
      <Combobox
        label={texts.credit.program}
        name="programId"
        {...programs}
        value={programId}
        onChange={setProgramId}
        error={missing(programId)}
      />
      {currency !== NO_CURRENCY && (
        <MoneyField
          label={texts.credit.amount}
          name="amount"
          optional
          description={texts.credit.amountHelp}
          currency={currency}
          value={amount}
          onChange={setAmount}
        />
      )}
      <TextArea
        label={texts.credit.note}
        name="note"
        optional
        description={texts.credit.noteHelp}
        rows={2}
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={setNote}
      />
      <FormActions submitLabel={texts.credit.submit} busy={credit.isPending} onCancel={onClose} />
    </Form>
  );
}
