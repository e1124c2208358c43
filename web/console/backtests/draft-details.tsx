import { Equal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { DraftResult } from './backtest-query.ts';
import { backtests as texts } from './backtests-texts.ts';
import { Differences } from './differences.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Tabs } from '#web/ui/controls/tabs.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { formatCount } from '#web/ui/formats/numbers.ts';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import type { ListPage, ListQuery, ListState } from '#web/ui/table/list-query.ts';

const words = texts.details;

export const TABS = ['partners', 'months', 'lines', 'hands', 'differences'] as const;
export type DetailsTab = (typeof TABS)[number];

export type DetailsProps = {
  /** A text that identifies the result among all results. */
  readonly id: string;
  readonly result: DraftResult;
  readonly currency: string;
  readonly tab: DetailsTab;
  readonly onTab: (tab: DetailsTab) => void;
};

/** Shows the tables of a draft in one currency. */
export function DraftDetails({ id, result, currency, tab, onTab }: DetailsProps) {
  const of = <Item extends { readonly currency: string }>(items: readonly Item[]): readonly Item[] =>
    items.filter((item) => item.currency === currency);
  const hands = of(result.changedHands);
  const differences = of(result.differences);
  const changing = result.totals.find((total) => total.currency === currency)?.changingHands ?? 0;
  return (
    <Tabs
      label={words.label}
      value={tab}
      onChange={onTab}
      tabs={[
        {
          value: 'partners',
          label: words.tabs.partners,
          content: (
            <Rows
              id={`${id} ${currency} partners`}
              label={words.tabs.partners}
              rows={of(result.collaborators)}
              keyOf={({ collaboratorId }) => collaboratorId}
              nameOf={({ collaboratorName }) => collaboratorName}
              name={{ header: words.partner, cell: partnerLink }}
              empty={words.none}
            />
          ),
        },
        {
          value: 'months',
          label: words.tabs.months,
          content: (
            <Rows
              id={`${id} ${currency} months`}
              label={words.tabs.months}
              rows={of(result.months)}
              keyOf={({ month }) => month}
              nameOf={({ month }) => monthText(month)}
              name={{ header: words.month, cell: ({ month }) => monthText(month) }}
              more={[
                {
                  id: 'revenue',
                  header: words.revenue,
                  align: 'end',
                  priority: 2,
                  cell: ({ revenue }) => <Money minor={revenue} currency={currency} />,
                },
              ]}
              empty={words.none}
            />
          ),
        },
        {
          value: 'lines',
          label: words.tabs.lines,
          content: (
            <Rows
              id={`${id} ${currency} lines`}
              label={words.tabs.lines}
              rows={of(result.lines)}
              keyOf={({ name, type }) => `${type} ${name}`}
              nameOf={({ name }) => name ?? words.otherLines}
              name={{ header: words.line, cell: ({ name }) => name ?? words.otherLines }}
              empty={words.none}
            />
          ),
        },
        {
          value: 'hands',
          label: words.tabs.hands,
          count: formatCount(changing),
          content: (
            <Rows
              id={`${id} ${currency} hands`}
              label={words.tabs.hands}
              rows={hands}
              keyOf={({ transactionId }) => transactionId}
              nameOf={({ externalId }) => externalId}
              name={{ header: words.order, cell: orderLink }}
              more={[
                { id: 'earned', header: words.earned, cell: ({ recordedEarners }) => namesOf(recordedEarners) },
                { id: 'would', header: words.wouldEarn, cell: ({ draftedEarners }) => namesOf(draftedEarners) },
              ]}
              empty={words.noHands}
            />
          ),
        },
        {
          value: 'differences',
          label: words.tabs.differences,
          content:
            differences.length === 0 ? <Nothing>{words.noDifferences}</Nothing> : <Differences sales={differences} />,
        },
      ]}
    />
  );
}

type Compared = { readonly currency: string; readonly recorded: number; readonly drafted: number };

type RowsProps<Item extends Compared> = {
  readonly id: string;
  readonly label: string;
  readonly rows: readonly Item[];
  readonly keyOf: (row: Item) => string | number;
  readonly nameOf: (row: Item) => string;
  readonly name: Pick<Column<Item>, 'header' | 'cell'>;
  readonly more?: readonly Column<Item>[];
  readonly empty: string;
};

const ROWS_OF_PAGE = 25;

/** A table of compared commissions, with pages of the loaded rows. */
function Rows<Item extends Compared>({ id, label, rows, keyOf, nameOf, name, more, empty }: RowsProps<Item>) {
  const [state, setState] = useState<ListState>({});
  const columns: readonly Column<Item>[] = [
    { id: 'name', ...name },
    ...(more ?? []),
    { id: 'recorded', header: words.recorded, align: 'end', cell: (row) => <Amount row={row} of="recorded" /> },
    { id: 'drafted', header: words.drafted, align: 'end', cell: (row) => <Amount row={row} of="drafted" /> },
    {
      id: 'change',
      header: words.change,
      align: 'end',
      cell: ({ drafted, recorded, currency }) => <Money minor={drafted - recorded} currency={currency} sign paleZero />,
    },
  ];
  return (
    <DataTable<Item>
      label={label}
      queryKey={['backtests', 'rows', id]}
      load={(query) => Promise.resolve(pageOf(rows, query))}
      columns={columns}
      rowId={keyOf}
      rowLabel={nameOf}
      state={state}
      onChange={(patch) => setState((before) => ({ ...before, ...patch }))}
      hotkeys={false}
      empty={<Nothing>{empty}</Nothing>}
    />
  );
}

function Nothing({ children }: { readonly children: ReactNode }) {
  return (
    <EmptyState icon={Equal} title={words.noRows}>
      {children}
    </EmptyState>
  );
}

function Amount({ row, of }: { readonly row: Compared; readonly of: 'recorded' | 'drafted' }) {
  return <Money minor={row[of]} currency={row.currency} paleZero />;
}

function pageOf<Item>(rows: readonly Item[], query: ListQuery): ListPage<Item> {
  const from = Number(query.after ?? 0);
  const until = from + ROWS_OF_PAGE;
  return {
    rows: rows.slice(from, until),
    estimatedCount: rows.length,
    next: until < rows.length ? String(until) : undefined,
  };
}

function partnerLink({ collaboratorId, collaboratorName }: DraftResult['collaborators'][number]) {
  return <Link href={`/collaborators/${collaboratorId}`}>{collaboratorName}</Link>;
}

function orderLink({ transactionId, externalId }: DraftResult['changedHands'][number]) {
  return <Link href={`/sales/${transactionId}`}>{externalId}</Link>;
}

function namesOf(earners: DraftResult['changedHands'][number]['recordedEarners']): string {
  return earners.map(({ collaboratorName }) => collaboratorName).join(', ');
}

/** Returns a month as a text such as “March 2026”. */
function monthText(month: string): string {
  return new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}
