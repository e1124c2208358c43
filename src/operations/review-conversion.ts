import type { ConversionId, OrganizationId } from '#domain/ids.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type ConversionResource, conversions } from '#store/read/conversions.ts';
import { readOne } from '#store/read/page.ts';
import { review, type ReviewOutcome, type Verdict } from './review-conversions.ts';

export type ConversionReview =
  | { readonly kind: 'reviewed'; readonly conversion: ConversionResource }
  | { readonly kind: 'unknown' }
  | Extract<ReviewOutcome, { kind: 'forbidden' }>;

/** An operator's word on a conversion, and on what is owed for it. The same word again changes nothing. */
export function reviewConversion(
  database: Database,
  organizationId: OrganizationId,
  id: ConversionId,
  verdict: Verdict,
): Promise<ConversionReview> {
  return inTransaction(database, async (connection) => {
    const outcome = (await review(connection, organizationId, [id], verdict)).get(id) ?? { kind: 'unknown' };
    if (outcome.kind === 'forbidden' || outcome.kind === 'unknown') return outcome;
    const conversion = (await readOne(connection, organizationId, conversions, { id })) as ConversionResource;
    return { kind: 'reviewed', conversion };
  });
}
