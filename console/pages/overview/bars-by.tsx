import { useQuery } from '@tanstack/react-query';
import type { FigureRow, Figures } from '@whence/sdk';
import type { ReactNode } from 'react';
import { overview as texts } from '#console/texts/overview.ts';
import { type Bar, BarList } from '#ui/bar-list.tsx';
import { Card } from '#ui/card.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import type { Period } from '#ui/formats/time.ts';
import { Link } from '#ui/link.tsx';
import { Money } from '#ui/money.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Text } from '#ui/text.tsx';
import { amountsIn, conversionRate, type Counts, currenciesOf, highestQuery, type Kind } from './period-figures.ts';
import { salesHref } from './figure-links.ts';

type BarsByProps = {
  readonly by: Kind;
  readonly period: Period;
  /** Undefined as long as none is known. */
  readonly currency: string | undefined;
};

/** What came by each collaborator, program or source in a period, the largest revenue first. */
export function BarsBy({ by, period, currency }: BarsByProps) {
  const { title, label, all, href } = texts.by[by];
  const { data, error, refetch } = useQuery(highestQuery(useApi(), by, period, currency));
  return (
    <Card title={title} actions={<Link href={href}>{all}</Link>}>
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data?.rows.length === 0 ? (
        <Text tone="muted">{texts.nothing}</Text>
      ) : (
        <BarList label={label} {...(data && currency !== undefined ? barsOf(by, data, period, currency) : LOADING)} />
      )}
    </Card>
  );
}

const LOADING = { bars: undefined };

function barsOf(by: Kind, { rows, rest }: Figures, period: Period, currency: string) {
  return {
    bars: rows.map((row) => ({
      ...identityOf(by, row, period, currency),
      value: amountsIn(row, currency).revenue,
      shown: shownOf(row, currency),
      detail: detailOf(row),
    })),
    ...(rest && { rest: { count: rest.rows, shown: shownOf(rest, currency), detail: detailOf(rest) } }),
  };
}

function detailOf(counts: Counts): string {
  return texts.came(counts, conversionRate(counts));
}

/** Who sold nothing in this currency may have sold something in another. */
function shownOf(counts: Counts, currency: string): ReactNode {
  const { revenue } = amountsIn(counts, currency);
  const [other] = currenciesOf(counts);
  const sold = other === undefined ? 0 : amountsIn(counts, other).revenue;
  if (revenue !== 0 || other === undefined || sold === 0) return <Money minor={revenue} currency={currency} />;
  return (
    <Text tone="muted">
      <Money minor={sold} currency={other} />
    </Text>
  );
}

type Identity = Pick<Bar, 'id' | 'label' | 'href'>;

function identityOf(by: Kind, row: FigureRow, period: Period, currency: string): Identity {
  switch (by) {
    case 'collaborator':
      return { id: row.collaboratorId ?? 0, label: row.collaboratorName, href: `/collaborators/${row.collaboratorId}` };
    case 'program':
      return { id: row.programId ?? 0, label: row.programName, href: `/programs/${row.programId}` };
    case 'source':
      return {
        id: row.source ?? '',
        label: row.source,
        href: salesHref({ period, currency, source: row.source ?? '' }),
      };
    default:
      return by satisfies never;
  }
}
