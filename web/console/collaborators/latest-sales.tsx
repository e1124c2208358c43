import { ShoppingBag } from 'lucide-react';
import { loadSales, type SaleRow } from '../sales/sale-rows.ts';
import { Commission } from '../sales/sale-earnings.tsx';
import { sales } from '../sales/sales-texts.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { NO_CURRENCY } from '#web/ui/formats/money.ts';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';

const words = texts.latestSales;

const SHOWN = '5';

const COLUMNS: readonly Column<SaleRow>[] = [
  { id: 'order', header: sales.columns.order, cell: ({ externalId }) => externalId },
  { id: 'occurred', header: sales.columns.occurred, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  {
    id: 'total',
    header: sales.columns.total,
    align: 'end',
    cell: ({ total, currency }) => (currency === NO_CURRENCY ? NOTHING : <Money minor={total} currency={currency} />),
  },
  {
    id: 'commission',
    header: sales.columns.commission,
    align: 'end',
    cell: ({ conversions }) => <Commission conversions={conversions} />,
  },
  {
    id: 'status',
    header: sales.columns.status,
    cell: ({ status }) => <StatusBadge status={status} label={sales.statuses[status]} />,
  },
];

/** Shows a partner's newest sales, with the partner's own commissions. */
export function LatestSales({ collaboratorId }: { readonly collaboratorId: number }) {
  const api = useApi();
  const load = async (signal: AbortSignal) => {
    const query = { collaboratorId: String(collaboratorId), perPage: SHOWN };
    const { rows } = await loadSales(api, query, signal);
    const own = rows.map((sale) => ({
      ...sale,
      conversions: sale.conversions.filter((each) => each.collaboratorId === collaboratorId),
    }));
    return { rows: own, estimatedCount: own.length };
  };
  return (
    <Card
      title={words.title}
      padded={false}
      actions={<Link href={`/sales?collaboratorId=${collaboratorId}`}>{words.all}</Link>}
    >
      <DataTable<SaleRow>
        label={words.title}
        queryKey={['transactions', 'latest', collaboratorId]}
        load={(_, signal) => load(signal)}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ externalId }) => sales.row(externalId)}
        rowHref={({ id }) => `/sales/${id}`}
        state={{}}
        onChange={() => {}}
        framed={false}
        hotkeys={false}
        empty={<EmptyState icon={ShoppingBag} title={words.none} />}
      />
    </Card>
  );
}
