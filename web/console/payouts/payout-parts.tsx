import type { Conversion, Obligation, Payout } from '@whence/sdk';
import { Package } from 'lucide-react';
import { OrderName, ProgramName } from '../names.tsx';
import { payouts as texts } from './payouts-texts.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { listPage } from '#web/ui/table/list-query.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { useListState, PLACE_FIELDS, optionalFields } from '#web/ui/shell/list-state.ts';
import { Row } from '#web/ui/controls/stack.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { MADE_FILTER, openFlags } from './payout-columns.tsx';
import styles from './payouts.module.css';

/** An obligation with its conversion, or without it if the conversion was not found. */
type Part = Obligation & { readonly conversion: Conversion | undefined };

const SCHEMA = {
  ...optionalFields('createdFrom', 'createdUntil'),
  ...PLACE_FIELDS,
};
const FILTERS = [{ ...MADE_FILTER, label: texts.one.earned }];
const csv = csvOf('/v1/obligations');

/** Shows the obligations of a payout, each with a link to its conversion. */
export function PayoutParts({ payout }: { readonly payout: Payout }) {
  const { id, status } = payout;
  const api = useApi();
  const [state, change] = useListState(SCHEMA);
  const flagged = new Set(openFlags(payout).map(({ obligationId }) => obligationId));
  return (
    <DataTable<Part>
      label={texts.one.partsLabel}
      queryKey={['obligations', 'of-payout', id, status]}
      load={async (query, signal) => {
        const page = await api.obligations.list({ ...query, payoutId: id } as object, { signal }).page();
        const ids = page.data.map(({ conversionId }) => conversionId);
        const found = ids.length === 0 ? [] : await conversionsOf(ids, signal);
        const byId = new Map(found.map((conversion) => [conversion.id, conversion]));
        return listPage({
          ...page,
          data: page.data.map((row) => ({ ...row, conversion: byId.get(row.conversionId) })),
        });
      }}
      columns={columnsFor(flagged)}
      rowId={(row) => row.id}
      rowLabel={(row) => texts.one.partRow(row.id)}
      rowHref={({ conversionId }) => `/conversions/${conversionId}`}
      state={state}
      onChange={change}
      defaultSort="-id"
      heading={<h2 className={styles.listTitle}>{texts.one.parts}</h2>}
      filters={FILTERS}
      csv={(query) => csv({ ...query, payoutId: String(id) })}
      csvName={`payout-${id}`}
      empty={
        <EmptyState icon={Package} title={texts.one.noParts}>
          {texts.one.noPartsHelp}
        </EmptyState>
      }
    />
  );

  async function conversionsOf(ids: readonly number[], signal: AbortSignal): Promise<readonly Conversion[]> {
    const query = { ids: [...new Set(ids)].join(','), perPage: ids.length };
    return (await api.conversions.list(query, { signal }).page()).data;
  }
}

function columnsFor(flagged: ReadonlySet<number>): readonly Column<Part>[] {
  return [
    {
      id: 'order',
      header: texts.columns.order,
      cell: ({ conversion, conversionId }) =>
        conversion === undefined ? String(conversionId) : <OrderName id={conversion.transactionId} link={false} />,
    },
    {
      id: 'program',
      header: texts.columns.program,
      cell: ({ conversion, id, amount }) => (
        <Row gap={1}>
          {conversion !== undefined && <ProgramName id={conversion.programId} />}
          {amount < 0 && <Badge tone="warn">{texts.one.clawBack}</Badge>}
          {flagged.has(id) && <Badge tone="bad">{texts.one.flagged}</Badge>}
        </Row>
      ),
    },
    {
      id: 'earned',
      header: texts.one.earned,
      sort: 'id',
      priority: 2,
      cell: ({ conversion, createdAt }) => <Time at={conversion?.createdAt ?? createdAt} as="date" />,
    },
    {
      id: 'amount',
      header: texts.columns.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
    },
  ];
}
