import { randomUUID } from 'node:crypto';
import type { Client, Report } from '#tools/traffic/client.ts';
import type { Complain } from '#tools/traffic/complaint.ts';
import type { Dice } from '#tools/traffic/random.ts';

/** The changes that responses confirmed to the merchant: approved conversions, and payout runs. */
export type Done = {
  readonly approved: Set<number>;
  /** Payout runs by id, with the status in the last response. */
  readonly runs: Map<number, string>;
};

const APPROVED_AT_ONCE = 20;

/**
 * Acts as one of the merchant's people. Approves some conversions, or creates payout runs and then completes or fails
 * them.
 */
export async function workAsMerchant(
  insist: Client['insist'],
  reviewedProgramId: number,
  dice: Dice,
  done: Done,
  complain: Complain,
): Promise<void> {
  if (dice.chance(0.5)) await approveSome();
  else await payOut();

  async function approveSome(): Promise<void> {
    const query = `status=pending&programId=${reviewedProgramId}&perPage=${APPROVED_AT_ONCE}`;
    const waiting = await call<Run[]>(200, { method: 'GET', path: `/conversions?${query}` });
    const ids = (waiting ?? []).map(({ id }) => id).filter(() => dice.chance(0.5));
    if (ids.length === 0) return;
    const reviews = await call<Review[]>(200, { path: '/conversions/bulk', body: { action: 'approve', ids } });
    // A refund may have rejected a conversion first, so count only approvals that the response confirms.
    for (const { id, outcome } of reviews ?? []) {
      if (outcome === 'changed' || outcome === 'unchanged') done.approved.add(id);
    }
  }

  async function payOut(): Promise<void> {
    const body = { minimum: dice.roll(2_000) };
    for (const { id, status } of (await call<Run[]>(201, { path: '/fulfillments', body })) ?? []) {
      if (done.runs.has(id)) complain('doubled', `The responses to two calls contain payout run ${id}.`);
      done.runs.set(id, status);
      // Payouts that a refund has flagged stay open, and a run with paid payouts can't fail.
      for (const verb of ['process', dice.chance(0.8) ? 'complete' : 'fail']) {
        const run = await call<Run>(200, { path: `/fulfillments/${id}/${verb}` });
        if (run !== undefined) done.runs.set(id, run.status);
      }
    }
  }

  async function call<Body>(wanted: number, report: Report): Promise<Body | undefined> {
    const isRead = report.method === 'GET';
    const { status, text } = await insist(isRead ? report : { ...report, idempotencyKey: randomUUID() });
    if (status === wanted) return JSON.parse(text) as Body;
    complain('wrong', `${report.path} got the status ${status}, not ${wanted}: ${text}`);
    return undefined;
  }
}

type Run = { readonly id: number; readonly status: string };
type Review = { readonly id: number; readonly outcome: string };
