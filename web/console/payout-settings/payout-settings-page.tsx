import type { PayerAccount } from '@whence/sdk';
import { usePermission } from '../session.ts';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';
import { payerAccountTexts as texts } from '../payouts/payment-file-texts.ts';
import { RequestSettings, TaxSettings } from './partner-settings.tsx';

const KEY = ['payerAccount'];

/** Shows the payout settings: the merchant's bank account, payout requests, and tax details. */
export function PayoutSettingsPage() {
  const query = useRead(KEY, (api, options) => api.payerAccount.get(options));
  return (
    <Page
      title={texts.title}
      description={texts.description}
      breadcrumbs={[{ label: texts.settings, href: '/settings' }]}
      width="narrow"
    >
      <Stack gap={4}>
        <Card title={texts.account} description={texts.accountHelp}>
          <Loaded query={query} lines={5}>
            {(data) => <AccountForm key={data.updatedAt} account={data} />}
          </Loaded>
        </Card>
        <RequestSettings />
        <TaxSettings />
      </Stack>
    </Page>
  );
}

function AccountForm({ account }: { readonly account: PayerAccount }) {
  const may = usePermission('resources:write');
  const [{ holder, iban, bic }, field] = useDraft({ holder: account.holder ?? '', iban: '', bic: account.bic ?? '' });
  const save = useCall(
    (api) =>
      api.payerAccount.update({ holder: holder.trim(), iban: iban.trim(), bic: bic.trim() === '' ? null : bic.trim() }),
    { stores: KEY, reloads: [['payouts', 'files']], done: texts.saved },
  );
  return (
    <Stack gap={3}>
      {account.iban !== null && <Facts items={[{ label: texts.current, value: account.iban }]} />}
      <Form call={save}>
        <TextField
          label={texts.holder}
          {...field('holder')}
          description={texts.holderHelp}
          maxLength={70}
          disabled={!may}
        />
        <TextField
          label={texts.iban}
          {...field('iban')}
          description={account.iban === null ? undefined : texts.again}
          mono
          autoComplete="off"
          spellCheck={false}
          disabled={!may}
        />
        <TextField
          label={texts.bic}
          {...field('bic')}
          description={texts.bicHelp}
          optional
          mono
          autoComplete="off"
          spellCheck={false}
          disabled={!may}
        />
        {may && <FormActions submitLabel={texts.save} disabled={holder.trim() === '' || iban.trim() === ''} />}
      </Form>
    </Stack>
  );
}
