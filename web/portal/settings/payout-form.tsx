import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PortalAccount } from '@whence/sdk';
import { useState } from 'react';
import { settings } from './settings-texts.ts';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { accountQuery } from './account-query.ts';
import { isMistypedIban } from './iban.ts';

const texts = settings.payout;

const METHODS = ['bank', 'paypal', 'other'] as const;

export type PayoutFormProps = { readonly before: PortalAccount['payoutDetails']; readonly onClose: () => void };

/**
 * Edits a partner's payout details. Every change requires the full account number, because the page knows only the end
 * of the previous number.
 */
export function PayoutForm({ before, onClose }: PayoutFormProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [method, setMethod] = useState(before?.method ?? 'bank');
  const [holder, setHolder] = useState(before?.holder ?? '');
  const [account, setAccount] = useState('');
  const [tried, setTried] = useState(false);
  const isMistyped = method === 'bank' && isMistypedIban(account);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.portal.changeAccount({ payoutDetails: { method, holder, account: account.trim() } }),
    onSuccess: (changed) => {
      queryClient.setQueryData(accountQuery(api).queryKey, changed);
      toast.success(texts.saved, texts.savedDetail);
      onClose();
    },
  });
  const submit = () => {
    setTried(true);
    if (!isMistyped) mutate();
  };
  return (
    <Form onSubmit={submit} error={error}>
      <RadioCards
        label={texts.method}
        name="payoutDetails.method"
        min={170}
        options={METHODS.map((value) => ({
          value,
          label: texts.methods[value],
          description: texts.methodHelp[value],
        }))}
        value={method}
        onChange={setMethod}
      />
      <TextField
        label={texts.holder}
        name="payoutDetails.holder"
        autoComplete="name"
        value={holder}
        onChange={setHolder}
      />
      <TextField
        label={texts.account[method]}
        name="payoutDetails.account"
        description={before === null ? texts.accountHelp[method] : texts.again}
        error={tried && isMistyped ? texts.wrongIban : undefined}
        mono
        autoComplete="off"
        spellCheck={false}
        value={account}
        onChange={setAccount}
      />
      <FormActions
        submitLabel={texts.save}
        busy={isPending}
        disabled={holder.trim() === '' || account.trim() === ''}
        onCancel={onClose}
      />
    </Form>
  );
}
