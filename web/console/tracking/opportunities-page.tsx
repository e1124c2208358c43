import type { Engagement, Opportunity, Transaction, Whence } from '@whence/sdk';
import { Route } from 'lucide-react';
import { CollaboratorName } from '../names.tsx';
import { useSession } from '../session.ts';
import { opportunities as texts } from './opportunities-texts.ts';
import { totalsOf } from '../totals.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { type Column, DataTable, timeColumn } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { type ListPage, listPage } from '#web/ui/table/list-query.ts';
import { MoneyList } from '#web/ui/controls/money.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { choiceField, optionalField, useListState, PLACE_FIELDS, optionalFields } from '#web/ui/shell/list-state.ts';
import { Text } from '#web/ui/controls/text.tsx';

const words = texts.list;

const SCHEMA = {
  search: optionalField(),
  status: choiceField(['active', 'merged', 'invalid']),
  ...optionalFields('userId', 'createdFrom', 'createdUntil'),
  ...PLACE_FIELDS,
};

const FILTERS: readonly Filter[] = [
  { id: 'status', kind: 'choice', name: 'status', label: words.status, options: words.statuses },
  { id: 'user', kind: 'text', name: 'userId', label: words.userFilter },
  { id: 'created', kind: 'period', label: words.period, from: 'createdFrom', until: 'createdUntil' },
];

/** An opportunity with its engagements and transactions, which are loaded together for all rows of a page. */
type Row = Opportunity & { readonly claims: readonly Engagement[]; readonly bought: readonly Transaction[] };

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'id',
    header: words.id,
    cell: ({ id }) => <Text mono>{id}</Text>,
  },
  { id: 'status', header: words.status, tight: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { id: 'referrers', header: words.referrers, cell: ({ claims }) => <Referrers claims={claims} /> },
  {
    id: 'bought',
    header: words.bought,
    align: 'end',
    cell: ({ bought }) => (
      <MoneyList
        below
        amounts={totalsOf(
          bought.filter(({ type }) => type !== 'lead').map(({ total, currency }) => ({ amount: total, currency })),
        )}
      />
    ),
  },
  {
    id: 'user',
    header: words.userId,
    priority: 3,
    cell: ({ userId }) => userId ?? <Text tone="faint">{words.guest}</Text>,
  },
  timeColumn({ id: 'created', header: words.created, at: 'createdAt', sort: 'createdAt', priority: 2 }),
];

export function OpportunitiesPage() {
  const api = useApi();
  const { publicUrl } = useSession();
  const [state, change] = useListState(SCHEMA);
  return (
    <Page title={texts.title} description={texts.description}>
      <DataTable<Row>
        label={words.label}
        queryKey={['opportunities', 'list']}
        load={(query, signal) => loadRows(api, query, signal)}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ id }) => words.row(id)}
        rowHref={({ id }) => `/opportunities/${id}`}
        state={state}
        onChange={change}
        filters={FILTERS}
        search={{ name: 'search', label: words.search }}
        csv={csvOf('/v1/opportunities')}
        csvName="opportunities"
        empty={
          <EmptyState icon={Route} title={words.emptyTitle} copy={words.emptyCopy(publicUrl)}>
            {words.empty}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** The maximum number of engagements, and of transactions, to load for one page of the list. */
const MOST = 1_000;

async function loadRows(api: Whence, query: object, signal: AbortSignal): Promise<ListPage<Row>> {
  const { rows, ...page } = listPage(await api.opportunities.list(query, { signal }).page());
  if (rows.length === 0) return { ...page, rows: [] };
  const of = { opportunityIds: rows.map(({ id }) => id).join(','), sort: 'id' as const };
  const [claims, bought] = await Promise.all([
    api.engagements.list(of, { signal }).toArray({ limit: MOST }),
    api.transactions.list(of, { signal }).toArray({ limit: MOST }),
  ]);
  const claimsOf = Map.groupBy(claims, ({ opportunityId }) => opportunityId);
  const boughtOf = Map.groupBy(bought, ({ opportunityId }) => opportunityId);
  return {
    ...page,
    rows: rows.map((row) => ({ ...row, claims: claimsOf.get(row.id) ?? [], bought: boughtOf.get(row.id) ?? [] })),
  };
}

const SHOWN = 2;

function Referrers({ claims }: { readonly claims: readonly Engagement[] }) {
  const ids = [...new Set(claims.map(({ collaboratorId }) => collaboratorId))];
  if (ids.length === 0) return <Text tone="faint">{NOTHING}</Text>;
  return (
    <>
      {ids.slice(0, SHOWN).map((id, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <CollaboratorName id={id} />
        </span>
      ))}
      {ids.length > SHOWN && <Text tone="muted"> {words.more(ids.length - SHOWN)}</Text>}
    </>
  );
}
