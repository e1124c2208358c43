import type { PortalAccount } from '@whence/sdk';
import { useState } from 'react';
import { settings } from './settings-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { payoutLabels, payoutWords } from '#web/ui/formats/payout-words.ts';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { accountQuery } from './account-query.ts';

const texts = settings.payout;

const METHODS = ['iban', 'uk', 'us', 'paypal', 'wise', 'other'] as const;
const ACCOUNT_TYPES = ['checking', 'savings'] as const;

export type PayoutFormProps = { readonly before: PortalAccount['payoutDetails']; readonly onClose: () => void };

/**
 * Edits a partner's payout details. Every change requires the full account number, because the page knows only the end
 * of the previous number.
 */
export function PayoutForm({ before, onClose }: PayoutFormProps) {
  const api = useApi();
  const [method, setMethod] = useState(before?.method ?? 'iban');
  const [{ holder, account, bankCode, accountType }, field, changeDraft] = useDraft(
    {
      holder: before?.holder ?? '',
      account: '',
      bankCode: before?.bankCode ?? '',
      accountType: before?.accountType ?? 'checking',
    },
    'payoutDetails.',
  );
  const labels = payoutLabels(method);
  const isOptional = { holder: method === 'other', bankCode: method === 'iban' };
  const save = useCall(
    (api) =>
      api.portal.changeAccount({
        payoutDetails: {
          method,
          account: account.trim(),
          holder: labels.holder === undefined ? null : holder.trim() || null,
          bankCode: labels.bankCode === undefined ? null : bankCode.trim() || null,
          accountType: labels.accountType === undefined ? null : accountType,
        },
      }),
    {
      stores: accountQuery(api).queryKey,
      onDone: () => {
        toast.success(texts.saved, texts.savedDetail);
        onClose();
      },
    },
  );
  const choose = (next: typeof method): void => {
    setMethod(next);
    // Clear the fields, because the new method has a different account number and bank code.
    changeDraft({ account: '', bankCode: '' });
    save.reset();
  };
  const isComplete =
    account.trim() !== '' &&
    (labels.holder === undefined || isOptional.holder || holder.trim() !== '') &&
    (labels.bankCode === undefined || isOptional.bankCode || bankCode.trim() !== '');
  return (
    <Form call={save}>
      <RadioCards
        label={payoutWords.method}
        name="payoutDetails.method"
        min={170}
        options={METHODS.map((value) => ({
          value,
          label: payoutWords.methods[value],
          description: texts.methodHelp[value],
        }))}
        value={method}
        onChange={choose}
      />
      {labels.holder !== undefined && (
        <TextField label={labels.holder} optional={isOptional.holder} {...field('holder')} autoComplete="name" />
      )}
      {labels.bankCode !== undefined && method !== 'iban' && (
        <TextField label={labels.bankCode} {...field('bankCode')} mono inputMode="numeric" autoComplete="off" />
      )}
      <TextField
        label={labels.account}
        {...field('account')}
        description={before?.method === method ? texts.again : texts.accountHelp[method]}
        mono
        autoComplete="off"
        spellCheck={false}
      />
      {method === 'iban' && (
        <TextField
          label={payoutWords.bankCode.iban}
          optional
          {...field('bankCode')}
          description={texts.bicHelp}
          mono
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {labels.accountType !== undefined && (
        <Select
          label={labels.accountType}
          {...field('accountType')}
          options={ACCOUNT_TYPES.map((value) => ({ value, label: payoutWords.accountTypes[value] }))}
        />
      )}
      <FormActions submitLabel={texts.save} disabled={!isComplete} onCancel={onClose} />
    </Form>
  );
}
