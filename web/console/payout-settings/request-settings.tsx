import { useQuery } from '@tanstack/react-query';
import type { PayoutSettings } from '@whence/sdk';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { useCall } from '#web/ui/shell/call.ts';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { payoutSettingsQuery } from './payout-settings-query.ts';
import { requests } from '../payouts/request-texts.ts';

const texts = requests.settings;

/** Renders the settings of payout requests. */
export function RequestSettings() {
  const query = useQuery(payoutSettingsQuery(useApi()));
  return (
    <Card title={texts.title} description={texts.help}>
      <Loaded query={query} lines={3}>
        {(data) => <SettingsForm key={data.requestMinimum} settings={data} />}
      </Loaded>
    </Card>
  );
}

function SettingsForm({ settings: { requestMinimum } }: { readonly settings: PayoutSettings }) {
  const api = useApi();
  const may = usePermission('resources:write');
  const [isAllowed, setAllowed] = useState(requestMinimum !== null);
  const [{ requestMinimum: minimum }, field] = useDraft({ requestMinimum });
  const wanted = isAllowed ? (minimum ?? 0) : null;
  const save = useCall((api) => api.payoutSettings.update({ requestMinimum: wanted }), {
    stores: payoutSettingsQuery(api).queryKey,
    done: texts.saved,
  });
  return (
    <Form call={save}>
      <Switch label={texts.allow} checked={isAllowed} disabled={!may} onChange={setAllowed} />
      {isAllowed && (
        <MoneyField
          label={texts.minimum}
          {...field('requestMinimum')}
          description={texts.minimumHelp}
          disabled={!may}
          currency=""
        />
      )}
      {may && <FormActions submitLabel={texts.save} disabled={wanted === requestMinimum} />}
    </Form>
  );
}
