import { useQuery } from '@tanstack/react-query';
import type { FigureRow, Figures } from '@whence/sdk';
import type { ReactNode } from 'react';
import { overview as texts } from './overview-texts.ts';
import { type Bar, BarList } from '#web/ui/chart/bar-list.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { formatCount } from '#web/ui/formats/numbers.ts';
import type { Period } from '#web/ui/formats/time.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Percent } from '#web/ui/controls/percent.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import {
  amountsIn,
  conversionRate,
  type Counts,
  currenciesOf,
  type Highest,
  highestQuery,
  type Kind,
  type Order,
  shownIn,
  type View,
} from './period-figures.ts';
import { collaboratorHref, collaboratorsHref, programHref, salesHref } from './figure-links.ts';

type BarsByProps = Highest & {
  /** The currency of the amounts. Undefined while it loads. */
  readonly view: View | undefined;
};

/** Shows results by partner, program or source in a period, sorted by the chosen figure. */
export function BarsBy({ view, ...ranking }: BarsByProps) {
  const { title, label, all } = texts.by[ranking.by];
  const highest = orderOf(ranking);
  const { data, error, refetch } = useQuery(highestQuery(useApi(), { ...ranking, highest }, view));
  return (
    <Card title={title} actions={<Link href={allHref({ ...ranking, highest }, view)}>{all}</Link>}>
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data?.rows.length === 0 ? (
        <Text tone="muted">{texts.nothing}</Text>
      ) : (
        <BarList
          label={label(texts.orders[highest])}
          {...(data && view !== undefined ? barsOf({ ...ranking, highest }, data, view) : LOADING)}
        />
      )}
    </Card>
  );
}

/**
 * Returns the URL of the whole list. If the list supports the period, currency and sort order of the bars, the URL has
 * them.
 */
function allHref({ by, period, highest }: Highest, view: View | undefined): string {
  const of = { period, ...(view === undefined || view.converted ? {} : { currency: view.currency }) };
  switch (by) {
    case 'collaborator':
      return collaboratorsHref({ ...of, sort: `-${highest === 'conversion-rate' ? 'conversionRate' : highest}` });
    case 'program':
      return '/programs';
    case 'source':
      return salesHref(of);
    default:
      return by satisfies never;
  }
}

const LOADING = { bars: undefined };

/**
 * Returns the sort order. Sources have no visits and no conversion rate. If one of these figures is chosen, sources are
 * sorted by revenue.
 */
function orderOf({ by, highest }: Highest): Order {
  return by === 'source' && (highest === 'visits' || highest === 'conversion-rate') ? 'revenue' : highest;
}

function barsOf({ by, period, highest }: Highest, { rows, rest }: Figures, view: View) {
  const wordsOf = (counts: Counts) => ({
    shown: shownOf(counts, highest, view),
    detail: detailOf(counts, highest, view),
  });
  return {
    bars: rows.map((row) => ({
      ...identityOf(by, row, period, view),
      value: valueOf(row, highest, view),
      ...wordsOf(row),
    })),
    ...(rest && { rest: { count: rest.rows, ...wordsOf(rest) } }),
  };
}

function valueOf(counts: Counts, highest: Order, view: View): number {
  switch (highest) {
    case 'revenue':
    case 'earned':
    case 'sales':
      return shownIn(counts, view)[highest];
    case 'conversion-rate':
      return (counts.visits ?? 0) === 0 ? 0 : conversionRate(counts);
    case 'visits':
    case 'leads':
      return counts[highest] ?? 0;
    default:
      return highest satisfies never;
  }
}

function shownOf(counts: Counts, highest: Order, view: View): ReactNode {
  switch (highest) {
    case 'revenue':
    case 'earned':
      return <Amount counts={counts} of={highest} view={view} />;
    case 'conversion-rate':
      return <Percent ratio={conversionRate(counts)} />;
    case 'visits':
    case 'leads':
      return formatCount(counts[highest] ?? 0);
    case 'sales':
      return formatCount(shownIn(counts, view).sales);
    default:
      return highest satisfies never;
  }
}

/**
 * Returns the small text of a bar: the counts and the conversion rate. If the bar doesn't show the revenue, the small
 * text begins with the revenue.
 */
function detailOf(counts: Counts, highest: Order, view: View): ReactNode {
  const came = texts.came({ ...counts, shownSales: shownIn(counts, view).sales }, conversionRate(counts));
  if (highest === 'revenue') return came;
  return (
    <>
      <Amount counts={counts} of="revenue" view={view} />
      {texts.and}
      {came}
    </>
  );
}

type AmountProps = { readonly counts: Counts; readonly of: 'revenue' | 'earned'; readonly view: View };

/**
 * Shows the amount in the chosen currency. If this amount is zero, shows the amount in the currency with the highest
 * revenue instead, unless that amount is also zero.
 */
function Amount({ counts, of, view }: AmountProps) {
  const { currency, converted } = view;
  const amount = shownIn(counts, view)[of];
  const [other] = currenciesOf(counts);
  const sold = other === undefined ? 0 : amountsIn(counts, other)[of];
  if (amount !== 0 || other === undefined || sold === 0) {
    return <Money minor={amount} currency={currency} approximate={converted} />;
  }
  return (
    <Text tone="muted">
      <Money minor={sold} currency={other} />
    </Text>
  );
}

type Identity = Pick<Bar, 'id' | 'label' | 'href'>;

function identityOf(by: Kind, row: FigureRow, period: Period, { currency, converted }: View): Identity {
  const of = { period, ...(converted ? {} : { currency }) };
  switch (by) {
    case 'collaborator':
      return {
        id: row.collaboratorId ?? 0,
        label: row.collaboratorName,
        href: collaboratorHref(row.collaboratorId ?? 0, of),
      };
    case 'program':
      return { id: row.programId ?? 0, label: row.programName, href: programHref(row.programId ?? 0, of) };
    case 'source':
      return { id: row.source ?? '', label: row.source, href: salesHref({ ...of, source: row.source ?? '' }) };
    default:
      return by satisfies never;
  }
}
