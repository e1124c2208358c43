import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Collaborator, ListedBalance, Whence } from '@whence/sdk';
import { Check, CirclePause, Mail, Plus, Users, X } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { usePermission, useSession } from '../session.ts';
import { useWaitingCounts } from '../waiting.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { NameWithAvatar } from '#web/ui/controls/avatar.tsx';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { type BulkAction, type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { type ListState, listPage } from '#web/ui/table/list-query.ts';
import { MoneyList } from '#web/ui/controls/money.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import {
  besideField,
  choiceField,
  optionalField,
  useListState,
  PLACE_FIELDS,
  optionalFields,
} from '#web/ui/shell/list-state.ts';
import { Row as Buttons } from '#web/ui/controls/stack.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Tabs } from '#web/ui/controls/tabs.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { Applications } from './applications.tsx';
import { type MoveAction, useMove, useMoves } from './undoable-moves.ts';
import { useRejection } from './rejection-reason.tsx';
import { NewCollaborator } from './new-collaborator.tsx';
import { PERFORMANCE_FIELDS, PerformanceTab } from './performance-tab.tsx';
import { NoApplications } from './no-applications.tsx';
import { Badges } from './badges.tsx';

const words = texts.list;

const SCHEMA = {
  tab: choiceField(['all', 'performance', 'waiting'], 'all'),
  ...PERFORMANCE_FIELDS,
  /** The open dialog. It is in the URL, so that a link can open it and Back closes it. */
  new: besideField(choiceField(['partner'])),
  search: optionalField(),
  status: choiceField(['active', 'pending', 'inactive', 'rejected', 'deleted']),
  ...optionalFields('tag', 'createdFrom', 'createdUntil'),
  ...PLACE_FIELDS,
};

const SINCE: Filter = {
  id: 'created',
  kind: 'period',
  label: words.created,
  from: 'createdFrom',
  until: 'createdUntil',
};
const TAG: Filter = { id: 'tag', kind: 'text', name: 'tag', label: words.tag };
const STATUS: Filter = { id: 'status', kind: 'choice', name: 'status', label: words.status, options: words.statuses };
const FILTERS: readonly Filter[] = [STATUS, TAG, SINCE];

export function CollaboratorsPage() {
  const may = usePermission('resources:write');
  const [{ tab, from, until, currency, new: opened, ...state }, change] = useListState(SCHEMA);
  const open = (): void => change({ new: 'partner' });
  const { collaborators: waiting } = useWaitingCounts();
  const { sent } = useMoves();
  useHotkeys([{ keys: 'n', label: texts.new, run: open }], { enabled: may });
  const create = may && (
    <Button variant="primary" icon={Plus} hotkey="N" onClick={open}>
      {texts.new}
    </Button>
  );
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        may && (
          <Buttons>
            <LinkButton href="/announcements" icon={Mail}>
              {texts.write}
            </LinkButton>
            {create}
          </Buttons>
        )
      }
    >
      {sent !== undefined && <Progress label={texts.bulk.changing} {...sent} />}
      <Tabs
        label={texts.parts}
        value={tab}
        onChange={(to) => change({ tab: to, status: undefined, sort: undefined })}
        tabs={[
          {
            value: 'all',
            label: texts.all,
            content: <Everybody state={state} onChange={change} create={create} />,
          },
          {
            value: 'performance',
            label: texts.ranked,
            content: (
              <PerformanceTab
                figured={{ from, until, currency }}
                state={{ ...state, createdFrom: undefined, createdUntil: undefined }}
                filters={[STATUS, TAG]}
                onChange={change}
              />
            ),
          },
          {
            value: 'waiting',
            label: texts.waiting,
            ...(waiting === undefined ? {} : { count: <Count value={waiting} /> }),
            content: <Queue state={state} onChange={change} />,
          },
        ]}
      />
      {may && opened === 'partner' && <NewCollaborator onClose={() => change({ new: undefined })} />}
    </Page>
  );
}

type ListProps = {
  readonly state: ListState;
  onChange(this: void, patch: ListState, options?: { readonly replace?: boolean }): void;
};

/**
 * A partner with the ids of all rows on the page, separated by commas. One call loads the balances of all these ids.
 */
type Row = Collaborator & { readonly together: string };

const NAME: Column<Row> = {
  id: 'name',
  header: words.name,
  sort: 'name',
  cell: ({ name }) => <NameWithAvatar name={name} />,
};
const EMAIL: Column<Row> = {
  id: 'email',
  header: words.email,
  priority: 3,
  cell: ({ email }) => (email === null ? NOTHING : <Text tone="muted">{email}</Text>),
};
const CREATED: Column<Row> = {
  id: 'since',
  header: words.since,
  sort: 'createdAt',
  priority: 3,
  cell: ({ createdAt }) => <Time at={createdAt} as="date" />,
};

function Everybody({ state, onChange, create }: ListProps & { readonly create: ReactNode }) {
  const api = useApi();
  const may = usePermission('resources:write');
  const { publicUrl } = useSession();
  const queries = useQueryClient();
  const { undoable } = useMoves();
  const { bulk } = useBulk(['activate', 'deactivate']);
  const columns = useMemo<readonly Column<Row>[]>(
    () => [
      NAME,
      statusColumn(undoable),
      EMAIL,
      {
        id: 'codes',
        header: words.codes,
        priority: 2,
        cell: ({ aliases }) =>
          aliases.length === 0 ? NOTHING : <Badges texts={[...new Set(aliases.map(({ code }) => code))]} />,
      },
      {
        id: 'tags',
        header: words.tags,
        priority: 3,
        cell: ({ tags }) => (tags.length === 0 ? NOTHING : <Badges texts={tags} />),
      },
      {
        id: 'draft',
        header: words.draft,
        align: 'end',
        priority: 3,
        cell: (row) => <Amounts row={row} of="draft" />,
      },
      {
        id: 'payable',
        header: words.payable,
        align: 'end',
        cell: (row) => <Amounts row={row} of="balance" />,
      },
      CREATED,
    ],
    [undoable],
  );
  return (
    <DataTable<Row>
      label={words.label}
      queryKey={['collaborators', 'list']}
      load={async (query, signal) => {
        const { rows, ...page } = listPage(await api.collaborators.list(query as object, { signal }).page());
        const together = rows.map(({ id }) => id).join(',');
        // Don't wait for the balances, so that the rows are visible while they load.
        if (rows.length > 0) void queries.prefetchQuery(balancesQuery(api, together));
        return { ...page, rows: rows.map((row) => ({ ...row, together })) };
      }}
      columns={columns}
      rowId={({ id }) => id}
      rowLabel={({ name }) => words.row(name)}
      rowHref={({ id }) => `/collaborators/${id}`}
      state={state}
      onChange={onChange}
      {...(may ? { bulk } : {})}
      filters={FILTERS}
      search={{ name: 'search', label: texts.search }}
      csv={csvOf('/v1/collaborators')}
      csvName="collaborators"
      empty={
        <EmptyState icon={Users} title={words.emptyTitle} actions={create} copy={words.emptyCopy(publicUrl)}>
          {words.empty}
        </EmptyState>
      }
    />
  );
}

/** Shows waiting applicants, oldest first, with the programs in their applications. */
function Queue({ state, onChange }: ListProps) {
  const api = useApi();
  const may = usePermission('resources:write');
  const { isChanging } = useMoves();
  const { bulk, dialog } = useBulk(['approve', 'reject']);
  const columns = useMemo<readonly Column<Row>[]>(
    () => [
      NAME,
      { ...EMAIL, priority: 2 },
      { id: 'asked', header: words.asked, cell: ({ id }) => <Applications id={id} /> },
      { ...CREATED, priority: 2 },
    ],
    [],
  );
  return (
    <>
      <DataTable<Row>
        label={words.queueLabel}
        queryKey={['collaborators', 'queue']}
        load={async (query, signal) => {
          const asked = { sort: 'createdAt', ...query, status: 'pending' } as object;
          const { rows, ...page } = listPage(await api.collaborators.list(asked, { signal }).page());
          return { ...page, rows: rows.map((row) => ({ ...row, together: '' })) };
        }}
        columns={columns}
        rowId={({ id }) => id}
        rowLabel={({ name }) => words.row(name)}
        rowHref={({ id }) => `/collaborators/${id}?tab=sign-ups`}
        state={{ ...state, status: undefined }}
        onChange={onChange}
        hidden={isChanging}
        defaultSort="createdAt"
        {...(may ? { bulk } : {})}
        filters={[SINCE]}
        search={{ name: 'search', label: texts.search }}
        csv={(query) => csvOf('/v1/collaborators')({ ...query, status: 'pending' })}
        csvName="waiting-collaborators"
        empty={<NoApplications />}
      />
      {dialog}
    </>
  );
}

/**
 * The maximum number of balances to load for one page of partners. A partner can have a balance in several currencies.
 */
const MOST_BALANCES = 1_000;

/** Returns the query for the balances of all partners on a page. */
function balancesQuery(api: Whence, together: string) {
  return {
    queryKey: ['collaborators', 'balances', together],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
      const query = { collaboratorIds: together, sort: 'id' } as const;
      const balances = await api.balances.list(query, { signal }).toArray({ limit: MOST_BALANCES });
      return Map.groupBy(balances, ({ collaboratorId }) => collaboratorId);
    },
  };
}

const LOOKS: Readonly<Record<MoveAction, Pick<BulkAction<Row>, 'icon' | 'hotkey' | 'danger'>>> = {
  approve: { icon: Check, hotkey: 'a' },
  activate: { icon: Check, hotkey: 'a' },
  deactivate: { icon: CirclePause },
  reject: { icon: X, hotkey: 'r', danger: true },
};
/** The partner statuses in which each action is allowed. */
const FROM: Readonly<Record<MoveAction, readonly string[]>> = {
  approve: ['pending'],
  activate: ['pending', 'inactive'],
  deactivate: ['active'],
  reject: ['pending'],
};

function useBulk(actions: readonly MoveAction[]): { bulk: readonly BulkAction<Row>[]; dialog: ReactNode } {
  const move = useMove();
  const { reject, dialog } = useRejection();
  const bulk = actions.map((action): BulkAction<Row> => ({
    id: action,
    label: texts.bulk[action],
    ...LOOKS[action],
    enabled: (rows) => rows.every(({ status }) => FROM[action].includes(status)),
    run: (rows) => (action === 'reject' ? reject(rows) : move(action, rows)),
  }));
  return { bulk, dialog };
}

function statusColumn(undoable: ReadonlyMap<number, MoveAction>): Column<Row> {
  return {
    id: 'status',
    header: words.status,
    tight: true,
    cell: ({ id, status }) => {
      const action = undoable.get(id);
      return action === undefined ? (
        <StatusBadge status={status} />
      ) : (
        <StatusBadge status="processing" label={texts.bulk.undoable[action]} />
      );
    },
  };
}

function Amounts({ row: { id, together }, of }: { readonly row: Row; readonly of: 'balance' | 'draft' }) {
  const { data } = useQuery(balancesQuery(useApi(), together));
  if (data === undefined) return <Skeleton width="6ch" />;
  const balances: readonly ListedBalance[] = data.get(id) ?? [];
  const amounts = balances.map((each) => ({ minor: each[of], currency: each.currency }));
  return <MoneyList amounts={amounts.filter(({ minor }) => BigInt(minor) !== 0n)} below />;
}
