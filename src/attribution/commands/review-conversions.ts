import { approve, clear, type ConversionStatus, reject, type Review, type ReviewedSale } from '../domain/conversion.ts';
import type { ConversionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import {
  lockConversions,
  type ReviewedConversion,
  saveApprovals,
  saveClearances,
  saveRejections,
} from '../store/conversion-reviews.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockDecisionOrder } from '#programs/store/decision-order.ts';
import { loadOwed, saveSettled } from '../store/revisions.ts';
import { settle } from '#ledger/domain/obligation.ts';

export type Verdict =
  | { readonly kind: 'approve' }
  /** Clears the conversion from fraud review. Its program's approval rules then apply. */
  | { readonly kind: 'release' }
  /** Rejects the conversion. `author` is the person or key that rejects it. */
  | { readonly kind: 'reject'; readonly reason: string; readonly author: string };

/** The outcome for one conversion. `status` is its status after the review, and `was` its status before. */
export type ReviewOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly status: ConversionStatus; readonly was: ConversionStatus }
  | {
      readonly kind: 'forbidden';
      readonly status: ConversionStatus;
      readonly was: ConversionStatus;
      readonly sale: ReviewedSale;
    }
  | { readonly kind: 'unknown' };

/**
 * Approves, clears or rejects many conversions in one transaction, and updates their obligations. Returns the outcome
 * for each distinct id.
 */
export function reviewConversions(
  tenant: Tenant<Database>,
  ids: readonly ConversionId[],
  verdict: Verdict,
): Promise<Map<ConversionId, ReviewOutcome>> {
  return inTenantTransaction(tenant, (tenant) => review(tenant, ids, verdict));
}

/**
 * Runs `reviewConversions` in the caller's transaction. Repeating the same review changes nothing, so a rejection by a
 * person keeps its first reason.
 */
export async function review(
  tenant: Tenant<Connection>,
  ids: readonly ConversionId[],
  verdict: Verdict,
): Promise<Map<ConversionId, ReviewOutcome>> {
  // Take the lock of the decision order, because a rejection reduces the amounts that count for the caps and tiers of
  // later decisions.
  await lockDecisionOrder(tenant);
  const found = await lockConversions(tenant, ids);
  const outcomes = new Map(ids.map((id) => [id, outcomeOf(found.get(id), verdict)]));
  const changed = [...outcomes].flatMap(([id, { kind }]) => (kind === 'changed' ? [id] : []));
  if (changed.length > 0) await save(tenant, changed, verdict, found);
  return outcomes;
}

function outcomeOf(conversion: ReviewedConversion | undefined, { kind }: Verdict): ReviewOutcome {
  if (conversion === undefined) return { kind: 'unknown' };
  const { status, isRejectedByRefund, isApprovedAtOnce, isHeld, sale } = conversion;
  switch (kind) {
    case 'approve':
      return reviewOutcome(approve(status, sale), 'approved', conversion);
    case 'reject':
      return reviewOutcome(reject(status, isRejectedByRefund), 'rejected', conversion);
    case 'release':
      return reviewOutcome(clear(status, isHeld, sale), isHeld && isApprovedAtOnce ? 'approved' : status, conversion);
    default:
      return kind satisfies never;
  }
}

function reviewOutcome(review: Review, becomes: ConversionStatus, { status, sale }: ReviewedConversion): ReviewOutcome {
  if (review === 'forbidden') return { kind: review, status, was: status, sale };
  return { kind: review, status: becomes, was: status };
}

async function save(
  tenant: Tenant<Connection>,
  changed: readonly ConversionId[],
  verdict: Verdict,
  found: ReadonlyMap<ConversionId, ReviewedConversion>,
): Promise<void> {
  switch (verdict.kind) {
    case 'approve':
      return saveApprovals(tenant, changed);
    case 'release':
      return saveClearances(tenant, changed);
    case 'reject':
      await saveRejections(tenant, changed, verdict);
      return takeBack(tenant, changed, found);
    default:
      return verdict satisfies never;
  }
}

/**
 * Cancels the amounts owed for rejected conversions. Rejects their open obligations, and flags payouts that contain
 * their obligations.
 */
async function takeBack(
  tenant: Tenant<Connection>,
  rejected: readonly ConversionId[],
  found: ReadonlyMap<ConversionId, ReviewedConversion>,
): Promise<void> {
  const owed = await loadOwed(tenant, rejected);
  const settled = [...owed].flatMap(([conversionId, debt]) => {
    const transactionId = found.get(conversionId)?.transactionId;
    return transactionId === undefined
      ? []
      : [{ conversionId, transactionId, changes: settle(debt, 0n as Minor, 'rejected') }];
  });
  await saveSettled(tenant, settled);
}
