import type { Webhook } from '@whence/sdk';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { webhooks as texts } from './webhooks-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { type Column, DataTable, timeColumn } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { listPage } from '#web/ui/table/list-query.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import {
  choiceFilter,
  besideField,
  choiceField,
  optionalField,
  useListState,
  PLACE_FIELDS,
} from '#web/ui/shell/list-state.ts';
import { Text } from '#web/ui/controls/text.tsx';
import type { Filter } from '#web/ui/table/filters.ts';
import { eventsText } from './events-text.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookBadge } from './webhook-badge.tsx';
import { WebhookForm } from './webhook-form.tsx';

const STATUSES = ['active', 'paused', 'deleted'] as const;

const SCHEMA = {
  status: choiceField(STATUSES),
  url: optionalField(),
  ...PLACE_FIELDS,
  new: besideField(choiceField(['webhook'])),
};

const FILTERS: readonly Filter[] = [
  choiceFilter('status', texts.filters.state, texts.states, STATUSES),
  { id: 'url', kind: 'text', name: 'url', label: texts.filters.url },
];

const COLUMNS: readonly Column<Webhook>[] = [
  { id: 'name', header: texts.columns.name, cell: ({ url, description }) => description ?? url },
  {
    id: 'state',
    header: texts.columns.state,
    cell: (webhook) => <WebhookBadge webhook={webhook} />,
  },
  {
    id: 'url',
    header: texts.columns.url,
    priority: 3,
    cell: ({ url, description }) =>
      description === null ? (
        NOTHING
      ) : (
        <Text mono size="small" cut>
          {url}
        </Text>
      ),
  },
  { id: 'events', header: texts.columns.events, priority: 2, cell: ({ events }) => eventsText(events) },
  timeColumn({ id: 'made', header: texts.columns.made, at: 'createdAt', sort: 'createdAt', priority: 2, as: 'date' }),
];

export function WebhooksPage() {
  const api = useApi();
  const { navigate } = useLinks();
  const may = usePermission('resources:write');
  const [{ new: opened, ...state }, change] = useListState(SCHEMA);
  const [made, setMade] = useState<{ readonly id: number; readonly secret: string }>();
  const create = (): void => change({ new: 'webhook' });
  useHotkeys([{ keys: 'n', label: texts.new, run: create }], { group: texts.title, enabled: may });
  const button = may && (
    <Button variant="primary" icon={Plus} hotkey="N" onClick={create}>
      {texts.new}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={button}>
      <DataTable<Webhook>
        label={texts.label}
        queryKey={['webhooks', 'list']}
        load={async (query, signal) => listPage(await api.webhooks.list(query as object, { signal }).page())}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ url }) => texts.row(url)}
        rowHref={({ id }) => `/webhooks/${id}`}
        state={state}
        onChange={change}
        defaultSort="-id"
        filters={FILTERS}
        csv={csvOf('/v1/webhooks')}
        csvName="webhooks"
        empty={
          <EmptyState icon={WebhookIcon} title={texts.emptyTitle} actions={button} copy={texts.emptyCopy}>
            {texts.empty}
          </EmptyState>
        }
      />
      {opened === 'webhook' && made === undefined && (
        <WebhookForm
          onClose={() => change({ new: undefined }, { replace: true })}
          onMade={({ id, signingSecret }) => setMade({ id, secret: signingSecret })}
        />
      )}
      {made !== undefined && <SecretDialog secret={made.secret} onClose={() => navigate(`/webhooks/${made.id}`)} />}
    </Page>
  );
}
