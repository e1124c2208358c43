import { useQuery } from '@tanstack/react-query';
import type { FigureRow } from '@whence/sdk';
import { ChartLine } from 'lucide-react';
import { lastThirtyDays } from '../last-days.ts';
import {
  amountsIn,
  conversionRate,
  currenciesOf,
  figuresQuery,
  ORDERS,
  USUAL_CURRENCY,
} from '../reporting/period-figures.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { NameWithAvatar } from '#web/ui/controls/avatar.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Percent } from '#web/ui/controls/percent.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { formatCount } from '#web/ui/formats/numbers.ts';
import type { Period } from '#web/ui/formats/time.ts';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { choiceField, dayField, optionalField } from '#web/ui/shell/list-state.ts';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';

const words = texts.performance;

/** The fields that the tab keeps in the URL. */
export const PERFORMANCE_FIELDS = {
  from: dayField(),
  until: dayField(),
  currency: optionalField(),
  highest: choiceField(ORDERS, 'revenue'),
};

type Shown = {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly currency?: string | undefined;
  readonly highest: (typeof ORDERS)[number];
};

type PerformanceTabProps = {
  readonly state: Shown;
  onChange(this: void, patch: Partial<Shown>): void;
};

/** The number of ranked partners. The API adds up all other partners in one row, which is not shown. */
const MOST = 100;

/** Ranks partners by their results in a period. */
export function PerformanceTab({ state, onChange }: PerformanceTabProps) {
  const { from, until, currency: chosenCurrency, highest } = state;
  const api = useApi();
  const period: Period = from !== undefined && until !== undefined && from < until ? { from, until } : lastThirtyDays();
  const { data } = useQuery(figuresQuery(api, 'total', period));
  const currencies = currenciesOf(data?.rows[0]);
  const currency = chosenCurrency ?? currencies[0] ?? USUAL_CURRENCY;
  return (
    <Stack gap={3}>
      <Row justify="end">
        {currencies.length > 1 && (
          <Segmented
            label={words.currency}
            options={currencies.toSorted().map((code) => ({ value: code, label: code }))}
            value={currency}
            onChange={(code) => onChange({ currency: code })}
          />
        )}
        <PeriodPicker value={period} onChange={onChange} />
      </Row>
      <DataTable<FigureRow>
        label={words.label}
        queryKey={['figures', 'ranked', period.from, period.until, currency]}
        load={async (_, signal) => {
          const asking = { by: 'collaborator', ...period, highest, currency, limit: MOST } as const;
          const { rows } = await api.figures.get(asking, { signal });
          return { rows, estimatedCount: rows.length };
        }}
        columns={columnsIn(currency)}
        rowId={({ collaboratorId = 0 }) => collaboratorId}
        rowLabel={({ collaboratorName = '' }) => texts.list.row(collaboratorName)}
        rowHref={({ collaboratorId = 0 }) => `/collaborators/${collaboratorId}`}
        state={{ sort: `-${highest}` }}
        // The highest values are always first, so a press on the sorted column changes nothing.
        onChange={({ sort }) =>
          onChange({ highest: ORDERS.find((order) => sort?.replace('-', '') === order) ?? highest })
        }
        empty={
          <EmptyState icon={ChartLine} title={words.emptyTitle}>
            {words.empty}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function columnsIn(currency: string): readonly Column<FigureRow>[] {
  return [
    {
      id: 'name',
      header: texts.list.name,
      cell: ({ collaboratorName = '' }) => <NameWithAvatar name={collaboratorName} />,
    },
    {
      id: 'visits',
      header: words.visits,
      align: 'end',
      sort: 'visits',
      cell: ({ visits }) => formatCount(visits ?? 0),
    },
    {
      id: 'leads',
      header: words.leads,
      align: 'end',
      sort: 'leads',
      priority: 3,
      cell: ({ leads }) => formatCount(leads),
    },
    { id: 'sales', header: words.sales, align: 'end', sort: 'sales', cell: ({ sales }) => formatCount(sales) },
    {
      id: 'rate',
      header: words.rate,
      align: 'end',
      sort: 'conversion-rate',
      priority: 2,
      cell: (row) => <Percent ratio={conversionRate(row)} />,
    },
    {
      id: 'revenue',
      header: words.revenue,
      align: 'end',
      sort: 'revenue',
      cell: (row) => <Money minor={amountsIn(row, currency).revenue} currency={currency} />,
    },
    {
      id: 'earned',
      header: words.earned,
      align: 'end',
      sort: 'earned',
      cell: (row) => <Money minor={amountsIn(row, currency).earned} currency={currency} />,
    },
  ];
}
