import { useQuery } from '@tanstack/react-query';
import type { PayoutSettings } from '@whence/sdk';
import { usePermission } from '../session.ts';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { useCall } from '#web/ui/shell/call.ts';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { CHANGED } from '../payouts/changed.ts';
import { payoutSettingsQuery } from './payout-settings-query.ts';
import { taxSettings as texts } from './tax-setting-texts.ts';

const OPTIONS = (['not-asked', 'asked', 'required'] as const).map((value) => ({ value, ...texts.options[value] }));

/** Renders the setting that decides whether partners are asked for tax details. */
export function TaxSettings() {
  const query = useQuery(payoutSettingsQuery(useApi()));
  return (
    <Card title={texts.title} description={texts.help}>
      <Loaded query={query} lines={3}>
        {(data) => <SettingForm key={data.taxDetails} settings={data} />}
      </Loaded>
    </Card>
  );
}

function SettingForm({ settings: { taxDetails } }: { readonly settings: PayoutSettings }) {
  const api = useApi();
  const may = usePermission('resources:write');
  const [{ taxDetails: wanted }, field] = useDraft({ taxDetails });
  const save = useCall((api) => api.payoutSettings.update({ taxDetails: wanted }), {
    stores: payoutSettingsQuery(api).queryKey,
    reloads: CHANGED,
    done: texts.saved,
  });
  return (
    <Form call={save}>
      <RadioCards label={texts.setting} {...field('taxDetails')} options={OPTIONS} disabled={!may} />
      {may && <FormActions submitLabel={texts.save} disabled={wanted === taxDetails} />}
    </Form>
  );
}
