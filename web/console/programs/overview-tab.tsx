import { useQuery } from '@tanstack/react-query';
import type { FigureRow, Program } from '@whence/sdk';
import { useMemo } from 'react';
import { lastThirtyDays, thirtyDaysBefore } from '../last-days.ts';
import { programs as texts } from './programs-texts.ts';
import { BarList } from '#web/ui/chart/bar-list.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { formatMoney } from '#web/ui/formats/money.ts';
import { LineChart, pointsOfDays } from '#web/ui/chart/line-chart.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money, MoneyList } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Grid, Stack } from '#web/ui/controls/stack.tsx';
import { Stat } from '#web/ui/chart/stat.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Words } from './editor/words.tsx';
import { useWords } from './program-words.ts';

const words = texts.overview;

export function OverviewTab({ program }: { readonly program: Program }) {
  return (
    <Stack gap={4}>
      <Figures program={program} />
      <Grid min={340} gap={4}>
        <Rule program={program} />
        <Earners program={program} />
      </Grid>
    </Stack>
  );
}

function Rule({ program }: { readonly program: Program }) {
  const api = useApi();
  const { groupId } = program;
  const { data, error, refetch } = useWords(program);
  const group = useQuery({
    queryKey: ['programGroups', groupId],
    queryFn: ({ signal }) => api.programGroups.get(groupId ?? 0, { signal }),
    enabled: groupId !== null,
  });
  return (
    <Card title={words.words}>
      <Stack gap={3}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined ? error === null && <Skeleton lines={7} /> : <Words words={data} />}
        {group.data !== undefined && (
          <Text as="p" tone="muted">
            {words.group} <Link href="/groups">{group.data.name}</Link>
          </Text>
        )}
      </Stack>
    </Card>
  );
}

function Figures({ program: { id, currency } }: { readonly program: Program }) {
  const now = useTotal(id, 'now');
  const before = useTotal(id, 'before');
  const amounts = (row: FigureRow | undefined, of: 'revenue' | 'earned') =>
    row && (
      <MoneyList
        below
        amounts={
          row.amounts.length === 0
            ? [{ minor: 0, currency }]
            : row.amounts.map((each) => ({ minor: each[of], currency: each.currency }))
        }
      />
    );
  const amountOf = (row: FigureRow | undefined, of: 'revenue' | 'earned') =>
    row && (row.amounts.find((each) => each.currency === currency)?.[of] ?? 0);
  return (
    <section aria-label={words.figures}>
      <Stack gap={4}>
        <Grid min={170} gap={3}>
          <Stat
            label={words.visits}
            value={now && <Count value={now.visits ?? 0} />}
            now={now?.visits ?? undefined}
            before={before?.visits ?? undefined}
            against={words.against}
          />
          <Stat
            label={words.conversions}
            value={now && <Count value={now.conversions} />}
            now={now?.conversions}
            before={before?.conversions}
            against={words.against}
            href={`/conversions?tab=all&programId=${id}`}
          />
          <Stat
            label={words.revenue}
            value={amounts(now, 'revenue')}
            now={amountOf(now, 'revenue')}
            before={amountOf(before, 'revenue')}
            against={words.against}
          />
          <Stat
            label={words.earned}
            value={amounts(now, 'earned')}
            now={amountOf(now, 'earned')}
            before={amountOf(before, 'earned')}
            good="none"
            against={words.against}
          />
        </Grid>
        <Chart id={id} currency={currency} />
      </Stack>
    </section>
  );
}

function useTotal(programId: number, which: 'now' | 'before'): FigureRow | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['figures', 'of-program', programId, which],
    queryFn: ({ signal }) => {
      const period = which === 'now' ? lastThirtyDays() : thirtyDaysBefore();
      return api.figures.get({ ...period, by: 'total', programId }, { signal });
    },
  });
  return data?.rows[0];
}

function Chart({ id, currency }: { readonly id: number; readonly currency: string }) {
  const api = useApi();
  const now = useQuery({
    queryKey: ['figures', 'of-program', id, 'days'],
    queryFn: ({ signal }) => api.figures.get({ ...lastThirtyDays(), by: 'day', programId: id }, { signal }),
  });
  const before = useQuery({
    queryKey: ['figures', 'of-program', id, 'days-before'],
    queryFn: ({ signal }) => api.figures.get({ ...thirtyDaysBefore(), by: 'day', programId: id }, { signal }),
  });
  const points = useMemo(
    () => (before.data && now.data ? pointsOfDays(now.data.rows.map(({ day }) => day ?? '')) : undefined),
    [now.data, before.data],
  );
  const series = useMemo(
    () => [
      { label: words.thisPeriod, values: revenues(now.data?.rows, currency) },
      { label: words.before, values: revenues(before.data?.rows, currency), before: true as const },
    ],
    [now.data, before.data, currency],
  );
  return (
    <Card title={words.chart(currency)}>
      <LineChart
        label={words.chart(currency)}
        points={points}
        series={series}
        height={180}
        format={(value) => formatMoney(Math.round(value), currency)}
        formatAxis={(value) => formatMoney(Math.round(value), currency, { whole: true })}
      />
    </Card>
  );
}

function revenues(rows: readonly FigureRow[] = [], currency: string): number[] {
  return rows.map(({ amounts }) => amounts.find((each) => each.currency === currency)?.revenue ?? 0);
}

const SHOWN = 8;

function Earners({ program: { id, currency } }: { readonly program: Program }) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['figures', 'of-program', id, 'earners'],
    queryFn: ({ signal }) =>
      api.figures.get({ ...lastThirtyDays(), by: 'collaborator', programId: id, limit: SHOWN }, { signal }),
  });
  const earned = (row: FigureRow) => row.amounts.find((each) => each.currency === currency) ?? row.amounts[0];
  const bars = data?.rows
    .filter((row) => (earned(row)?.earned ?? 0) > 0)
    .map((row) => ({
      id: row.collaboratorId ?? 0,
      label: row.collaboratorName ?? '',
      value: earned(row)?.earned ?? 0,
      shown: <Money minor={earned(row)?.earned ?? 0} currency={earned(row)?.currency ?? currency} />,
      href: `/collaborators/${row.collaboratorId}`,
    }))
    .sort((a, b) => b.value - a.value);
  return (
    <Card title={words.top} description={words.topHelp}>
      {bars?.length === 0 ? <Text tone="muted">{words.nobody}</Text> : <BarList label={words.top} bars={bars} />}
    </Card>
  );
}
