import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FigureRow, Whence } from '@whence/sdk';
import { Link2 } from 'lucide-react';
import { askedIn, conversionRate, type Order, ORDERS, shownIn, type View } from '../reporting/period-figures.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { type Bar, BarList } from '#web/ui/chart/bar-list.tsx';
import { Badge } from '#web/ui/controls/badge.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Percent } from '#web/ui/controls/percent.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { formatCount } from '#web/ui/formats/numbers.ts';
import type { Period } from '#web/ui/formats/time.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';

const words = texts.links;

/** The maximum number of links whose figures are loaded. Landing pages are added up from these links. */
const MAX_LINKS = 1_000;
const SHOWN_LINKS = 50;
const SHOWN_PAGES = 10;

type Asked = {
  readonly collaboratorId: number;
  readonly period: Period;
  readonly highest: Order;
  readonly view: View;
};

/** Shows a partner's links and coupons, and the pages that the links open, with their results in a period. */
export function TopLinks({ onHighest, ...ranking }: Asked & { readonly onHighest: (highest: Order) => void }) {
  const queries = useQueryClient();
  const asked = linksQuery(useApi(), ranking);
  const { data } = useQuery(asked);
  const { highest, view } = ranking;
  return (
    <>
      <Card title={words.title} description={words.help} padded={false}>
        <DataTable<FigureRow>
          framed={false}
          label={words.title}
          queryKey={[...asked.queryKey, 'list']}
          load={async () => {
            // The landing pages need the same rows, so links and landing pages share one request.
            const rows = await queries.fetchQuery(asked);
            return { rows: rows.slice(0, SHOWN_LINKS), estimatedCount: Math.min(rows.length, SHOWN_LINKS) };
          }}
          columns={columnsIn(view)}
          rowId={({ linkId }) => linkId ?? 0}
          rowLabel={({ code }) => words.row(code ?? words.none)}
          state={{ sort: `-${highest}` }}
          // The highest values are always first, so a press on the sorted column changes nothing.
          onChange={({ sort }) => onHighest(ORDERS.find((order) => sort?.replace('-', '') === order) ?? highest)}
          empty={
            <EmptyState icon={Link2} title={words.emptyTitle}>
              {words.empty}
            </EmptyState>
          }
        />
      </Card>
      <LandingPages rows={data} />
    </>
  );
}

function linksQuery(api: Whence, { collaboratorId, period, highest, view }: Asked) {
  return queryOptions({
    queryKey: ['figures', 'link', period.from, period.until, collaboratorId, view, highest],
    queryFn: async ({ signal }) => {
      const asked = { by: 'link', ...period, collaboratorId, highest, limit: MAX_LINKS, ...askedIn(view) } as const;
      return (await api.figures.get(asked, { signal })).rows;
    },
  });
}

function columnsIn(view: View): readonly Column<FigureRow>[] {
  const { currency, converted } = view;
  return [
    {
      id: 'code',
      header: words.code,
      cell: ({ code }) => (code == null ? <Text tone="muted">{words.none}</Text> : <code>{code}</code>),
    },
    {
      id: 'kind',
      header: words.kind,
      tight: true,
      priority: 3,
      cell: ({ type }) => type != null && <Badge>{kindOf(type)}</Badge>,
    },
    {
      id: 'visits',
      header: texts.performance.visits,
      align: 'end',
      sort: 'visits',
      cell: ({ visits }) => formatCount(visits ?? 0),
    },
    {
      id: 'sales',
      header: texts.performance.sales,
      align: 'end',
      sort: 'sales',
      cell: (row) => formatCount(shownIn(row, view).sales),
    },
    {
      id: 'rate',
      header: texts.performance.rate,
      align: 'end',
      priority: 2,
      cell: (row) => <Percent ratio={conversionRate(row)} />,
    },
    {
      id: 'revenue',
      header: texts.performance.revenue,
      align: 'end',
      sort: 'revenue',
      cell: (row) => <Money minor={shownIn(row, view).revenue} currency={currency} approximate={converted} />,
    },
    {
      id: 'earned',
      header: texts.performance.earned,
      align: 'end',
      sort: 'earned',
      priority: 3,
      cell: (row) => <Money minor={shownIn(row, view).earned} currency={currency} approximate={converted} />,
    },
  ];
}

function kindOf(type: string): string {
  return texts.aliases.kinds.find(({ value }) => value === type)?.label ?? type;
}

/** Shows the pages that the links open, by their clicks. Coupons open no page. */
function LandingPages({ rows }: { readonly rows: readonly FigureRow[] | undefined }) {
  const bars = rows && barsOf(rows);
  return (
    <Card title={words.pages} description={words.pagesHelp}>
      {bars?.length === 0 ? (
        <Text tone="muted">{words.noPages}</Text>
      ) : (
        <BarList
          label={words.pages}
          bars={bars?.slice(0, SHOWN_PAGES)}
          {...(bars && bars.length > SHOWN_PAGES && { rest: restOf(bars.slice(SHOWN_PAGES)) })}
        />
      )}
    </Card>
  );
}

function barsOf(rows: readonly FigureRow[]): Bar[] {
  const visited = rows.filter(({ linkId, visits }) => linkId != null && (visits ?? 0) > 0);
  return [...Map.groupBy(visited, ({ pageUrl }) => pageUrl ?? '')]
    .map(([page, links]) => {
      const sum = (of: (row: FigureRow) => number) => links.reduce((total, row) => total + of(row), 0);
      const [visits, sales] = [sum((row) => row.visits ?? 0), sum((row) => row.sales)];
      return {
        id: page,
        label: page === '' ? words.landingPage : pathOf(page),
        value: visits,
        detail: words.sold(sales, conversionRate({ visits, sales })),
      };
    })
    .toSorted((a, b) => b.value - a.value);
}

function restOf(bars: readonly Bar[]) {
  return { count: bars.length, shown: formatCount(bars.reduce((sum, { value }) => sum + value, 0)) };
}

/** Returns the path of a page with its query, or the host of a home page. */
function pathOf(page: string): string {
  const { host, pathname, search } = new URL(page);
  return pathname === '/' && search === '' ? host : `${pathname}${search}`;
}
