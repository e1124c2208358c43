import { useQuery } from '@tanstack/react-query';
import type { PayoutSettings } from '@whence/sdk';
import { type ReactNode, useState } from 'react';
import { CHANGED } from '../payouts/changed.ts';
import { requests } from '../payouts/request-texts.ts';
import { usePermission } from '../session.ts';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { useCall } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { payoutSettingsQuery } from './payout-settings-query.ts';
import { taxSettings as taxTexts } from './tax-setting-texts.ts';

const requestTexts = requests.settings;

/** Renders the settings of payout requests. */
export function RequestSettings() {
  return (
    <SettingsCard words={requestTexts}>
      {(settings) => <RequestForm key={settings.requestMinimum} settings={settings} />}
    </SettingsCard>
  );
}

function RequestForm({ settings: { requestMinimum } }: { readonly settings: PayoutSettings }) {
  const api = useApi();
  const may = usePermission('resources:write');
  const [isAllowed, setAllowed] = useState(requestMinimum !== null);
  const [{ requestMinimum: minimum }, field] = useDraft({ requestMinimum });
  const wanted = isAllowed ? (minimum ?? 0) : null;
  const save = useCall((api) => api.payoutSettings.update({ requestMinimum: wanted }), {
    stores: payoutSettingsQuery(api).queryKey,
    done: requestTexts.saved,
  });
  return (
    <Form call={save}>
      <Switch label={requestTexts.allow} checked={isAllowed} disabled={!may} onChange={setAllowed} />
      {isAllowed && (
        <MoneyField
          label={requestTexts.minimum}
          {...field('requestMinimum')}
          description={requestTexts.minimumHelp}
          disabled={!may}
          currency=""
        />
      )}
      {may && <FormActions submitLabel={requestTexts.save} disabled={wanted === requestMinimum} />}
    </Form>
  );
}

const TAX_OPTIONS = (['not-asked', 'asked', 'required'] as const).map((value) => ({
  value,
  ...taxTexts.options[value],
}));

/** Renders the setting that decides whether partners are asked for tax details. */
export function TaxSettings() {
  return (
    <SettingsCard words={taxTexts}>
      {(settings) => <TaxForm key={settings.taxDetails} settings={settings} />}
    </SettingsCard>
  );
}

function TaxForm({ settings: { taxDetails } }: { readonly settings: PayoutSettings }) {
  const api = useApi();
  const may = usePermission('resources:write');
  const [{ taxDetails: wanted }, field] = useDraft({ taxDetails });
  const save = useCall((api) => api.payoutSettings.update({ taxDetails: wanted }), {
    stores: payoutSettingsQuery(api).queryKey,
    reloads: CHANGED,
    done: taxTexts.saved,
  });
  return (
    <Form call={save}>
      <RadioCards label={taxTexts.setting} {...field('taxDetails')} options={TAX_OPTIONS} disabled={!may} />
      {may && <FormActions submitLabel={taxTexts.save} disabled={wanted === taxDetails} />}
    </Form>
  );
}

type SettingsCardProps = {
  readonly words: { readonly title: string; readonly help: string };
  readonly children: (settings: PayoutSettings) => ReactNode;
};

function SettingsCard({ words, children }: SettingsCardProps) {
  const query = useQuery(payoutSettingsQuery(useApi()));
  return (
    <Card title={words.title} description={words.help}>
      <Loaded query={query} lines={3}>
        {children}
      </Loaded>
    </Card>
  );
}
