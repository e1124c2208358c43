import { approve, type ConversionStatus, reject, type TransactionStatus } from '#domain/conversion.ts';
import type { ConversionId, OrganizationId } from '#domain/ids.ts';
import { lockConversion, saveApproval, saveRejection } from '#store/conversion-reviews.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type ConversionResource, conversions } from '#store/read/conversions.ts';
import { readOne } from '#store/read/page.ts';

export type ConversionReview =
  | { readonly kind: 'reviewed'; readonly conversion: ConversionResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly status: ConversionStatus; readonly transactionStatus: TransactionStatus };

export type Verdict = { readonly kind: 'approve' } | { readonly kind: 'reject'; readonly reason: string };

/** An operator's word on a conversion, and on what is owed for it. The same word again changes nothing. */
export function reviewConversion(
  database: Database,
  organizationId: OrganizationId,
  id: ConversionId,
  verdict: Verdict,
): Promise<ConversionReview> {
  return inTransaction(database, async (connection) => {
    const found = await lockConversion(connection, organizationId, id);
    if (found === undefined) return { kind: 'unknown' };
    const review = verdict.kind === 'approve' ? approve(found.status, found.transactionStatus) : reject(found.status);
    if (review === 'forbidden') return { ...found, kind: 'forbidden' };
    if (review === 'changed' && verdict.kind === 'approve') await saveApproval(connection, organizationId, id);
    if (review === 'changed' && verdict.kind === 'reject') {
      await saveRejection(connection, organizationId, id, verdict.reason);
    }
    const conversion = (await readOne(connection, organizationId, conversions, { id })) as ConversionResource;
    return { kind: 'reviewed', conversion };
  });
}
