import { useQuery } from '@tanstack/react-query';
import { earnedIn, type Figure, figuresQuery, PERIOD_FIELDS, periodOf } from '../period.ts';
import { home } from './home-texts.ts';
import { Count } from '#web/ui/controls/count.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { periodBefore, periodText } from '#web/ui/formats/periods.ts';
import { getPageZone, type Period } from '#web/ui/formats/time.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { choiceField, optionalField, useListState } from '#web/ui/shell/list-state.ts';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { texts as uiTexts } from '#web/ui/shell/texts.ts';
import { Stat } from '#web/ui/chart/stat.tsx';
import { DayChart } from './day-chart.tsx';
import styles from './home.module.css';

const texts = home.figures;

const SCHEMA = {
  ...PERIOD_FIELDS,
  currency: optionalField(),
  measure: choiceField(['earned', 'conversions', 'visits'], 'earned'),
};

/** The currency that a partner without earnings sees. */
const USUAL_CURRENCY = 'USD';

/** Compares a partner's results in a period with the preceding period. */
export function Figures() {
  const api = useApi();
  const [state, change] = useListState(SCHEMA);
  const period = periodOf(state);
  const now = useQuery(figuresQuery(api, 'total', period));
  const before = useQuery(figuresQuery(api, 'total', periodBefore(period)));
  const currencies = currenciesOf(now.data?.rows[0]);
  const currency = state.currency ?? currencies[0] ?? USUAL_CURRENCY;
  return (
    <section>
      <Stack gap={3}>
        <div className={styles.sectionHead}>
          <h2>{texts.title}</h2>
          <Row>
            {currencies.length > 1 && (
              <Segmented
                label={texts.currency}
                options={currencies.toSorted().map((code) => ({ value: code, label: code }))}
                value={currency}
                onChange={(code) => change({ currency: code })}
              />
            )}
            <PeriodPicker value={period} onChange={change} />
          </Row>
        </div>
        <Text tone="muted" size="small">
          {uiTexts.period.zone(getPageZone())}
        </Text>
        {now.error !== null ? (
          <ErrorPanel error={now.error} onRetry={() => void now.refetch()} />
        ) : (
          <>
            <Totals now={now.data?.rows[0]} before={before.data?.rows[0]} period={period} currency={currency} />
            {/* A chart of zeros has no information, so hide it. */}
            {[now, before].some(({ data }) => hasAny(data?.rows[0])) && (
              <DayChart
                period={period}
                currency={currency}
                measure={state.measure}
                onMeasure={(measure) => change({ measure })}
              />
            )}
          </>
        )}
      </Stack>
    </section>
  );
}

type TotalsProps = {
  /** The figures of the period, or undefined while they load. */
  readonly now: Figure | undefined;
  readonly before: Figure | undefined;
  readonly period: Period;
  readonly currency: string;
};

function Totals({ now, before, period, currency }: TotalsProps) {
  const against = texts.before(periodText(periodBefore(period)));
  return (
    <div className={styles.stats}>
      <Stat
        label={texts.earned}
        value={now && <Money minor={earnedIn(now, currency)} currency={currency} />}
        now={now && earnedIn(now, currency)}
        before={before && earnedIn(before, currency)}
        against={against}
        href="/conversions"
      />
      <Stat
        label={texts.conversions}
        value={now && <Count value={now.conversions} />}
        now={now?.conversions}
        before={before?.conversions}
        against={against}
        href="/conversions"
      />
      <Stat
        label={texts.visits}
        value={now && <Count value={now.visits} />}
        now={now?.visits}
        before={before?.visits}
        against={against}
        href="/links"
      />
    </div>
  );
}

/** Returns the currencies of the period, by descending earnings. */
function currenciesOf(figure: Figure | undefined): string[] {
  const earned = figure?.earned.toSorted((a, b) => b.amount - a.amount || (a.currency < b.currency ? -1 : 1));
  return earned?.map(({ currency }) => currency) ?? [];
}

/** Returns whether the period has any activity. Returns true while the figures load. */
function hasAny(figure: Figure | undefined): boolean {
  if (figure === undefined) return true;
  return figure.visits > 0 || figure.conversions > 0 || figure.earned.some(({ amount }) => amount !== 0);
}
