import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Figures } from '@whence/sdk';
import { lastThirtyDays } from '../last-days.ts';
import { useTargetCurrency, viewOf } from './currency-view.tsx';
import {
  ALL,
  type Counts,
  currenciesOf,
  figuresQuery,
  type Scope,
  USUAL_CURRENCY,
  type View,
} from './period-figures.ts';
import { periodBefore } from '#web/ui/formats/periods.ts';
import type { Period } from '#web/ui/formats/time.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { choiceField, dayField, optionalField, type StateOf } from '#web/ui/shell/list-state.ts';

/** The URL parameters of the period, the period to compare with, and the currency. */
export const PERIOD_FIELDS = {
  from: dayField(),
  until: dayField(),
  currency: optionalField(),
  compare: choiceField(['previous', 'year', 'none'], 'previous'),
};

/** The URL parameters of a chart. */
export const CHART_FIELDS = {
  measure: choiceField(['visits', 'sales', 'revenue', 'earned'], 'revenue'),
  interval: choiceField(['day', 'week', 'month'], 'day'),
};

/** The chosen period, comparison and currency. */
export type PeriodState = StateOf<typeof PERIOD_FIELDS>;
export type ChartState = StateOf<typeof CHART_FIELDS>;

/** The state without any choice: the last 30 days, compared with the 30 days before. */
export const USUAL_PERIOD: PeriodState = {
  from: undefined,
  until: undefined,
  currency: undefined,
  compare: 'previous',
};

/** Returns the chosen period, or the last 30 days without a valid choice. */
export function chosenPeriod({ from, until }: Pick<PeriodState, 'from' | 'until'>): Period {
  return from !== undefined && until !== undefined && from < until ? { from, until } : lastThirtyDays();
}

/** The totals of a period and of the period to compare with, and the currency in which they are shown. */
export type PeriodView = {
  readonly period: Period;
  /** The period to compare with, or undefined without a comparison. */
  readonly comparedPeriod: Period | undefined;
  readonly view: View;
  /** The same as `view`, but undefined while the totals load and the currency is unknown. */
  readonly known: View | undefined;
  readonly totals: UseQueryResult<Figures>;
  readonly now: Counts | undefined;
  readonly before: Counts | undefined;
  /** The currencies of the period, by descending revenue. */
  readonly currencies: readonly string[];
};

/** Loads the totals of the chosen period, and of the period to compare with. */
export function usePeriodView(state: PeriodState, scope: Scope = ALL): PeriodView {
  const api = useApi();
  const period = chosenPeriod(state);
  const comparedPeriod = state.compare === 'none' ? undefined : periodBefore(period, state.compare);
  const convertTo = useTargetCurrency(state.currency);
  const asked = { ...scope, converted: convertTo !== undefined };
  const totals = useQuery(figuresQuery(api, 'total', period, asked));
  const compared = useQuery({
    ...figuresQuery(api, 'total', comparedPeriod ?? period, asked),
    enabled: comparedPeriod !== undefined,
  });
  const now = totals.data?.rows[0];
  const known = viewOf(state.currency, convertTo, now);
  return {
    period,
    comparedPeriod,
    view: known ?? { currency: USUAL_CURRENCY, converted: false },
    known,
    totals,
    now,
    before: comparedPeriod && compared.data?.rows[0],
    currencies: currenciesOf(now),
  };
}
