import { usePermission } from '../session.ts';
import { payouts as texts } from './payouts-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { RemindButton } from './remind-button.tsx';

/** The maximum number of payees that one press reminds, because the service limits the number of emails per hour. */
const MAX_REMINDED = 1_000;

/** Shows how many payees of a run have no payout details, with a button that sends these payees a reminder. */
export function MissingDetails({ fulfillmentId, count }: { readonly fulfillmentId: number; readonly count: number }) {
  const api = useApi();
  const may = usePermission('resources:write');
  const payees = async (): Promise<readonly number[]> => {
    const query = { fulfillmentId, status: 'unpaid', payoutMethod: 'none' } as const;
    const payouts = await api.payouts.list(query).toArray({ limit: MAX_REMINDED });
    return payouts.map(({ collaboratorId }) => collaboratorId);
  };
  return (
    <Notice
      tone="warn"
      title={texts.details.missing(count)}
      actions={
        <>
          <LinkButton size="small" href={`/payouts/runs/${fulfillmentId}?payoutMethod=none`}>
            {texts.details.show}
          </LinkButton>
          {may && <RemindButton payees={payees} />}
        </>
      }
    >
      {texts.details.missingHelp}
    </Notice>
  );
}
