import {
  approve,
  type ConversionStatus,
  reject,
  release,
  type Review,
  type ReviewedSale,
  settle,
} from '#domain/conversion.ts';
import type { ConversionId, OrganizationId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import {
  lockConversions,
  type ReviewedConversion,
  saveApprovals,
  saveRejections,
  saveReleases,
} from '#store/conversion-reviews.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { holdDecisionOrder } from '#store/decision-order.ts';
import { loadOwed, saveSettled } from '#store/revisions.ts';

export type Verdict =
  | { readonly kind: 'approve' }
  /** It goes the way of its program. */
  | { readonly kind: 'release' }
  /** `author` is who says so, for the record. */
  | { readonly kind: 'reject'; readonly reason: string; readonly author: string };

/** `status` is the conversion's after the review, `was` the one before it. */
export type ReviewOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly status: ConversionStatus; readonly was: ConversionStatus }
  | {
      readonly kind: 'forbidden';
      readonly status: ConversionStatus;
      readonly was: ConversionStatus;
      readonly sale: ReviewedSale;
    }
  | { readonly kind: 'unknown' };

/** An operator's word on many conversions at once, all in one transaction; one outcome an id, each id once. */
export function reviewConversions(
  database: Database,
  organizationId: OrganizationId,
  ids: readonly ConversionId[],
  verdict: Verdict,
): Promise<Map<ConversionId, ReviewOutcome>> {
  return inTransaction(database, (connection) => review(connection, organizationId, ids, verdict));
}

/** The same in the caller's transaction. The same word again changes nothing; the first reason of a rejection stays. */
export async function review(
  connection: Connection,
  organizationId: OrganizationId,
  ids: readonly ConversionId[],
  verdict: Verdict,
): Promise<Map<ConversionId, ReviewOutcome>> {
  // What a rejection takes back counts for the caps and tiers of later decisions.
  await holdDecisionOrder(connection, organizationId);
  const found = await lockConversions(connection, organizationId, ids);
  const outcomes = new Map(ids.map((id) => [id, outcomeOf(found.get(id), verdict)]));
  const changed = [...outcomes].flatMap(([id, { kind }]) => (kind === 'changed' ? [id] : []));
  if (changed.length > 0) await save(connection, organizationId, changed, verdict, found);
  return outcomes;
}

function outcomeOf(conversion: ReviewedConversion | undefined, { kind }: Verdict): ReviewOutcome {
  if (conversion === undefined) return { kind: 'unknown' };
  const { status, isApprovedAtOnce, isHeld, sale } = conversion;
  switch (kind) {
    case 'approve':
      return reviewed(approve(status, sale), 'approved', conversion);
    case 'reject':
      return reviewed(reject(status), 'rejected', conversion);
    case 'release':
      return reviewed(release(status, isHeld, sale), isHeld && isApprovedAtOnce ? 'approved' : status, conversion);
    default:
      return kind satisfies never;
  }
}

function reviewed(review: Review, becomes: ConversionStatus, { status, sale }: ReviewedConversion): ReviewOutcome {
  if (review === 'forbidden') return { kind: review, status, was: status, sale };
  return { kind: review, status: becomes, was: status };
}

async function save(
  connection: Connection,
  organizationId: OrganizationId,
  changed: readonly ConversionId[],
  verdict: Verdict,
  found: ReadonlyMap<ConversionId, ReviewedConversion>,
): Promise<void> {
  switch (verdict.kind) {
    case 'approve':
      return saveApprovals(connection, organizationId, changed);
    case 'release':
      return saveReleases(connection, organizationId, changed);
    case 'reject':
      await saveRejections(connection, organizationId, changed, verdict);
      return takeBack(connection, organizationId, changed, found);
    default:
      return verdict satisfies never;
  }
}

/** Nothing is owed any more: open obligations are rejected, payouts that one is in are flagged. */
async function takeBack(
  connection: Connection,
  organizationId: OrganizationId,
  rejected: readonly ConversionId[],
  found: ReadonlyMap<ConversionId, ReviewedConversion>,
): Promise<void> {
  const owed = await loadOwed(connection, organizationId, rejected);
  const settled = [...owed].flatMap(([conversionId, debt]) => {
    const change = settle(debt, 0n as Minor, 'rejected');
    const transactionId = found.get(conversionId)?.transactionId;
    return change === null || transactionId === undefined
      ? []
      : [{ conversionId, transactionId, obligationId: debt.obligationId, change }];
  });
  await saveSettled(connection, organizationId, settled);
}
