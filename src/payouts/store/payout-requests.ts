import type { CollaboratorId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { conversionsGoingBack } from './payouts.ts';
import type { TaxSetting } from '../domain/payout-request.ts';

export type PayoutSettings = {
  readonly requestMinimum: Minor | null;
  readonly taxDetails: TaxSetting;
};

export async function findPayoutSettings({ connection, organizationId }: Tenant): Promise<PayoutSettings> {
  const { rows } = await connection.query<{ minimum: number | null; taxDetails: TaxSetting }>(
    `select request_minimum as minimum, tax_details as "taxDetails" from payout_settings where organization_id = $1`,
    [organizationId],
  );
  const { minimum, taxDetails } = rows[0] ?? { minimum: null, taxDetails: 'not-asked' };
  return { requestMinimum: minimum === null ? null : (BigInt(minimum) as Minor), taxDetails };
}

export async function savePayoutSettings(
  { connection, organizationId }: Tenant<Connection>,
  { requestMinimum, taxDetails }: PayoutSettings,
): Promise<void> {
  await connection.query(
    `insert into payout_settings (organization_id, request_minimum, tax_details) values ($1, $2, $3)
     on conflict (organization_id) do update set request_minimum = $2, tax_details = $3, updated_at = now()`,
    [organizationId, requestMinimum, taxDetails],
  );
}

/**
 * Returns the sum of a collaborator's pending obligations in a currency that a run would count, in hundredths.
 * Obligations whose sale has a refund or correction that is still being processed are excluded, but clawbacks always
 * count.
 */
export async function findPendingAmount(
  { connection, organizationId }: Tenant,
  collaboratorId: CollaboratorId,
  currency: string,
): Promise<bigint> {
  const { rows } = await connection.query<{ amount: string }>(
    `select coalesce(sum(amount), 0)::text as amount from obligations
     where organization_id = $1 and collaborator_id = $2 and currency = $3 and status = 'pending' and id > 0
       and (amount < 0 or conversion_id not in (${conversionsGoingBack('$1')}))`,
    [organizationId, collaboratorId, currency],
  );
  return BigInt((rows[0] as { amount: string }).amount);
}

/** Stores a request. If the collaborator already has a request in the currency, the existing request stays. */
export async function insertPayoutRequest(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  currency: string,
): Promise<void> {
  await connection.query(
    `insert into payout_requests (organization_id, collaborator_id, currency) values ($1, $2, $3)
     on conflict (organization_id, collaborator_id, currency) do nothing`,
    [organizationId, collaboratorId, currency],
  );
}

export type OwnRequest = { readonly currency: string; readonly createdAt: Date };

/** Returns a collaborator's open requests, sorted by currency. */
export async function findOwnRequests(
  { connection, organizationId }: Tenant,
  collaboratorId: CollaboratorId,
): Promise<OwnRequest[]> {
  const { rows } = await connection.query<OwnRequest>(
    `select currency, created_at as "createdAt" from payout_requests
     where organization_id = $1 and collaborator_id = $2 order by currency`,
    [organizationId, collaboratorId],
  );
  return rows;
}

export type PaidCollaborator = { readonly collaboratorId: CollaboratorId; readonly currency: string };

/** Deletes each paid collaborator's request in the currency of the payment. */
export async function deletePaidRequests(
  { connection, organizationId }: Tenant<Connection>,
  paid: readonly PaidCollaborator[],
): Promise<void> {
  await connection.query(
    `delete from payout_requests r using unnest($2::bigint[], $3::text[]) as n (collaborator_id, currency)
     where r.organization_id = $1 and r.collaborator_id = n.collaborator_id and r.currency = n.currency`,
    [organizationId, paid.map(({ collaboratorId }) => collaboratorId), paid.map(({ currency }) => currency)],
  );
}
