import type { WebhookDelivery } from '@whence/sdk';
import { RotateCcw, Send } from 'lucide-react';
import { usePermission, useSession } from '../session.ts';
import { webhooks as texts } from './webhooks-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { type Column, DataTable, timeColumn } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { listPage } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import {
  choiceFilter,
  besideField,
  choiceField,
  optionalField,
  useListState,
  PLACE_FIELDS,
  optionalFields,
} from '#web/ui/shell/list-state.ts';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import type { Filter } from '#web/ui/table/filters.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { webhookEventTypes } from './webhook-event-types.ts';

const words = texts.deliveries;
const STATUSES = ['pending', 'delivered', 'failed'] as const;
const TONES = { pending: 'info', delivered: 'good', failed: 'bad' } as const;
/** The interval at which the list is reloaded, in milliseconds. */
const LOOK_EVERY_MS = 3_000;

const SCHEMA = {
  status: choiceField(STATUSES),
  ...optionalFields('type', 'createdFrom', 'createdUntil'),
  ...PLACE_FIELDS,
  delivery: besideField(optionalField()),
};

const FILTERS: readonly Filter[] = [
  choiceFilter('status', words.filters.state, words.states, STATUSES),
  {
    id: 'type',
    kind: 'choice',
    name: 'type',
    label: words.filters.type,
    options: [...webhookEventTypes, { value: 'webhook.test', label: 'webhook.test' }],
  },
  { id: 'made', kind: 'period', from: 'createdFrom', until: 'createdUntil', label: words.filters.made },
];

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { id: 'type', header: words.columns.type, cell: ({ type }) => type },
  {
    id: 'state',
    header: words.columns.state,
    cell: ({ status }) => <StatusBadge status={status} label={words.states[status]} tone={TONES[status]} />,
  },
  {
    id: 'attempts',
    header: words.columns.attempts,
    align: 'end',
    priority: 2,
    cell: ({ attempts }) => <Count value={attempts} />,
  },
  {
    id: 'answer',
    header: words.columns.answer,
    cell: ({ lastStatusCode, lastError }) => (
      <Text cut tone={lastError === null ? undefined : 'bad'}>
        {lastError ?? lastStatusCode ?? NOTHING}
      </Text>
    ),
  },
  timeColumn({ id: 'made', header: words.columns.made, at: 'createdAt', sort: 'createdAt', priority: 2 }),
  {
    id: 'next',
    header: words.columns.next,
    priority: 3,
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? NOTHING : <Time at={nextAttemptAt} />),
  },
];

export function DeliveryList({ webhookId }: { readonly webhookId: number }) {
  const api = useApi();
  const { publicUrl } = useSession();
  const may = usePermission('resources:write');
  const [{ delivery, ...state }, change] = useListState(SCHEMA);
  const again = useCall(
    (api, rows: readonly WebhookDelivery[]) =>
      api.webhooks.redeliver(webhookId, { deliveryIds: rows.map(({ id }) => id) }),
    {
      reloads: [['webhooks', 'deliveries', webhookId]],
      done: (rows) => words.redelivered(rows.length),
      onError: toast.error,
    },
  );
  return (
    <Card title={words.title} padded={false}>
      <DataTable<WebhookDelivery>
        framed={false}
        label={words.title}
        queryKey={['webhooks', 'deliveries', webhookId]}
        load={async (query, signal) =>
          listPage(await api.webhooks.listDeliveries(webhookId, query as object, { signal }).page())
        }
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ id }) => words.row(id)}
        onOpen={({ id }) => change({ delivery: String(id) })}
        bulk={
          may
            ? [
                {
                  id: 'redeliver',
                  label: words.redeliver,
                  icon: RotateCcw,
                  hotkey: 'r',
                  run: (rows) => again.mutate(rows),
                },
              ]
            : []
        }
        state={state}
        onChange={change}
        defaultSort="-id"
        refetchMs={LOOK_EVERY_MS}
        filters={FILTERS}
        csv={csvOf(`/v1/webhooks/${webhookId}/deliveries`)}
        csvName="deliveries"
        empty={
          <EmptyState icon={Send} title={words.emptyTitle} copy={words.emptyCopy(publicUrl, String(webhookId))}>
            {words.empty}
          </EmptyState>
        }
      />
      <DeliveryDrawer
        webhookId={webhookId}
        id={delivery}
        onClose={() => change({ delivery: undefined }, { replace: true })}
      />
    </Card>
  );
}
