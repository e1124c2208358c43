import { useQuery } from '@tanstack/react-query';
import type { FigureRow } from '@whence/sdk';
import { overview as texts } from '#console/texts/overview.ts';
import { type Bar, BarList } from '#ui/bar-list.tsx';
import { Card } from '#ui/card.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import type { Period } from '#ui/formats/time.ts';
import { Link } from '#ui/link.tsx';
import { Money } from '#ui/money.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Text } from '#ui/text.tsx';
import { amountsIn, figuresQuery } from './period-figures.ts';

type Kind = 'collaborator' | 'program' | 'source';

/** Revenue of a period by collaborator, program or source, the largest first. */
export function BarsBy({ by, period, currency }: { by: Kind; period: Period; currency: string }) {
  const { title, label, all, href } = texts.by[by];
  const { data, error, refetch } = useQuery(figuresQuery(useApi(), by, period));
  return (
    <Card title={title} actions={<Link href={href}>{all}</Link>}>
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data?.rows.length === 0 ? (
        <Text tone="muted">{texts.nothing}</Text>
      ) : (
        <BarList label={label} bars={data?.rows.map((row) => barOf(by, row, currency))} />
      )}
    </Card>
  );
}

/** Who sold nothing still brought visits. */
function barOf(by: Kind, row: FigureRow, currency: string): Bar {
  const { revenue } = amountsIn(row, currency);
  const shown =
    revenue === 0 && row.visits !== null ? (
      <Text tone="muted">{texts.unsold(row.visits)}</Text>
    ) : (
      <Money minor={revenue} currency={currency} />
    );
  return { ...identityOf(by, row), value: revenue, shown };
}

function identityOf(by: Kind, row: FigureRow): Pick<Bar, 'id' | 'label' | 'href'> {
  switch (by) {
    case 'collaborator':
      return { id: row.collaboratorId ?? 0, label: row.collaboratorName, href: `/collaborators/${row.collaboratorId}` };
    case 'program':
      return { id: row.programId ?? 0, label: row.programName, href: `/programs/${row.programId}` };
    case 'source':
      return {
        id: row.source ?? '',
        label: row.source,
        href: `/sales?source=${encodeURIComponent(row.source ?? '')}`,
      };
    default:
      return by satisfies never;
  }
}
