import { ChartLine, Sparkles } from 'lucide-react';
import { useSession } from '../session.ts';
import { overview as texts } from './overview-texts.ts';
import { visitLine } from '../sales/sale-line-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { getPageZone } from '#web/ui/formats/time.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { choiceField, useListState } from '#web/ui/shell/list-state.ts';
import { Grid, Row, Stack } from '#web/ui/controls/stack.tsx';
import { Attention } from './attention.tsx';
import { BarsBy } from './bars-by.tsx';
import { ViewNote } from './currency-view.tsx';
import { FigureStats } from './figure-stats.tsx';
import { PeriodChart } from './period-chart.tsx';
import { KINDS, ORDERS } from './period-figures.ts';
import { PeriodControls } from './period-controls.tsx';
import { CHART_FIELDS, PERIOD_FIELDS, usePeriodView } from './period-view.ts';

const SCHEMA = {
  ...PERIOD_FIELDS,
  ...CHART_FIELDS,
  highest: choiceField(ORDERS, 'revenue'),
};

const HIGHEST = ORDERS.map((value) => ({ value, label: texts.orders[value] }));

/**
 * Compares a period with an earlier period, and shows how many resources need attention. Before the first report, shows
 * a link to the guided start instead.
 */
export function OverviewPage() {
  const reported = useAnythingReported();
  return reported === false ? <FirstSteps /> : <Figures />;
}

function Figures() {
  const [{ measure, highest, interval, ...state }, change] = useListState(SCHEMA);
  const shown = usePeriodView(state);
  const { period, comparedPeriod, view, known, now, totals } = shown;
  return (
    <Page
      title={texts.title}
      description={texts.description(getPageZone())}
      actions={<PeriodControls shown={shown} compare={state.compare} onChange={change} />}
    >
      {totals.error !== null ? (
        <ErrorPanel error={totals.error} onRetry={() => void totals.refetch()} />
      ) : (
        <Stack gap={4}>
          <FigureStats shown={shown} />
          <ViewNote view={known} row={now} />
          <Attention />
          <PeriodChart
            period={period}
            before={comparedPeriod}
            view={view}
            measure={measure}
            interval={interval}
            onChange={change}
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
  const { data } = useRead(
    ['events', 'any'],
    async (api, options) => (await api.events.list({ perPage: 1 }, options).page()).data.length > 0,
    {
      staleTime: ({ state }) => (state.data === true ? Infinity : 0),
      refetchInterval: ({ state }) => (state.data === false ? LOOK_EVERY_MS : false),
    },
  );
  return data;
}
