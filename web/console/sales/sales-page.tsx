import { Plus, ShoppingBag } from 'lucide-react';
import { useMemo } from 'react';
import { useCollaboratorChoices, useProgramChoices, partnerFilter, programFilter } from '../choices.ts';
import { useCurrencyFilter } from '../currency-filter.ts';
import { usePermission, useSession } from '../session.ts';
import { RecordSaleDialog } from './record-sale.tsx';
import { Commission, CommissionStatus, Earners, Programs } from './sale-earnings.tsx';
import { saleLine } from './sale-line-texts.ts';
import { sales as texts } from './sales-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { type Column, DataTable, timeColumn } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filters.ts';
import { loadSales, type SaleRow } from './sale-rows.ts';
import { loadSaleTotals } from './sale-totals.ts';
import { NO_CURRENCY } from '#web/ui/formats/money.ts';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import {
  choiceFilter,
  besideField,
  choiceField,
  useListState,
  PLACE_FIELDS,
  optionalFields,
} from '#web/ui/shell/list-state.ts';

const SCHEMA = {
  ...optionalFields('search', 'externalId', 'couponCode'),
  type: choiceField(['sale', 'lead', 'renewal']),
  status: choiceField(['complete', 'refunded', 'cancelled']),
  ...optionalFields('source', 'collaboratorId', 'programId', 'currency', 'occurredFrom', 'occurredUntil'),
  ...PLACE_FIELDS,
  new: besideField(choiceField(['sale'])),
};

const COLUMNS: readonly Column<SaleRow>[] = [
  { id: 'order', header: texts.columns.order, cell: ({ externalId }) => externalId },
  { id: 'partner', header: texts.columns.partner, cell: ({ conversions }) => <Earners conversions={conversions} /> },
  {
    id: 'total',
    header: texts.columns.total,
    align: 'end',
    cell: ({ total, currency }) => (currency === NO_CURRENCY ? NOTHING : <Money minor={total} currency={currency} />),
  },
  {
    id: 'commission',
    header: texts.columns.commission,
    align: 'end',
    cell: ({ conversions }) => <Commission conversions={conversions} />,
  },
  {
    id: 'commissionStatus',
    header: texts.columns.commissionStatus,
    cell: ({ conversions }) => <CommissionStatus conversions={conversions} />,
    priority: 2,
  },
  {
    id: 'program',
    header: texts.columns.program,
    cell: ({ conversions }) => <Programs conversions={conversions} />,
    priority: 3,
  },
  {
    id: 'status',
    header: texts.columns.status,
    cell: ({ status }) => <StatusBadge status={status} label={texts.statuses[status]} />,
  },
  {
    id: 'refunded',
    header: texts.columns.refunded,
    align: 'end',
    priority: 3,
    cell: ({ refundedAmount, currency }) =>
      refundedAmount === 0 ? NOTHING : <Money minor={refundedAmount} currency={currency} />,
  },
  { id: 'type', header: texts.columns.type, cell: ({ type }) => texts.types[type], priority: 3 },
  { id: 'source', header: texts.columns.source, cell: ({ source }) => source, priority: 3 },
  timeColumn({ id: 'occurred', header: texts.columns.occurred, at: 'occurredAt', sort: 'occurredAt' }),
];

function useFilters(): readonly Filter[] {
  const programs = useProgramChoices();
  const collaborators = useCollaboratorChoices();
  const currency = useCurrencyFilter(texts.filters.currency);
  return useMemo(
    () => [
      partnerFilter(texts.filters.partner, collaborators),
      programFilter(texts.filters.program, programs),
      { id: 'order', label: texts.filters.order, kind: 'text', name: 'externalId' },
      { id: 'coupon', label: texts.filters.coupon, kind: 'text', name: 'couponCode', description: texts.couponHelp },
      choiceFilter('status', texts.filters.status, texts.statuses),
      choiceFilter('type', texts.filters.type, texts.types),
      { id: 'source', label: texts.filters.source, kind: 'text', name: 'source', description: texts.sourceHelp },
      currency,
      { id: 'occurred', label: texts.filters.occurred, kind: 'period', from: 'occurredFrom', until: 'occurredUntil' },
    ],
    [programs, collaborators, currency],
  );
}

export function SalesPage() {
  const api = useApi();
  const { publicUrl } = useSession();
  const [{ new: opened, ...state }, change] = useListState(SCHEMA);
  const filters = useFilters();
  const may = usePermission('events:write');
  const open = (): void => change({ new: 'sale' });
  useHotkeys([{ keys: 'n', label: texts.newSale, run: open }], { group: texts.title, enabled: may });
  const button = may && (
    <Button icon={Plus} hotkey="N" onClick={open}>
      {texts.newSale}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={button}>
      <DataTable<SaleRow>
        label={texts.title}
        queryKey={['transactions', 'list']}
        load={(query, signal) => loadSales(api, query, signal)}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ externalId }) => texts.row(externalId)}
        rowHref={({ id }) => `/sales/${id}`}
        state={state}
        onChange={change}
        defaultSort="-id"
        filters={filters}
        search={{ name: 'search', label: texts.filters.search }}
        totals={(query, signal) => loadSaleTotals(api, query, signal)}
        csv={csvOf('/v1/transactions')}
        csvName="sales"
        empty={
          <EmptyState icon={ShoppingBag} title={texts.empty} copy={saleLine(publicUrl)}>
            {texts.emptyHelp}
          </EmptyState>
        }
      />
      {may && (
        <RecordSaleDialog open={opened === 'sale'} onClose={() => change({ new: undefined }, { replace: true })} />
      )}
    </Page>
  );
}
