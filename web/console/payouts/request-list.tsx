import { useQueryClient } from '@tanstack/react-query';
import type { PayoutRequest } from '@whence/sdk';
import { HandCoins, Landmark } from 'lucide-react';
import { useCurrencyFilter } from '../currency-filter.ts';
import { CollaboratorName } from '../names.tsx';
import { usePermission } from '../session.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { listPage } from '#web/ui/table/list-query.ts';
import { CHANGED } from './changed.ts';
import type { PartProps } from './owed-part.tsx';
import { PayoutMethod } from './payout-method.tsx';
import { payouts } from './payouts-texts.ts';
import { requests as texts } from './request-texts.ts';
import { splitIntoRuns } from './run-plan.ts';

const COLUMNS: readonly Column<PayoutRequest>[] = [
  {
    id: 'collaborator',
    header: payouts.columns.collaborator,
    cell: ({ collaboratorId }) => <CollaboratorName id={collaboratorId} link={false} />,
  },
  {
    id: 'amount',
    header: texts.amount,
    align: 'end',
    cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
  },
  {
    id: 'method',
    header: payouts.details.column,
    cell: ({ payoutMethod }) => <PayoutMethod method={payoutMethod} />,
  },
  { id: 'requested', header: texts.requested, sort: 'id', cell: ({ createdAt }) => <Time at={createdAt} /> },
];
const csv = csvOf('/v1/payout-requests');

/** Shows the open payout requests of partners, and creates payout runs for the selected requests. */
export function RequestList({ state, onChange }: PartProps) {
  const api = useApi();
  const may = usePermission('resources:write');
  const pay = usePayRequests();
  const currency = useCurrencyFilter(payouts.filters.currency);
  return (
    <DataTable<PayoutRequest>
      label={texts.tab}
      queryKey={['payouts', 'requests']}
      load={async (query, signal) => listPage(await api.payoutRequests.list(query as object, { signal }).page())}
      columns={COLUMNS}
      rowId={({ id }) => id}
      rowLabel={({ id }) => texts.row(id)}
      rowHref={({ collaboratorId }) => `/collaborators/${collaboratorId}?tab=money`}
      state={{ currency: state['currency'], sort: state.sort, after: state.after }}
      onChange={onChange}
      defaultSort="-id"
      bulk={may ? [{ id: 'pay', label: texts.pay, icon: Landmark, run: pay }] : undefined}
      filters={[currency]}
      csv={csv}
      csvName="payout-requests"
      empty={
        <EmptyState icon={HandCoins} title={texts.empty}>
          {texts.emptyHelp}
        </EmptyState>
      }
    />
  );
}

/**
 * Returns a function that creates payout runs for requests, and opens the run, or the list of runs if there are
 * several. Each currency has one run, or several if the requests have more obligations than one run can name.
 */
function usePayRequests() {
  const client = useQueryClient();
  const { navigate } = useLinks();
  const { mutateAsync } = useCall(
    async (api, chosen: readonly PayoutRequest[]) => {
      const runs = [];
      for (const currency of new Set(chosen.map((each) => each.currency))) {
        const idsByPartner: number[][] = [];
        for (const { collaboratorId } of chosen.filter((each) => each.currency === currency)) {
          const ids: number[] = [];
          const owed = api.obligations.list({ collaboratorId, currency, status: 'pending' });
          for await (const { id } of owed) ids.push(id);
          idsByPartner.push(ids);
        }
        for (const obligationIds of splitIntoRuns(idsByPartner)) {
          runs.push(...(await api.fulfillments.create({ currency, obligationIds })));
        }
      }
      return runs;
    },
    {
      onDone: (runs) => {
        const [run] = runs;
        if (run === undefined) toast.info(texts.nothing);
        else navigate(runs.length === 1 ? `/payouts/runs/${run.id}` : '/payouts?tab=runs');
      },
      onError: toast.error,
      // Also reload the data after an error, because some runs may have been created.
      onSettled: () => Promise.all(CHANGED.map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
    },
  );
  return async (chosen: readonly PayoutRequest[]): Promise<void> => {
    await mutateAsync(chosen).catch(() => undefined);
  };
}
