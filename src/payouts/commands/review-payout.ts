import type { OrganizationId, PayoutId } from '#core/ids.ts';
import {
  type PayoutStatus,
  type Resolution,
  type Review,
  type ReviewedPayout,
  reviewPayout as decide,
} from '../domain/payout.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import {
  lockReviewedPayouts,
  saveClawBacks,
  saveObligationChanges,
  saveReviews,
  voidFlags,
} from '../store/payout-reviews.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type PayoutResource, payouts } from '../store/read/payouts.ts';

export type PayoutReview =
  | { readonly kind: 'reviewed'; readonly payout: PayoutResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-flagged' }
  | { readonly kind: 'unseen' };

export type ReviewerWord = {
  readonly resolution: Resolution;
  readonly note: string;
  readonly author: string;
  /** The number of flags that the reviewer has seen, by payout. A missing payout has no such check. */
  readonly seen: ReadonlyMap<PayoutId, number>;
};

/** Applies a reviewer's resolution to a flagged payout and its obligations. */
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

/** The outcome of a review. `status` is the payout's status after the review, `was` its status before. */
export type PayoutReviewOutcome =
  | { readonly kind: Review['kind']; readonly status: PayoutStatus; readonly was: PayoutStatus }
  | { readonly kind: 'unknown' };

const UNKNOWN = { kind: 'unknown' } as const;

/**
 * Applies one resolution to many payouts in one transaction. Each is checked separately. Returns one outcome for each
 * distinct id.
 */
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
  const clawBacks = resolved.flatMap((review) => review.clawBacks);
  const voided = resolved.flatMap(({ id, status }) => (status === 'void' ? [id] : []));
  await saveReviews(connection, organizationId, resolved, word);
  // Each statement writes one step for all payouts.
  const most = Math.max(...resolved.map(({ steps }) => steps.length));
  for (let n = 0; n < most; n += 1) {
    const step = resolved.flatMap(({ steps }) => steps[n] ?? []);
    await saveObligationChanges(connection, organizationId, step);
  }
  if (clawBacks.length > 0) await saveClawBacks(connection, organizationId, clawBacks);
  if (voided.length > 0) await voidFlags(connection, organizationId, voided);
}

function outcomeOf(payout: ReviewedPayout | undefined, review: Review | undefined): PayoutReviewOutcome {
  if (payout === undefined || review === undefined) return UNKNOWN;
  return { kind: review.kind, status: review.kind === 'resolved' ? review.status : payout.status, was: payout.status };
}
