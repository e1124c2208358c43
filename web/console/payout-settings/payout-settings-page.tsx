import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PayerAccount } from '@whence/sdk';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';
import { payerAccountTexts as texts } from '../payouts/payment-file-texts.ts';
import { RequestSettings } from './request-settings.tsx';
import { TaxSettings } from './tax-settings.tsx';

const KEY = ['payerAccount'];

/** Shows the payout settings: the merchant's bank account, payout requests, and tax details. */
export function PayoutSettingsPage() {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.payerAccount.get({ signal }),
  });
  return (
    <Page
      title={texts.title}
      description={texts.description}
      breadcrumbs={[{ label: texts.settings, href: '/settings' }]}
      width="narrow"
    >
      <Stack gap={4}>
        <Card title={texts.account} description={texts.accountHelp}>
          {error !== null ? (
            <ErrorPanel error={error} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <Skeleton lines={5} />
          ) : (
            <AccountForm key={data.updatedAt} account={data} />
          )}
        </Card>
        <RequestSettings />
        <TaxSettings />
      </Stack>
    </Page>
  );
}

function AccountForm({ account }: { readonly account: PayerAccount }) {
  const api = useApi();
  const queries = useQueryClient();
  const may = usePermission('resources:write');
  const [holder, setHolder] = useState(account.holder ?? '');
  const [iban, setIban] = useState('');
  const [bic, setBic] = useState(account.bic ?? '');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.payerAccount.update({ holder: holder.trim(), iban: iban.trim(), bic: bic.trim() === '' ? null : bic.trim() }),
    onSuccess: async (changed) => {
      queries.setQueryData(KEY, changed);
      await queries.invalidateQueries({ queryKey: ['payouts', 'files'] });
      toast.success(texts.saved);
    },
  });
  return (
    <Stack gap={3}>
      {account.iban !== null && <Facts items={[{ label: texts.current, value: account.iban }]} />}
      <Form onSubmit={() => mutate()} error={error}>
        <TextField
          label={texts.holder}
          name="holder"
          description={texts.holderHelp}
          maxLength={70}
          disabled={!may}
          value={holder}
          onChange={setHolder}
        />
        <TextField
          label={texts.iban}
          name="iban"
          description={account.iban === null ? undefined : texts.again}
          mono
          autoComplete="off"
          spellCheck={false}
          disabled={!may}
          value={iban}
          onChange={setIban}
        />
        <TextField
          label={texts.bic}
          name="bic"
          description={texts.bicHelp}
          optional
          mono
          autoComplete="off"
          spellCheck={false}
          disabled={!may}
          value={bic}
          onChange={setBic}
        />
        {may && (
          <FormActions
            submitLabel={texts.save}
            busy={isPending}
            disabled={holder.trim() === '' || iban.trim() === ''}
          />
        )}
      </Form>
    </Stack>
  );
}
