import type { Conversion } from '@whence/sdk';
import { ShoppingBag } from 'lucide-react';
import { loadSales, type SaleRow } from '../sales/sale-rows.ts';
import { totalsOf } from '../totals.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money, MoneyList } from '#web/ui/controls/money.tsx';
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
  { id: 'order', header: words.order, cell: ({ externalId }) => externalId },
  { id: 'occurred', header: words.occurred, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  {
    id: 'total',
    header: words.total,
    align: 'end',
    cell: ({ total, currency }) => (currency === NO_CURRENCY ? NOTHING : <Money minor={total} currency={currency} />),
  },
  {
    id: 'commission',
    header: words.commission,
    align: 'end',
    cell: ({ conversions }) => <MoneyList amounts={commissionsOf(conversions)} />,
  },
  {
    id: 'status',
    header: words.status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
];

/** Returns the sums of commissions. Rejected commissions count as 0. */
function commissionsOf(conversions: readonly Conversion[]) {
  return totalsOf(
    conversions.map(({ amount, currency, status }) => ({ amount: status === 'rejected' ? 0 : amount, currency })),
  );
}

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
        rowLabel={({ externalId }) => words.row(externalId)}
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
