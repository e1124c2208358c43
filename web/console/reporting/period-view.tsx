import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Figures } from '@whence/sdk';
import { GitCompareArrows } from 'lucide-react';
import { lastThirtyDays } from '../last-days.ts';
import { CurrencyChoice, useConversion, viewOf } from './currency-view.tsx';
import { overview as texts } from './overview-texts.ts';
import {
  ALL,
  type Counts,
  currenciesOf,
  figuresQuery,
  type Scope,
  USUAL_CURRENCY,
  type View,
} from './period-figures.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { periodBefore } from '#web/ui/formats/periods.ts';
import type { Period } from '#web/ui/formats/time.ts';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';
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
  const convertTo = useConversion(state.currency);
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

type PeriodControlsProps = {
  readonly shown: PeriodView;
  readonly compare: PeriodState['compare'];
  readonly onChange: (patch: Partial<PeriodState>, options?: { readonly replace?: boolean }) => void;
};

const COMPARISONS = (['previous', 'year', 'none'] as const).map((value) => ({
  value,
  label: texts.comparisons[value],
}));

/** Shows the choice of the currency, the period and the period to compare with. */
export function PeriodControls({ shown: { period, known, currencies }, compare, onChange }: PeriodControlsProps) {
  return (
    <Row>
      <CurrencyChoice
        currencies={currencies}
        view={known}
        onChange={(currency) => onChange({ currency }, { replace: true })}
      />
      <PeriodPicker value={period} onChange={onChange} />
      <Menu
        trigger={<Button icon={GitCompareArrows}>{texts.comparisons[compare]}</Button>}
        items={[
          { heading: texts.compareWith },
          ...COMPARISONS.map(({ value, label }) => ({
            label,
            checked: value === compare,
            onSelect: () => onChange({ compare: value }, { replace: true }),
          })),
        ]}
      />
    </Row>
  );
}
