import { type EventId, MAX_ID, type OpportunityId, type TransactionId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findSettledEvents, lockDecisionOrderAsWorker, isWaitedFor } from '#programs/store/decision-order.ts';
import {
  findFullRefunds,
  findOverdueRefunds,
  type FullRefund,
  findProcessedRefunds,
  reopenEngagements,
} from '../store/engagement-credits.ts';
import { type ClaimedJob, claimJobs, releaseJobs, type Job } from '#platform/worker/jobs.ts';
import { findRenewedSales } from '../store/reported-sales.ts';
import { decideSales } from './decide-sales.ts';
import type { ProgramVersionCache } from './load-facts.ts';
import { reviseConversions } from './revise-conversions.ts';
import { lockTransactions } from '#sales/store/transactions.ts';

/**
 * The number of rounds between two checks for an API call that waits for this database transaction. A round with one
 * event takes about ten statements. A check costs about half as much as one of these statements.
 */
export const ROUNDS_PER_CHECK = 8;

/**
 * Claims up to `limit` jobs and runs them in the caller's transaction. Adds them to `claimed` before running them.
 * Returns the number of claimed jobs, including released jobs.
 *
 * For an organization with sequential decisions, it claims no jobs while another worker decides the organization's
 * events. It stops early if an API call waits for this transaction, because the call could time out during a long
 * series of rounds. The remaining jobs are then released and removed from `claimed`.
 */
export async function claimAndReact(
  tenant: Tenant<Connection>,
  limit: number,
  versions: ProgramVersionCache,
  claimed: ClaimedJob[] = [],
): Promise<number> {
  const order = await lockDecisionOrderAsWorker(tenant);
  if (order === 'busy') return 0;
  const isOrdered = order === 'ordered';
  const last = isOrdered ? await findSettledEvents(tenant) : (MAX_ID as EventId);
  const jobs = await claimJobs(tenant, limit, last);
  claimed.push(...jobs);
  if (jobs.length === 0) return 0;
  const left = await reactInRounds(tenant, jobs, {
    isOrdered,
    versions,
    mayContinue: async () => !(await isWaitedFor(tenant)),
  });
  if (left.length > 0) await releaseJobs(tenant, left);
  claimed.length -= left.length;
  return jobs.length;
}

/**
 * Runs claimed jobs, in rounds if the organization's events are decided sequentially. Calls `mayContinue` every
 * ROUNDS_PER_CHECK rounds, and stops once `mayContinue` returns false. Returns the jobs that were not run.
 */
export async function reactInRounds(
  tenant: Tenant<Connection>,
  jobs: readonly ClaimedJob[],
  {
    isOrdered,
    versions,
    mayContinue,
    applyRecorded,
  }: {
    readonly isOrdered: boolean;
    readonly versions: ProgramVersionCache;
    readonly mayContinue: () => Promise<boolean>;
    readonly applyRecorded?: ApplyRecorded;
  },
): Promise<ClaimedJob[]> {
  const renewals = transactionsOf(jobs, ['RenewalTriggered']);
  const renewed: Renewed = renewals.length === 0 ? new Map() : await findRenewedSales(tenant, renewals);
  const held = [...new Set([...jobs.map((job) => job.transactionId), ...renewed.values()])];
  const opportunities = await lockTransactions(tenant, held);
  const rounds = isOrdered ? splitIntoRounds(jobs, opportunities) : [[...jobs]];
  // A full refund counts from the time of its report, so it reopens engagements even if its own job has failed.
  const overdue = isOrdered ? await findOverdueRefunds(tenant, jobs.at(-1)?.eventId as EventId) : [];
  await reopenEngagements(tenant, overdue);
  for (const [n, round] of rounds.entries()) {
    const left = rounds.slice(n).flat();
    if (n > 0 && n % ROUNDS_PER_CHECK === 0 && !(await mayContinue())) return left;
    const refundsToCome = new Set(revisionsOf(left).map(({ eventId }) => eventId));
    await react(tenant, round, { renewed, refundsToCome, overdue, versions, applyRecorded });
  }
  return [];
}

/**
 * Splits jobs, in their order, into rounds. Each event must see the effects of earlier events. So a new round begins in
 * two cases: before a second event of an opportunity, and before a report that follows a refund, a reversal or a
 * correction.
 */
function splitIntoRounds(
  jobs: readonly ClaimedJob[],
  opportunities: ReadonlyMap<TransactionId, OpportunityId | null>,
): ClaimedJob[][] {
  const rounds: ClaimedJob[][] = [];
  let met = new Set<OpportunityId | string>();
  for (const job of jobs) {
    // An order without an opportunity shares no state with other orders, so it gets its own key.
    const opportunity = opportunities.get(job.transactionId) ?? `transaction ${job.transactionId}`;
    const round = rounds.at(-1);
    const last = round?.at(-1);
    const followsRevision = last !== undefined && isRevision(last) && !isRevision(job);
    if (round === undefined || met.has(opportunity) || followsRevision) {
      rounds.push([job]);
      met = new Set([opportunity]);
    } else {
      round.push(job);
      met.add(opportunity);
    }
  }
  return rounds;
}

/**
 * Applies the effects of recorded decisions on transactions that a backtest doesn't decide again, at their position
 * among the events. Ignores other transactions.
 */
export type ApplyRecorded = (tenant: Tenant<Connection>, transactionIds: readonly TransactionId[]) => Promise<void>;

/** The renewed sale of each renewal. */
type Renewed = ReadonlyMap<TransactionId, TransactionId>;

type Batch = {
  readonly renewed: Renewed;
  /**
   * The events of the refunds, reversals and corrections of this batch that are not processed yet, including the
   * events of the current round.
   */
  readonly refundsToCome: ReadonlySet<EventId>;
  /** Full refunds before the end of this batch whose jobs have failed. */
  readonly overdue: readonly FullRefund[];
  readonly versions: ProgramVersionCache;
  readonly applyRecorded: ApplyRecorded | undefined;
};

const REPORTS = ['SaleTriggered', 'LeadTriggered', 'RenewalTriggered'] as const;
/** The types of jobs that can change the worth of existing conversions. */
const REVISIONS = ['RefundTriggered', 'RefundReversed', 'SaleCorrected'] as const;

async function react(tenant: Tenant<Connection>, jobs: readonly Job[], batch: Batch): Promise<void> {
  const reported = transactionsOf(jobs, REPORTS);
  const revisions = revisionsOf(jobs);
  // A renewal pays the earners of its sale, so decide an undecided sale first, even if its own job is pending.
  const sold = [...new Set(reported.flatMap((id) => batch.renewed.get(id) ?? []))];
  if (sold.length > 0) await decide(tenant, sold, batch);
  if (reported.length > 0) {
    await batch.applyRecorded?.(tenant, reported);
    await decide(tenant, reported, batch);
  }
  if (revisions.length > 0) {
    await reviseConversions(tenant, transactionsOf(revisions, REVISIONS));
    // A partial refund reopens no engagements, even if a full refund was reported later. Sales reported between the two
    // refunds are decided before the engagements are reopened.
    const eventIds = revisions.map(({ eventId }) => eventId);
    await reopenEngagements(tenant, await findFullRefunds(tenant, eventIds));
  }
}

/**
 * Decides transactions and applies refunds and corrections that were reported before the decision. A refund or
 * correction changes its transaction before its report returns 200, when the transaction may still be undecided.
 * Conversions that are decided later get the reduced amount. If the job of a full refund has already run or has failed,
 * the engagements that the sale completed are reopened immediately.
 */
async function decide(
  tenant: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
  { refundsToCome, overdue, versions }: Batch,
): Promise<void> {
  const refunded = await decideSales(tenant, transactionIds, versions);
  if (refunded.length === 0) return;
  const refundedIds = refunded.map(({ transactionId }) => transactionId);
  await reviseConversions(tenant, refundedIds);
  const late = refunded.flatMap(({ transactionId, refundedBy }) =>
    refundedBy === null || refundsToCome.has(refundedBy) ? [] : [{ transactionId, refundedBy }],
  );
  if (late.length === 0) return;
  const failed = new Set(overdue.map(({ refundedBy }) => refundedBy));
  const processed = await findProcessedRefunds(tenant, late);
  const due = late.filter((refund) => failed.has(refund.refundedBy));
  await reopenEngagements(tenant, [...due, ...processed]);
}

function revisionsOf(jobs: readonly Job[]): Job[] {
  return jobs.filter(isRevision);
}

export function isRevision({ type }: Job): boolean {
  return REVISIONS.some((each) => each === type);
}

function transactionsOf(jobs: readonly Job[], types: readonly Job['type'][]): TransactionId[] {
  return [...new Set(jobs.filter((job) => types.includes(job.type)).map((job) => job.transactionId))];
}
