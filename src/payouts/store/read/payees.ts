import type { PayoutDetails } from '#collaborators/domain/payout-details.ts';
import type { CollaboratorId, FulfillmentId, PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Connection } from '#platform/postgres/database.ts';
import { mapSlices, readSlices } from '#platform/postgres/lists/slices.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { needsReview, type ReviewState } from '../../domain/payout.ts';
import type { OwnFormat, Payee } from '../../domain/payment-file.ts';
import { WITH_WAITING_REFUND } from '../payouts.ts';
import { LACKS_TAX_DETAILS } from '../tax-rule.ts';

export type PayoutRange = { readonly first: PayoutId; readonly last: PayoutId };

type PayeeRow = {
  readonly payoutId: PayoutId;
  readonly collaboratorId: CollaboratorId;
  readonly amount: number;
  readonly currency: string;
  readonly review: ReviewState;
  readonly refundWaits: boolean;
  readonly lacksTaxDetails: boolean;
  readonly name: string;
  readonly details: Buffer | null;
  readonly downloadedAs: OwnFormat | null;
};

/**
 * Yields the payees of a run's unpaid payouts in slices, sorted by payout id. If the run is complete, yields the payees
 * of its paid payouts instead. With a range, yields only the payees of the payouts in the range. Must be called in a
 * transaction.
 */
export function readPayees(
  { connection, organizationId }: Tenant<Connection>,
  secrets: SecretBox,
  runId: FulfillmentId,
  range: PayoutRange | null = null,
): AsyncGenerator<readonly Payee[]> {
  // The payouts of a run are found with the unique key of payouts that starts with the organization and the run.
  const slices = readSlices<PayeeRow>(
    connection,
    `select p.id as "payoutId", p.collaborator_id as "collaboratorId", p.amount, p.currency, p.review,
       p.id in (${WITH_WAITING_REFUND}) as "refundWaits", ${LACKS_TAX_DETAILS} as "lacksTaxDetails", c.name, d.details,
       f.format as "downloadedAs"
     from payouts p
     join fulfillments r on r.organization_id = $1 and r.id = p.fulfillment_id
     join collaborators c on c.organization_id = $1 and c.id = p.collaborator_id
     left join payout_details d on d.organization_id = $1 and d.collaborator_id = p.collaborator_id
     left join payout_files f on f.organization_id = $1 and f.payout_id = p.id
     where p.organization_id = $1 and p.fulfillment_id = $2 and p.status = case r.status when 'complete' then 'paid' else 'unpaid' end
       and ($3::bigint is null or p.id between $3 and $4)
     order by p.id`,
    [organizationId, runId, range?.first ?? null, range?.last ?? null],
  );
  return mapSlices(slices, ({ amount, review, refundWaits, details, ...row }) => ({
    ...row,
    amount: BigInt(amount) as Minor,
    needsReview: needsReview({ review, refundWaits }),
    details:
      details === null || !secrets.sealed(details) ? undefined : (JSON.parse(secrets.open(details)) as PayoutDetails),
  }));
}
