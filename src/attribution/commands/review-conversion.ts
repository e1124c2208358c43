import type { ConversionId, OrganizationId } from '#core/ids.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { type ConversionResource, conversions } from '../store/read/conversions.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { review, type ReviewOutcome, type Verdict } from './review-conversions.ts';

export type ConversionReview =
  | { readonly kind: 'reviewed'; readonly conversion: ConversionResource }
  | { readonly kind: 'unknown' }
  | Extract<ReviewOutcome, { kind: 'forbidden' }>;

/** Applies a person's verdict to a conversion and its obligations. Repeating the same verdict changes nothing. */
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
