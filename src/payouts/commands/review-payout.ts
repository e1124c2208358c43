import type { PayoutId } from '#core/ids.ts';
import {
  type PayoutStatus,
  type Resolution,
  type Review,
  type ReviewFacts,
  reviewPayout as decide,
  withoutEffect,
} from '../domain/payout.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockRunsOf } from '../store/payouts.ts';
import {
  loadReviewFacts,
  lockReviewedPayouts,
  saveClawBacks,
  saveObligationChanges,
  saveReviews,
  voidFlags,
} from '../store/payout-reviews.ts';
import { settleConversions } from '#attribution/commands/settle-conversions.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { type PayoutResource, payouts } from '../store/read/payouts.ts';

export type PayoutReview =
  | { readonly kind: 'reviewed'; readonly payout: PayoutResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-flagged' }
  | { readonly kind: 'unseen' };

export type ReviewerDecision = {
  readonly resolution: Resolution;
  readonly note: string;
  readonly author: string;
  /** The number of flags that the reviewer has seen, by payout. If a payout is missing, its number is not checked. */
  readonly seen: ReadonlyMap<PayoutId, number>;
};

/** Applies a reviewer's resolution to a flagged payout and its obligations. */
export function reviewPayout(
  tenant: Tenant<Database>,
  id: PayoutId,
  decision: ReviewerDecision,
): Promise<PayoutReview> {
  return inTenantTransaction(tenant, async (tenant) => {
    const { kind } = (await reviewAll(tenant, [id], decision)).get(id) ?? UNKNOWN;
    if (kind === 'unknown' || kind === 'not-flagged' || kind === 'unseen') return { kind };
    return { kind: 'reviewed', payout: await readExisting(tenant, payouts, { id }) };
  });
}

/** The outcome of a review. `status` is the payout's status after the review, and `was` its status before. */
export type PayoutReviewOutcome =
  | { readonly kind: Review['kind']; readonly status: PayoutStatus; readonly was: PayoutStatus }
  | { readonly kind: 'unknown' };

const UNKNOWN = { kind: 'unknown' } as const;

/**
 * Applies one resolution to many payouts in one transaction. Each payout is checked separately. Returns the outcome for
 * each distinct id.
 */
export function reviewPayouts(
  tenant: Tenant<Database>,
  ids: readonly PayoutId[],
  decision: ReviewerDecision,
): Promise<Map<PayoutId, PayoutReviewOutcome>> {
  return inTenantTransaction(tenant, (tenant) => reviewAll(tenant, ids, decision));
}

async function reviewAll(
  tenant: Tenant<Connection>,
  ids: readonly PayoutId[],
  decision: ReviewerDecision,
): Promise<Map<PayoutId, PayoutReviewOutcome>> {
  const { resolution, seen } = decision;
  await lockRunsOf(tenant, ids);
  const found = await loadReviewFacts(tenant, ids);
  const reviews = new Map<PayoutId, Review>();
  const changing: PayoutId[] = [];
  // A payout can have thousands of obligations and flags. Lock and read them only if the review has an effect.
  for (const [id, facts] of found) {
    const refused = withoutEffect(facts, resolution, seen.get(id));
    if (refused === undefined) changing.push(id);
    else reviews.set(id, refused);
  }
  for (const [id, payout] of await lockReviewedPayouts(tenant, changing)) {
    found.set(id, payout);
    reviews.set(id, decide(payout, resolution, seen.get(id)));
  }
  await save(tenant, reviews, decision);
  return new Map(ids.map((id) => [id, outcomeOf(found.get(id), reviews.get(id))]));
}

async function save(
  tenant: Tenant<Connection>,
  reviews: ReadonlyMap<PayoutId, Review>,
  decision: ReviewerDecision,
): Promise<void> {
  const resolved = [...reviews].flatMap(([id, review]) => (review.kind === 'resolved' ? [{ id, ...review }] : []));
  if (resolved.length === 0) return;
  const clawBacks = resolved.flatMap((review) => review.clawBacks);
  const voided = resolved.flatMap(({ id, status }) => (status === 'void' ? [id] : []));
  await saveReviews(tenant, resolved, decision);
  // Write each step for all payouts in one statement, in the order of the steps.
  const most = Math.max(...resolved.map(({ steps }) => steps.length));
  for (let n = 0; n < most; n += 1) {
    const step = resolved.flatMap(({ steps }) => steps[n] ?? []);
    await saveObligationChanges(tenant, step);
  }
  if (clawBacks.length > 0) await saveClawBacks(tenant, clawBacks);
  if (voided.length > 0) await settleConversions(tenant, await voidFlags(tenant, voided));
}

function outcomeOf(payout: ReviewFacts | undefined, review: Review | undefined): PayoutReviewOutcome {
  if (payout === undefined || review === undefined) return UNKNOWN;
  return { kind: review.kind, status: review.kind === 'resolved' ? review.status : payout.status, was: payout.status };
}
