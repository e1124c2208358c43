import type { ApiKey, NewApiKey } from '@whence/sdk';
import { Ellipsis, KeyRound, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { keys as texts } from './keys-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable, timeColumn } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { listPage } from '#web/ui/table/list-query.ts';
import { Menu } from '#web/ui/overlay/menu.tsx';
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
import { Time } from '#web/ui/controls/time.tsx';
import type { Filter } from '#web/ui/table/filters.ts';
import { type KeyState, keyState } from './key-state.ts';
import { MadeKeyDialog } from './made-key-dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

const SCHEMA = {
  kind: choiceField(['secret', 'publishable']),
  label: optionalField(),
  ...PLACE_FIELDS,
  /** The name of the open dialog. It is in the URL, so that a link can open the dialog. */
  new: besideField(choiceField(['key'])),
};

const FILTERS: readonly Filter[] = [
  choiceFilter('kind', texts.filters.kind, texts.kinds, ['secret', 'publishable']),
  { id: 'label', kind: 'text', name: 'label', label: texts.filters.label },
];

const TONES = { current: 'good', replaced: 'warn', expired: 'neutral', revoked: 'neutral' } as const;

/** An API key with its state at the time of loading. */
type ShownKey = ApiKey & { readonly state: KeyState };

const COLUMNS: readonly Column<ShownKey>[] = [
  { id: 'label', header: texts.columns.label, sort: 'label', cell: ({ label }) => label },
  { id: 'kind', header: texts.columns.kind, cell: ({ kind }) => texts.kinds[kind] },
  {
    id: 'prefix',
    header: texts.columns.prefix,
    priority: 2,
    cell: ({ keyPrefix }) => <Text mono>{keyPrefix}</Text>,
  },
  {
    id: 'scopes',
    header: texts.columns.scopes,
    priority: 2,
    cell: ({ kind, scopes }) =>
      kind === 'publishable' ? texts.reportsVisits : scopes.map((scope) => texts.scopes[scope]).join(', '),
  },
  {
    id: 'state',
    header: texts.columns.state,
    cell: ({ state }) => <StatusBadge status={state} label={texts.states[state]} tone={TONES[state]} />,
  },
  {
    id: 'used',
    header: texts.columns.used,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <Text tone="muted">{texts.never}</Text> : <Time at={lastUsedAt} />,
  },
  timeColumn({ id: 'made', header: texts.columns.made, at: 'createdAt', sort: 'createdAt', priority: 3, as: 'date' }),
];

type KeyAction = { readonly what: 'rotate' | 'revoke'; readonly key: ShownKey };

export function KeysPage() {
  const api = useApi();
  const may = usePermission('keys:write');
  const [{ new: opened, ...state }, change] = useListState(SCHEMA);
  const [doing, setDoing] = useState<KeyAction>();
  const [made, setMade] = useState<NewApiKey>();
  const create = (): void => change({ new: 'key' });
  useHotkeys([{ keys: 'n', label: texts.new, run: create }], { group: texts.title, enabled: may });
  const close = (): void => setDoing(undefined);
  const show = (key: NewApiKey): void => {
    close();
    change({ new: undefined }, { replace: true });
    setMade(key);
  };
  const button = may && (
    <Button variant="primary" icon={Plus} hotkey="N" onClick={create}>
      {texts.new}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={button}>
      <DataTable<ShownKey>
        label={texts.label}
        queryKey={['apiKeys', 'list']}
        load={async (query, signal) => {
          const { rows, ...page } = listPage(await api.apiKeys.list(query as object, { signal }).page());
          const now = Date.now();
          return { ...page, rows: rows.map((key) => ({ ...key, state: keyState(key, now) })) };
        }}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ label }) => texts.row(label)}
        rowActions={may ? (key) => <KeyMenu apiKey={key} onChoose={setDoing} /> : undefined}
        state={state}
        onChange={change}
        defaultSort="-id"
        filters={FILTERS}
        csv={csvOf('/v1/api-keys')}
        csvName="api-keys"
        empty={
          <EmptyState icon={KeyRound} title={texts.emptyTitle} actions={button} copy={texts.emptyCopy}>
            {texts.empty}
          </EmptyState>
        }
      />
      {opened === 'key' && <NewKeyDialog onClose={() => change({ new: undefined }, { replace: true })} onMade={show} />}
      {doing?.what === 'rotate' && <RotateDialog apiKey={doing.key} onClose={close} onMade={show} />}
      {doing?.what === 'revoke' && <RevokeDialog apiKey={doing.key} onClose={close} />}
      {made !== undefined && <MadeKeyDialog made={made} onClose={() => setMade(undefined)} />}
    </Page>
  );
}

/** Shows the actions for an API key, or nothing if the key is revoked or expired. */
function KeyMenu({ apiKey, onChoose }: { readonly apiKey: ShownKey; readonly onChoose: (doing: KeyAction) => void }) {
  const { state } = apiKey;
  if (state === 'revoked' || state === 'expired') return null;
  const rotate = {
    label: texts.rotate.action,
    icon: RefreshCw,
    onSelect: () => onChoose({ what: 'rotate', key: apiKey }),
  };
  const revoke = {
    label: texts.revoke.action,
    icon: Trash2,
    danger: true,
    onSelect: () => onChoose({ what: 'revoke', key: apiKey }),
  };
  return (
    <Menu
      align="end"
      trigger={<IconButton icon={Ellipsis} label={texts.menu(apiKey.label)} tooltip={false} size="small" />}
      items={state === 'current' ? [rotate, revoke] : [revoke]}
    />
  );
}
