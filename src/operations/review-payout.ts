import type { OrganizationId, PayoutId } from '#domain/ids.ts';
import { type Resolution, reviewPayout as decide } from '#domain/payout.ts';
import { type Database, inTransaction } from '#store/database.ts';
import {
  lockReviewedPayout,
  saveClawBacks,
  saveObligationChanges,
  saveReview,
  voidFlags,
} from '#store/payout-reviews.ts';
import { readOne } from '#store/read/page.ts';
import { type PayoutResource, payouts } from '#store/read/payouts.ts';

export type PayoutReview =
  | { readonly kind: 'reviewed'; readonly payout: PayoutResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-flagged' };

export type ReviewerWord = { readonly resolution: Resolution; readonly note: string; readonly author: string };

/** A reviewer's word on a flagged payout, and what it does to the money in it. */
export function reviewPayout(
  database: Database,
  organizationId: OrganizationId,
  id: PayoutId,
  word: ReviewerWord,
): Promise<PayoutReview> {
  return inTransaction(database, async (connection) => {
    const found = await lockReviewedPayout(connection, organizationId, id);
    if (found === undefined) return { kind: 'unknown' };
    const review = decide(found, word.resolution);
    if (review.kind === 'not-flagged') return review;
    if (review.kind === 'resolved') {
      const { status, amount, obligations, clawBacks } = review;
      await saveReview(connection, organizationId, id, { ...word, status, amount });
      if (obligations.length > 0) await saveObligationChanges(connection, organizationId, obligations);
      if (clawBacks.length > 0) await saveClawBacks(connection, organizationId, clawBacks);
      if (status === 'void') await voidFlags(connection, organizationId, [id]);
    }
    const payout = (await readOne(connection, organizationId, payouts, { id })) as PayoutResource;
    return { kind: 'reviewed', payout };
  });
}
