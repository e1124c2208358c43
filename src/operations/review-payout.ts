import type { OrganizationId, PayoutId } from '#domain/ids.ts';
import {
  type PayoutStatus,
  type Resolution,
  type Review,
  type ReviewedPayout,
  reviewPayout as decide,
} from '#domain/payout.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import {
  lockReviewedPayouts,
  saveClawBacks,
  saveObligationChanges,
  saveReviews,
  voidFlags,
} from '#store/payout-reviews.ts';
import { readOne } from '#store/read/page.ts';
import { type PayoutResource, payouts } from '#store/read/payouts.ts';

export type PayoutReview =
  | { readonly kind: 'reviewed'; readonly payout: PayoutResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-flagged' }
  | { readonly kind: 'unseen' };

export type ReviewerWord = {
  readonly resolution: Resolution;
  readonly note: string;
  readonly author: string;
  /** How many flags of a payout they have read; of what is not here they don’t say. */
  readonly seen: ReadonlyMap<PayoutId, number>;
};

/** A reviewer's word on a flagged payout, and what it does to the money in it. */
export function reviewPayout(
  database: Database,
  organizationId: OrganizationId,
  id: PayoutId,
  word: ReviewerWord,
): Promise<PayoutReview> {
  return inTransaction(database, async (connection) => {
    const { kind } = (await reviewAll(connection, organizationId, [id], word)).get(id) ?? UNKNOWN;
    if (kind === 'unknown' || kind === 'not-flagged' || kind === 'unseen') return { kind };
    const payout = (await readOne(connection, organizationId, payouts, { id })) as PayoutResource;
    return { kind: 'reviewed', payout };
  });
}

/** `status` is the payout's after the review, `was` the one before it. */
export type PayoutReviewOutcome =
  | { readonly kind: Review['kind']; readonly status: PayoutStatus; readonly was: PayoutStatus }
  | { readonly kind: 'unknown' };

const UNKNOWN = { kind: 'unknown' } as const;

/** One word on many at once, all in one transaction and each judged for itself; one outcome an id, each id once. */
export function reviewPayouts(
  database: Database,
  organizationId: OrganizationId,
  ids: readonly PayoutId[],
  word: ReviewerWord,
): Promise<Map<PayoutId, PayoutReviewOutcome>> {
  return inTransaction(database, (connection) => reviewAll(connection, organizationId, ids, word));
}

async function reviewAll(
  connection: Connection,
  organizationId: OrganizationId,
  ids: readonly PayoutId[],
  word: ReviewerWord,
): Promise<Map<PayoutId, PayoutReviewOutcome>> {
  const found = await lockReviewedPayouts(connection, organizationId, ids);
  const reviews = new Map([...found].map(([id, payout]) => [id, decide(payout, word.resolution, word.seen.get(id))]));
  await save(connection, organizationId, reviews, word);
  return new Map(ids.map((id) => [id, outcomeOf(found.get(id), reviews.get(id))]));
}

async function save(
  connection: Connection,
  organizationId: OrganizationId,
  reviews: ReadonlyMap<PayoutId, Review>,
  word: ReviewerWord,
): Promise<void> {
  const resolved = [...reviews].flatMap(([id, review]) => (review.kind === 'resolved' ? [{ id, ...review }] : []));
  if (resolved.length === 0) return;
  const obligations = resolved.flatMap((review) => review.obligations);
  const clawBacks = resolved.flatMap((review) => review.clawBacks);
  const voided = resolved.flatMap(({ id, status }) => (status === 'void' ? [id] : []));
  await saveReviews(connection, organizationId, resolved, word);
  if (obligations.length > 0) await saveObligationChanges(connection, organizationId, obligations);
  if (clawBacks.length > 0) await saveClawBacks(connection, organizationId, clawBacks);
  if (voided.length > 0) await voidFlags(connection, organizationId, voided);
}

function outcomeOf(payout: ReviewedPayout | undefined, review: Review | undefined): PayoutReviewOutcome {
  if (payout === undefined || review === undefined) return UNKNOWN;
  return { kind: review.kind, status: review.kind === 'resolved' ? review.status : payout.status, was: payout.status };
}
