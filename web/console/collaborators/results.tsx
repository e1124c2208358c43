import { useQuery } from '@tanstack/react-query';
import { lastThirtyDays, thirtyDaysBefore } from '../last-days.ts';
import {
  amountsIn,
  conversionRate,
  type Counts,
  currenciesOf,
  figuresQuery,
  USUAL_CURRENCY,
} from '../reporting/period-figures.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import styles from './collaborators.module.css';
import { Stat } from '#web/ui/chart/stat.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Percent } from '#web/ui/controls/percent.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import type { Period } from '#web/ui/formats/time.ts';
import { periodText } from '#web/ui/formats/periods.ts';
import { useApi } from '#web/ui/shell/api.tsx';

const words = texts.results;

/** Shows a partner's figures of the last 30 days, compared with the 30 days before. */
export function Results({ collaboratorId }: { readonly collaboratorId: number }) {
  const now = useFigures(collaboratorId, lastThirtyDays());
  const before = useFigures(collaboratorId, thirtyDaysBefore());
  const currency = currenciesOf(now)[0] ?? currenciesOf(before)[0] ?? USUAL_CURRENCY;
  const against = words.against(periodText(thirtyDaysBefore()));
  const amounts = now && amountsIn(now, currency);
  const amountsBefore = before && amountsIn(before, currency);
  return (
    <Stack gap={2}>
      <Text as="p" size="small" tone="muted">
        {words.title}
      </Text>
      <div className={styles.results} role="group" aria-label={words.title}>
        <Stat
          label={texts.performance.visits}
          value={now && <Count value={now.visits ?? 0} />}
          now={now?.visits ?? 0}
          before={before?.visits ?? undefined}
          against={against}
        />
        <Stat
          label={texts.performance.sales}
          value={now && <Count value={now.sales} />}
          now={now?.sales}
          before={before?.sales}
          against={against}
          href={`/sales?collaboratorId=${collaboratorId}`}
        />
        <Stat label={texts.performance.rate} value={now && <Percent ratio={conversionRate(now)} />} />
        <Stat
          label={texts.performance.revenue}
          value={amounts && <Money minor={amounts.revenue} currency={currency} />}
          now={amounts?.revenue}
          before={amountsBefore?.revenue}
          against={against}
        />
        <Stat
          label={texts.performance.earned}
          value={amounts && <Money minor={amounts.earned} currency={currency} />}
          now={amounts?.earned}
          before={amountsBefore?.earned}
          against={against}
          good="none"
        />
      </div>
    </Stack>
  );
}

/** Returns the totals of a partner in a period, or undefined while they load. */
export function useFigures(collaboratorId: number, period: Period): Counts | undefined {
  const api = useApi();
  const { data } = useQuery(figuresQuery(api, 'total', period, { collaboratorId }));
  return data?.rows[0];
}
