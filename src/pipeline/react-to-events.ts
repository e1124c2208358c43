import type { OpportunityId, OrganizationId, TransactionId } from '#domain/ids.ts';
import type { Connection } from '#store/database.ts';
import { holdDecisionOrderAsWorker, isWaitedFor } from '#store/decision-order.ts';
import { findRefundsWorkedOff, reopenEngagements } from '#store/engagement-credits.ts';
import { type ClaimedJob, claimJobs, giveBackJobs, type Job } from '#store/jobs.ts';
import { findRenewedSales, lockTransactions } from '#store/sale-facts.ts';
import { decideSales } from './decide-sales.ts';
import type { ProgramVersionCache } from './load-facts.ts';
import { reviseConversions } from './revise-conversions.ts';

/**
 * How many rounds are done before it looks whether somebody waits. A round of one event takes some ten statements, a look
 * half of one.
 */
export const ROUNDS_A_LOOK = 8;

/**
 * Claims up to `limit` jobs and does them, in the caller's transaction. They are put into `claimed` before they are done.
 * Answers how many it has claimed. Where an organization is decided in order and somebody waits for what this holds, those
 * that are left are given back, and taken out of `claimed`: as many rounds as there are jobs may take longer than a call waits.
 */
export async function claimAndReact(
  connection: Connection,
  organizationId: OrganizationId,
  limit: number,
  versions: ProgramVersionCache,
  claimed: Job[] = [],
): Promise<number> {
  const isOrdered = await holdDecisionOrderAsWorker(connection, organizationId);
  const jobs = await claimJobs(connection, organizationId, limit);
  claimed.push(...jobs);
  if (jobs.length === 0) return 0;
  const renewals = transactionsOf(jobs, ['RenewalTriggered']);
  const renewed: Renewed =
    renewals.length === 0 ? new Map() : await findRenewedSales(connection, organizationId, renewals);
  const held = [...new Set([...jobs.map((job) => job.transactionId), ...renewed.values()])];
  const opportunities = await lockTransactions(connection, organizationId, held);
  const rounds = isOrdered ? inRounds(jobs, opportunities) : [jobs];
  for (const [n, round] of rounds.entries()) {
    const left = rounds.slice(n).flat();
    if (n > 0 && n % ROUNDS_A_LOOK === 0 && (await isWaitedFor(connection, organizationId))) {
      await giveBackJobs(connection, organizationId, left);
      claimed.length -= left.length;
      break;
    }
    const refundsToCome = new Set(transactionsOf(left, ['RefundTriggered']));
    await react(connection, organizationId, round, { renewed, refundsToCome, versions });
  }
  return jobs.length;
}

/**
 * Cuts jobs, in their order, wherever an opportunity comes up again, and between a refund and a report after it: what one
 * event leaves, the next must see.
 */
function inRounds(
  jobs: readonly ClaimedJob[],
  opportunities: ReadonlyMap<TransactionId, OpportunityId>,
): ClaimedJob[][] {
  const rounds: ClaimedJob[][] = [];
  let met = new Set<OpportunityId | undefined>();
  for (const job of jobs) {
    const opportunity = opportunities.get(job.transactionId);
    const round = rounds.at(-1);
    const followsRefund = round?.at(-1)?.type === 'RefundTriggered' && job.type !== 'RefundTriggered';
    if (round === undefined || met.has(opportunity) || followsRefund) {
      rounds.push([job]);
      met = new Set([opportunity]);
    } else {
      round.push(job);
      met.add(opportunity);
    }
  }
  return rounds;
}

/** Renewals, each with its sale. */
type Renewed = ReadonlyMap<TransactionId, TransactionId>;

type Batch = {
  readonly renewed: Renewed;
  /** Whose refunds this batch works off, from this round on. */
  readonly refundsToCome: ReadonlySet<TransactionId>;
  readonly versions: ProgramVersionCache;
};

const REPORTS = ['SaleTriggered', 'LeadTriggered', 'RenewalTriggered'] as const;

async function react(
  connection: Connection,
  organizationId: OrganizationId,
  jobs: readonly Job[],
  batch: Batch,
): Promise<void> {
  const reported = transactionsOf(jobs, REPORTS);
  const refunded = transactionsOf(jobs, ['RefundTriggered']);
  // A renewal pays by what its sale has earned: one that still waits, whatever for, is decided first.
  const sold = [...new Set(reported.flatMap((id) => batch.renewed.get(id) ?? []))];
  if (sold.length > 0) await decide(connection, organizationId, sold, batch);
  if (reported.length > 0) await decide(connection, organizationId, reported, batch);
  if (refunded.length > 0) {
    await reviseConversions(connection, organizationId, refunded);
    await reopenEngagements(connection, organizationId, refunded);
  }
}

/**
 * A refund changed its transaction with its 200, so the order of the two can't be seen afterwards: what is decided after
 * its refund is worth what that leaves of it. Where nobody will work the refund off any more, what the sale has completed
 * is opened at once.
 */
async function decide(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
  { refundsToCome, versions }: Batch,
): Promise<void> {
  const refunded = await decideSales(connection, organizationId, transactionIds, versions);
  if (refunded.length === 0) return;
  await reviseConversions(connection, organizationId, refunded);
  const late = refunded.filter((id) => !refundsToCome.has(id));
  if (late.length === 0) return;
  await reopenEngagements(connection, organizationId, await findRefundsWorkedOff(connection, organizationId, late));
}

function transactionsOf(jobs: readonly Job[], types: readonly Job['type'][]): TransactionId[] {
  return [...new Set(jobs.filter((job) => types.includes(job.type)).map((job) => job.transactionId))];
}
