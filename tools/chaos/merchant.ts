import { randomUUID } from 'node:crypto';
import type { Answered, Report } from './caller.ts';
import type { Complain } from './complaint.ts';
import type { Dice } from '#test/support/random.ts';

/** The changes that were confirmed to the merchant's people. */
export type Done = {
  readonly approved: Set<number>;
  /** Payout runs by id, with the status in the last response. */
  readonly runs: Map<number, string>;
};

type Insist = (report: Report) => Promise<Answered>;

const APPROVED_AT_ONCE = 20;

/** Acts as one of the merchant's people: approves some conversions, or creates a payout run and pays it. */
export async function workAsMerchant(
  insist: Insist,
  reviewedProgramId: number,
  dice: Dice,
  done: Done,
  complain: Complain,
): Promise<void> {
  if (dice.chance(0.5)) await approveSome();
  else await payOut();

  async function approveSome(): Promise<void> {
    const path = `/conversions?status=pending&programId=${reviewedProgramId}&perPage=${APPROVED_AT_ONCE}`;
    const waiting = read(200, await insist({ method: 'GET', path })) as Row[] | undefined;
    const ids = (waiting ?? []).map(({ id }) => id).filter(() => dice.chance(0.5));
    if (ids.length === 0) return;
    const bulk = { path: '/conversions/bulk', body: { action: 'approve', ids }, idempotencyKey: randomUUID() };
    const reviews = read(200, await insist(bulk)) as Review[] | undefined;
    // A refund may have rejected the conversion first.
    for (const { id, outcome } of reviews ?? []) {
      if (outcome === 'changed' || outcome === 'unchanged') done.approved.add(id);
    }
  }

  async function payOut(): Promise<void> {
    const body = { minimum: dice.roll(2_000) };
    const runs = read(201, await insist({ path: '/fulfillments', body, idempotencyKey: randomUUID() }));
    for (const { id, status } of (runs as Row[] | undefined) ?? []) {
      if (done.runs.has(id)) complain('doubled', `payout run ${id} was answered to two calls`);
      done.runs.set(id, status);
      await move(id, 'process');
      // Payouts that a refund has flagged stay open, and a run with paid payouts can't fail.
      await move(id, dice.chance(0.8) ? 'complete' : 'fail');
    }
  }

  async function move(id: number, verb: string): Promise<void> {
    const answer = await insist({ path: `/fulfillments/${id}/${verb}`, idempotencyKey: randomUUID() });
    const run = read(200, answer) as Row | undefined;
    if (run !== undefined) done.runs.set(id, run.status);
  }

  function read(wanted: number, { status, text }: Answered): unknown {
    if (status === wanted) return JSON.parse(text);
    complain('wrong', `a call of the merchant's people is answered ${status}: ${text}`);
    return undefined;
  }
}

type Row = { readonly id: number; readonly status: string };
type Review = { readonly id: number; readonly outcome: string };
