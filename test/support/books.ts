import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isSentBack } from './buyers.ts';
import { openCaller, type Request } from './caller.ts';
import { waitWithin } from './healing.ts';
import { type Fulfillment, openTill, type Payout } from './payouts.ts';
import type { Conversion } from './shop.ts';
import type { Database } from '#platform/postgres/database.ts';

/** The ids of the conversions that were paid or rejected, and the external id of the order that was refunded. */
export type Kept = {
  readonly paid: readonly number[];
  readonly rejected: readonly number[];
  readonly sentBack: string;
};

type Order = Conversion & { readonly externalId: string };

/** The name of the program in `history.ts` whose conversions a person approves. */
const PROGRAM = 'By hand';
const ENOUGH = 6;
const LIMIT_MS = 30_000;

/**
 * Does a merchant's work with six conversions of the transactions that `isTheirs` selects. Approves one conversion
 * alone, rejects another, and approves four in bulk.
 *
 * The first payout run fails, and the second run pays four conversions. The order in the third run is refunded after
 * its payout was created, and the payout is reviewed. Every call must succeed.
 */
export async function keepBooks(url: string, key: string, isTheirs: (transactionId: number) => boolean): Promise<Kept> {
  const { send, leave } = openCaller(url);
  // The service answers 503 if a call would wait too long. This function repeats such a call, and also a call whose
  // earlier attempt is still in progress.
  const insist: Request = async (method, path, options = {}) => {
    const headers = method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {};
    const deadline = performance.now() + LIMIT_MS;
    for (;;) {
      const reply = await send(method, path, { ...options, headers });
      const isToCome = reply.status === 503 || reply.text.includes('idempotency-in-flight');
      if (!isToCome || performance.now() > deadline) return reply;
    }
  };
  const till = openTill({ request: insist, secretKey: key });
  const post = async (path: string, body: object): Promise<void> => {
    const reply = await insist('POST', path, { key, body });
    assert.equal(reply.status, 200, `${path}: ${reply.text}`);
  };
  const get = async <Body>(path: string): Promise<Body> => {
    const reply = await insist('GET', path, { key });
    assert.equal(reply.status, 200, `${path}: ${reply.text}`);
    return reply.body as Body;
  };

  async function findPending(): Promise<Order[]> {
    const programs = await get<{ id: number; name: string }[]>('/v1/programs');
    const programId = programs.find(({ name }) => name === PROGRAM)?.id;
    const pending = await get<Conversion[]>(`/v1/conversions?status=pending&programId=${programId}&perPage=100`);
    const orders: Order[] = [];
    for (const one of pending.filter(({ transactionId }) => isTheirs(transactionId))) {
      const { externalId } = await get<{ externalId: string }>(`/v1/transactions/${one.transactionId}`);
      if (!isSentBack(externalId)) orders.push({ ...one, externalId });
      if (orders.length === ENOUGH) break;
    }
    return orders;
  }

  const run = (...orders: readonly Order[]): Promise<Fulfillment[]> =>
    till.run({ obligationIds: orders.map(({ obligationId }) => obligationId) });
  const payoutsOf = async (runs: readonly Fulfillment[]): Promise<Payout[]> =>
    (await Promise.all(runs.map(till.payoutsOf))).flat();

  async function pay(runs: readonly Fulfillment[]): Promise<void> {
    for (const { id } of runs) await till.move(id, 'process');
    // A payout whose amount was reversed in full is void, so mark only unpaid payouts as paid.
    for (const { id, status } of await payoutsOf(runs)) if (status === 'unpaid') await till.mark(id, 'paid');
    for (const { id } of runs) await till.move(id, 'complete');
  }

  try {
    let pending: Order[] = [];
    await waitWithin(LIMIT_MS, 'enough of their sales are decided', async () => {
      pending = await findPending();
      return pending.length === ENOUGH;
    });
    const [alone, rejected, comesBack, ...together] = pending as [Order, Order, Order, ...Order[]];
    await post(`/v1/conversions/${alone.id}/approve`, {});
    await post(`/v1/conversions/${rejected.id}/reject`, { reason: 'Not for this one' });
    const ids = [comesBack, ...together].map(({ id }) => id);
    await post('/v1/conversions/bulk', { action: 'approve', ids });

    for (const { id } of await run(alone)) await till.move(id, 'fail');
    await pay(await run(alone, ...together));

    const last = await run(comesBack);
    await post('/v1/event/refund', { source: 'shop', externalId: comesBack.externalId });
    await waitWithin(LIMIT_MS, 'the payout is flagged', async () =>
      (await payoutsOf(last)).every(({ review }) => review.state === 'flagged'),
    );
    for (const { id } of await payoutsOf(last)) await till.review(id, 'claw-back');
    await pay(last);
    return {
      paid: [alone, ...together].map(({ id }) => id),
      rejected: [rejected, comesBack].map(({ id }) => id),
      sentBack: comesBack.externalId,
    };
  } finally {
    leave();
  }
}

/**
 * Asserts that each paid conversion is in exactly one paid payout of a complete run, and that each rejected conversion
 * is in none.
 */
export async function assertKept(database: Database, { paid, rejected }: Kept): Promise<void> {
  const standing = async (ids: readonly number[]): Promise<string[]> => {
    const { rows } = await database.query<{ state: string }>(
      `select concat_ws(' ', c.status, o.status, p.status, f.status) as state
       from conversions c
       join obligations o on o.organization_id = c.organization_id and o.conversion_id = c.id
       left join payouts p on p.organization_id = o.organization_id and p.id = o.payout_id
       left join fulfillments f on f.organization_id = p.organization_id and f.id = p.fulfillment_id
       where c.id = any ($1::bigint[])`,
      [ids],
    );
    return rows.map(({ state }) => state);
  };
  assert.deepEqual(
    await standing(paid),
    paid.map(() => 'approved fulfilled paid complete'),
  );
  assert.deepEqual(
    await standing(rejected),
    rejected.map(() => 'rejected rejected'),
  );
}
