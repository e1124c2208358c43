import { useQuery } from '@tanstack/react-query';
import { ChartLine, GitCompareArrows, Sparkles } from 'lucide-react';
import { lastThirtyDays } from '../last-days.ts';
import { useSession } from '../session.ts';
import { overview as texts } from './overview-texts.ts';
import { visitLine } from '../sales/sale-line-texts.ts';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { periodBefore } from '#web/ui/formats/periods.ts';
import { getPageZone, type Period } from '#web/ui/formats/time.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { choiceField, dayField, optionalField, useListState } from '#web/ui/shell/list-state.ts';
import { Grid, Row, Stack } from '#web/ui/controls/stack.tsx';
import { Attention } from './attention.tsx';
import { BarsBy } from './bars-by.tsx';
import { CurrencyChoice, useConversion, viewOf, ViewNote } from './currency-view.tsx';
import { FigureStats } from './figure-stats.tsx';
import { PeriodChart } from './period-chart.tsx';
import { currenciesOf, figuresQuery, KINDS, ORDERS, USUAL_CURRENCY } from './period-figures.ts';

const SCHEMA = {
  from: dayField(),
  until: dayField(),
  currency: optionalField(),
  measure: choiceField(['visits', 'sales', 'revenue', 'earned'], 'revenue'),
  highest: choiceField(ORDERS, 'revenue'),
  compare: choiceField(['previous', 'year', 'none'], 'previous'),
  interval: choiceField(['day', 'week', 'month'], 'day'),
};

const COMPARISONS = (['previous', 'year', 'none'] as const).map((value) => ({
  value,
  label: texts.comparisons[value],
}));
const HIGHEST = ORDERS.map((value) => ({ value, label: texts.orders[value] }));

/** Compares a period with an earlier period, and shows the resources that wait for a decision. */
export function OverviewPage() {
  const reported = useAnythingReported();
  return reported === false ? <FirstSteps /> : <Figures />;
}

function Figures() {
  const api = useApi();
  const [{ from, until, currency: chosenCurrency, measure, highest, compare, interval }, change] = useListState(SCHEMA);
  const period: Period = from !== undefined && until !== undefined && from < until ? { from, until } : lastThirtyDays();
  const convertTo = useConversion(chosenCurrency);
  const scope = { converted: convertTo !== undefined };
  const now = useQuery(figuresQuery(api, 'total', period, scope));
  const comparedPeriod = compare === 'none' ? undefined : periodBefore(period, compare);
  const before = useQuery({
    ...figuresQuery(api, 'total', comparedPeriod ?? period, scope),
    enabled: comparedPeriod !== undefined,
  });
  const currencies = currenciesOf(now.data?.rows[0]);
  const known = viewOf(chosenCurrency, convertTo, now.data?.rows[0]);
  const view = known ?? { currency: USUAL_CURRENCY, converted: false };
  const actions = (
    <Row>
      <CurrencyChoice
        currencies={currencies}
        view={known}
        onChange={(currency) => change({ currency }, { replace: true })}
      />
      <PeriodPicker value={period} onChange={change} />
      <Menu
        trigger={<Button icon={GitCompareArrows}>{texts.comparisons[compare]}</Button>}
        items={[
          { heading: texts.compareWith },
          ...COMPARISONS.map(({ value, label }) => ({
            label,
            checked: value === compare,
            onSelect: () => change({ compare: value }, { replace: true }),
          })),
        ]}
      />
    </Row>
  );
  return (
    <Page title={texts.title} description={texts.description(getPageZone())} actions={actions}>
      {now.error !== null ? (
        <ErrorPanel error={now.error} onRetry={() => void now.refetch()} />
      ) : (
        <Stack gap={4}>
          <FigureStats
            now={now.data?.rows[0]}
            before={comparedPeriod && before.data?.rows[0]}
            comparedPeriod={comparedPeriod}
            period={period}
            view={view}
            isMixed={currencies.length > 1}
          />
          <ViewNote view={known} row={now.data?.rows[0]} />
          <Attention />
          <PeriodChart
            period={period}
            before={comparedPeriod}
            view={view}
            measure={measure}
            interval={interval}
            onChange={(chosen) => change(chosen, { replace: true })}
          />
          <Stack gap={2}>
            <Row justify="end">
              <Segmented
                label={texts.highest}
                options={HIGHEST}
                value={highest}
                onChange={(order) => change({ highest: order }, { replace: true })}
              />
            </Row>
            <Grid min={300} gap={4}>
              {KINDS.map((by) => (
                <BarsBy key={by} by={by} period={period} highest={highest} view={known} />
              ))}
            </Grid>
          </Stack>
        </Stack>
      )}
    </Page>
  );
}

/** Shows a link to the guided start instead of figures, because all figures of a new organization would be zero. */
function FirstSteps() {
  const { publicUrl } = useSession();
  const start = (
    <LinkButton href="/start" variant="primary" icon={Sparkles}>
      {texts.start}
    </LinkButton>
  );
  return (
    <Page title={texts.title} description={texts.description(getPageZone())}>
      <Stack gap={4}>
        <EmptyState icon={ChartLine} title={texts.emptyTitle} actions={start} copy={visitLine(publicUrl)}>
          {texts.empty}
        </EmptyState>
        <Attention />
      </Stack>
    </Page>
  );
}

/** The polling interval before the first report, in milliseconds. */
const LOOK_EVERY_MS = 5_000;

/**
 * Returns whether any event was reported, or undefined until that is known. The query is repeated until the result is
 * true.
 */
function useAnythingReported(): boolean | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['events', 'any'],
    queryFn: async ({ signal }) => (await api.events.list({ perPage: 1 }, { signal }).page()).data.length > 0,
    staleTime: ({ state }) => (state.data === true ? Infinity : 0),
    refetchInterval: ({ state }) => (state.data === false ? LOOK_EVERY_MS : false),
  });
  return data;
}
