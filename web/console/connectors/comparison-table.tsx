import type { ComparedOrder, Reconciliation } from '@whence/sdk';
import { ListChecks } from 'lucide-react';
import { useMemo, useState } from 'react';
import { comparison as words } from './comparison-texts.ts';
import { Badge, type Tone } from '#web/ui/controls/badge.tsx';
import { csvFile } from '#web/ui/table/csv.ts';
import { type BulkAction, type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import type { ListPage, ListQuery, ListState } from '#web/ui/table/list-query.ts';
import { formatMoney, majorText } from '#web/ui/formats/money.ts';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';

type Outcome = ComparedOrder['outcome'];
type Amounts = ComparedOrder['listed'];

/** The outcomes in the order of the table. */
const OUTCOMES: readonly Outcome[] = ['missing-here', 'missing-there', 'amount-differs', 'refund-differs', 'matched'];

const TONES: Readonly<Record<Outcome, Tone>> = {
  'missing-here': 'bad',
  'missing-there': 'warn',
  'amount-differs': 'warn',
  'refund-differs': 'warn',
  matched: 'good',
};

const ROWS_OF_PAGE = 25;

type ComparisonTableProps = {
  readonly result: Reconciliation;
  readonly system: string;
  readonly bulk: readonly BulkAction<ComparedOrder>[];
};

/** Shows the orders of a comparison and the number of orders by outcome, with a filter by outcome and a CSV export. */
export function ComparisonTable({ result, system, bulk }: ComparisonTableProps) {
  const orders = useMemo(
    () => result.orders.toSorted((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome)),
    [result],
  );
  const [state, setState] = useState<ListState>({});
  const counts = OUTCOMES.map((outcome) => ({
    outcome,
    count: orders.filter((each) => each.outcome === outcome).length,
  }));
  const found = counts.filter(({ count }) => count > 0);
  const filter: Filter = {
    id: 'outcome',
    kind: 'choice',
    name: 'outcome',
    label: words.outcome,
    options: found.map(({ outcome }) => ({ value: outcome, label: words.outcomes[outcome] })),
  };
  return (
    <Stack gap={3}>
      <Row>
        {found.map(({ outcome, count }) => (
          <Badge key={outcome} tone={TONES[outcome]}>
            {words.outcomes[outcome]}: {count}
          </Badge>
        ))}
      </Row>
      {result.skipped > 0 && <Text tone="muted">{words.skipped(result.skipped)}</Text>}
      <DataTable<ComparedOrder>
        label={words.label}
        queryKey={['connectors', 'comparison', result]}
        load={(query) => Promise.resolve(pageOf(orders, query))}
        columns={columnsOf(system)}
        rowId={({ externalId }) => externalId}
        rowLabel={({ externalId }) => words.row(externalId)}
        state={state}
        onChange={(patch) => setState((before) => ({ ...before, ...patch }))}
        filters={[filter]}
        bulk={bulk}
        csv={(query) => Promise.resolve(csvOfOrders(matching(orders, query)))}
        csvName="comparison"
        hotkeys={false}
        empty={
          <EmptyState icon={ListChecks} title={words.emptyTitle}>
            {words.empty}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function matching(orders: readonly ComparedOrder[], { outcome }: ListQuery): readonly ComparedOrder[] {
  return outcome === undefined ? orders : orders.filter((each) => each.outcome === outcome);
}

function pageOf(orders: readonly ComparedOrder[], query: ListQuery): ListPage<ComparedOrder> {
  const found = matching(orders, query);
  const from = Number(query.after ?? 0);
  const until = from + ROWS_OF_PAGE;
  return {
    rows: found.slice(from, until),
    estimatedCount: found.length,
    hasExactCount: true,
    next: until < found.length ? String(until) : undefined,
  };
}

function columnsOf(system: string): readonly Column<ComparedOrder>[] {
  return [
    { id: 'order', header: words.columns.order, cell: (order) => <OrderName order={order} /> },
    { id: 'outcome', header: words.columns.outcome, cell: (order) => <OutcomeOf order={order} /> },
    { id: 'listed', header: system, align: 'end', cell: ({ listed }) => <AmountsOf amounts={listed} /> },
    { id: 'booked', header: words.columns.booked, align: 'end', cell: ({ booked }) => <AmountsOf amounts={booked} /> },
    { id: 'at', header: words.columns.at, priority: 2, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  ];
}

function OrderName({ order: { externalId, number, booked } }: { readonly order: ComparedOrder }) {
  const name = number ?? externalId;
  if (booked === null) return <span title={externalId}>{name}</span>;
  return <Link href={`/sales?externalId=${encodeURIComponent(externalId)}`}>{name}</Link>;
}

function OutcomeOf({ order: { outcome, obstacle } }: { readonly order: ComparedOrder }) {
  return (
    <Stack gap={1} align="start">
      <Badge tone={TONES[outcome]}>{words.outcomes[outcome]}</Badge>
      {obstacle !== null && (
        <Text tone="muted" size="small">
          {words.obstacles[obstacle]}
        </Text>
      )}
    </Stack>
  );
}

function AmountsOf({ amounts }: { readonly amounts: Amounts }) {
  if (amounts === null) return NOTHING;
  const { total, refunded, currency } = amounts;
  return (
    <>
      {formatMoney(total, currency)}
      {refunded !== null && refunded !== 0 && (
        <Text as="div" tone="muted" size="small">
          {words.refunded(formatMoney(refunded, currency))}
        </Text>
      )}
    </>
  );
}

/** Returns the orders as CSV, with amounts in major units. */
function csvOfOrders(orders: readonly ComparedOrder[]): Blob {
  const lines = orders.map(({ externalId, number, outcome, occurredAt, listed, booked, obstacle }) => [
    externalId,
    number ?? '',
    outcome,
    occurredAt,
    ...cellsOf(listed),
    ...cellsOf(booked),
    obstacle ?? '',
  ]);
  return csvFile([
    [
      'externalId',
      'number',
      'outcome',
      'occurredAt',
      ...['currency', 'total', 'refunded'].map((name) => `listed.${name}`),
      ...['currency', 'total', 'refunded'].map((name) => `booked.${name}`),
      'obstacle',
    ],
    ...lines,
  ]);
}

function cellsOf(amounts: Amounts): readonly string[] {
  if (amounts === null) return ['', '', ''];
  const { currency, total, refunded } = amounts;
  return [currency, majorText(total), refunded === null ? '' : majorText(refunded)];
}
