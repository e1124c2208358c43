import type { ConversionId } from '#core/ids.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type ConversionResource, conversions } from '../store/read/conversions.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { review, type ReviewOutcome, type Verdict } from './review-conversions.ts';

export type ConversionReview =
  | { readonly kind: 'reviewed'; readonly conversion: ConversionResource }
  | { readonly kind: 'unknown' }
  | Extract<ReviewOutcome, { kind: 'forbidden' }>;

/** Approves, clears or rejects a conversion, and updates its obligations. Repeating the same review changes nothing. */
export function reviewConversion(
  tenant: Tenant<Database>,
  id: ConversionId,
  verdict: Verdict,
): Promise<ConversionReview> {
  return inTenantTransaction(tenant, async (tenant) => {
    const outcome = (await review(tenant, [id], verdict)).get(id) ?? { kind: 'unknown' };
    if (outcome.kind === 'forbidden' || outcome.kind === 'unknown') return outcome;
    return { kind: 'reviewed', conversion: await readExisting(tenant, conversions, { id }) };
  });
}
