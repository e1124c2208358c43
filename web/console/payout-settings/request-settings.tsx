import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PayoutSettings } from '@whence/sdk';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { payoutSettingsQuery } from './payout-settings-query.ts';
import { requests } from '../payouts/request-texts.ts';

const texts = requests.settings;

/** Renders the settings of payout requests. */
export function RequestSettings() {
  const { data, error, refetch } = useQuery(payoutSettingsQuery(useApi()));
  return (
    <Card title={texts.title} description={texts.help}>
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <SettingsForm key={data.requestMinimum} settings={data} />
      )}
    </Card>
  );
}

function SettingsForm({ settings: { requestMinimum } }: { readonly settings: PayoutSettings }) {
  const api = useApi();
  const queries = useQueryClient();
  const may = usePermission('resources:write');
  const [isAllowed, setAllowed] = useState(requestMinimum !== null);
  const [minimum, setMinimum] = useState<number | null>(requestMinimum);
  const wanted = isAllowed ? (minimum ?? 0) : null;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.payoutSettings.update({ requestMinimum: wanted }),
    onSuccess: (changed) => {
      queries.setQueryData(payoutSettingsQuery(api).queryKey, changed);
      toast.success(texts.saved);
    },
  });
  return (
    <Form onSubmit={() => mutate()} error={error}>
      <Switch label={texts.allow} checked={isAllowed} disabled={!may} onChange={setAllowed} />
      {isAllowed && (
        <MoneyField
          label={texts.minimum}
          name="requestMinimum"
          description={texts.minimumHelp}
          disabled={!may}
          currency=""
          value={minimum}
          onChange={setMinimum}
        />
      )}
      {may && <FormActions submitLabel={texts.save} busy={isPending} disabled={wanted === requestMinimum} />}
    </Form>
  );
}
