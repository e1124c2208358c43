import { useQuery } from '@tanstack/react-query';
import type { CollaboratorFigures } from '@whence/sdk';
import { ChartLine } from 'lucide-react';
import { rewardText } from '../programs/rewards-texts.ts';
import { CurrencyChoice, useTargetCurrency, viewOf, ViewNote } from '../reporting/currency-view.tsx';
import { collaboratorHref } from '../reporting/figure-links.ts';
import { currenciesOf, figuresQuery, type View } from '../reporting/period-figures.ts';
import { chosenPeriod, PERIOD_FIELDS, type PeriodState } from '../reporting/period-view.ts';
import { Badges } from './badges.tsx';
import { collaborators as texts } from './collaborators-texts.ts';
import { NameWithAvatar } from '#web/ui/controls/avatar.tsx';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Percent } from '#web/ui/controls/percent.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Day } from '#web/ui/controls/time.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { formatCount, NOTHING } from '#web/ui/formats/numbers.ts';
import type { Period } from '#web/ui/formats/time.ts';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import type { Filter } from '#web/ui/table/filters.ts';
import { type ChangeList, computedPage, type ListQuery, type ListState } from '#web/ui/table/list-query.ts';

const words = texts.performance;

/** The fields that the tab keeps in the URL, in addition to the fields of its list. */
export const PERFORMANCE_FIELDS = {
  from: PERIOD_FIELDS.from,
  until: PERIOD_FIELDS.until,
  currency: PERIOD_FIELDS.currency,
};

type PerformanceTabProps = {
  readonly figured: Pick<PeriodState, keyof typeof PERFORMANCE_FIELDS>;
  readonly state: ListState;
  readonly filters: readonly Filter[];
  readonly onChange: ChangeList;
};

const USUAL_SORT = '-revenue';

/** Lists partners with their results in a period, by default the highest revenue first. */
export function PerformanceTab({ figured, state, filters, onChange }: PerformanceTabProps) {
  const { currency: chosen } = figured;
  const api = useApi();
  const period = chosenPeriod(figured);
  const convertTo = useTargetCurrency(chosen);
  const { data, error, refetch } = useQuery(figuresQuery(api, 'total', period, { converted: convertTo !== undefined }));
  const total = data?.rows[0];
  const view = viewOf(chosen, convertTo, total);
  return (
    <Stack gap={3}>
      <Row justify="end">
        <CurrencyChoice
          currencies={currenciesOf(total)}
          view={view}
          onChange={(currency) => onChange({ currency }, { replace: true })}
        />
        <PeriodPicker value={period} onChange={onChange} />
      </Row>
      <ViewNote view={view} row={total} others={words.allCurrencies} />
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : view === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <Results {...{ period, view, state, filters, onChange }} />
      )}
    </Stack>
  );
}

type ResultsProps = Omit<PerformanceTabProps, 'figured'> & { readonly period: Period; readonly view: View };

function Results({ period, view, state, filters, onChange }: ResultsProps) {
  const api = useApi();
  const { currency, converted } = view;
  const figured = { ...period, ...(converted ? { converted: 'true' } : { currency }) };
  const queryOf = (query: ListQuery) => ({ sort: USUAL_SORT, ...query, ...figured });
  return (
    <DataTable<CollaboratorFigures>
      label={words.label}
      queryKey={['figures', 'by-collaborator', figured]}
      load={async (query, signal) =>
        computedPage(await api.figures.listByCollaborator(queryOf(query) as typeof period, { signal }).page())
      }
      columns={columnsIn(view)}
      rowId={({ collaboratorId }) => collaboratorId}
      rowLabel={({ collaboratorName }) => texts.list.row(collaboratorName)}
      rowHref={({ collaboratorId }) => collaboratorHref(collaboratorId, { period, ...(converted ? {} : { currency }) })}
      state={state}
      onChange={onChange}
      defaultSort={USUAL_SORT}
      filters={filters}
      search={{ name: 'search', label: texts.search }}
      csv={(query) => csvOf('/v1/figures/collaborators')(queryOf(query))}
      csvName="partner-performance"
      empty={
        <EmptyState icon={ChartLine} title={words.emptyTitle}>
          {words.empty}
        </EmptyState>
      }
    />
  );
}

function columnsIn({ currency, converted }: View): readonly Column<CollaboratorFigures>[] {
  const amount = (id: 'revenue' | 'earned'): Column<CollaboratorFigures> => ({
    id,
    header: words[id],
    align: 'end',
    sort: id,
    cell: (row) => <Money minor={row[id]} currency={currency} approximate={converted} paleZero />,
  });
  const count = (id: 'visits' | 'leads' | 'sales', priority: 1 | 3): Column<CollaboratorFigures> => ({
    id,
    header: words[id],
    align: 'end',
    sort: id,
    priority,
    cell: (row) => formatCount(row[id]),
  });
  return [
    { id: 'name', header: texts.list.name, sort: 'collaboratorName', cell: nameCell },
    count('visits', 1),
    count('leads', 3),
    count('sales', 1),
    {
      id: 'rate',
      header: words.rate,
      align: 'end',
      sort: 'conversionRate',
      priority: 2,
      cell: ({ conversionRate }) => (conversionRate === null ? NOTHING : <Percent ratio={conversionRate} />),
    },
    amount('revenue'),
    amount('earned'),
    {
      id: 'lastSale',
      header: words.lastSale,
      align: 'end',
      sort: 'lastSaleOn',
      priority: 2,
      cell: ({ lastSaleOn }) => (lastSaleOn === null ? NOTHING : <Day day={lastSaleOn} />),
    },
    {
      id: 'customRate',
      header: texts.programs.customRate,
      sort: 'highestCustomRate',
      priority: 3,
      cell: ({ customRates }) =>
        customRates.length === 0 ? (
          NOTHING
        ) : (
          <Badges
            texts={[
              ...new Set(customRates.toSorted(byRate).map(({ reward, currency: code }) => rewardText(reward, code))),
            ]}
          />
        ),
    },
    {
      id: 'tags',
      header: texts.list.tags,
      sort: 'firstTag',
      priority: 3,
      cell: ({ tags }) => (tags.length === 0 ? NOTHING : <Badges texts={tags.toSorted()} />),
    },
  ];
}

type CustomRate = CollaboratorFigures['customRates'][number];

/** Compares custom rates as the list's sort does, the highest first: percentages, then amounts. */
function byRate({ reward: one }: CustomRate, { reward: other }: CustomRate): number {
  if (one.type === 'percent') return other.type === 'percent' ? other.percent - one.percent : -1;
  return other.type === 'percent' ? 1 : other.amount - one.amount;
}

/** Shows the partner's name, and their status if they are not active. */
function nameCell({ collaboratorName, status }: CollaboratorFigures) {
  return (
    <NameWithAvatar name={collaboratorName}>
      {collaboratorName} {status !== 'active' && <StatusBadge status={status} />}
    </NameWithAvatar>
  );
}
