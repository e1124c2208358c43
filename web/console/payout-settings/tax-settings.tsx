import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PayoutSettings } from '@whence/sdk';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { CHANGED } from '../payouts/changed.ts';
import { payoutSettingsQuery } from './payout-settings-query.ts';
import { taxSettings as texts } from './tax-setting-texts.ts';

const OPTIONS = (['not-asked', 'asked', 'required'] as const).map((value) => ({ value, ...texts.options[value] }));

/** Renders the setting that decides whether partners are asked for tax details. */
export function TaxSettings() {
  const { data, error, refetch } = useQuery(payoutSettingsQuery(useApi()));
  return (
    <Card title={texts.title} description={texts.help}>
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <SettingForm key={data.taxDetails} settings={data} />
      )}
    </Card>
  );
}

function SettingForm({ settings: { taxDetails } }: { readonly settings: PayoutSettings }) {
  const api = useApi();
  const queries = useQueryClient();
  const may = usePermission('resources:write');
  const [wanted, setWanted] = useState(taxDetails);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.payoutSettings.update({ taxDetails: wanted }),
    onSuccess: async (changed) => {
      queries.setQueryData(payoutSettingsQuery(api).queryKey, changed);
      await Promise.all(CHANGED.map((noun) => queries.invalidateQueries({ queryKey: [noun] })));
      toast.success(texts.saved);
    },
  });
  return (
    <Form onSubmit={() => mutate()} error={error}>
      <RadioCards
        label={texts.setting}
        name="taxDetails"
        options={OPTIONS}
        value={wanted}
        disabled={!may}
        onChange={setWanted}
      />
      {may && <FormActions submitLabel={texts.save} busy={isPending} disabled={wanted === taxDetails} />}
    </Form>
  );
}
