import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verify } from '#verify/verify.ts';
import { problemCode } from '../support/replies.ts';
import { type Conversion, openShop, type Shop } from '../support/shop.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

/** The first key of the advisory lock that a worker takes before it decides sales in order: `work` in ASCII. */
const WORKER_ORDER = 0x776f726b;

describe('POST /v1/transactions/{id}/credits', () => {
  let service: TestService;
  let shop: Shop;

  before(async () => {
    service = await startService();
    shop = openShop(service);
  });

  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  it('credits the program’s reward, and records the author and the note', async () => {
    const { program, transaction, by } = await sold('shown', { reward: { type: 'percent', percent: 7.5 } });
    const reply = await credit(transaction, { collaboratorId: by, programId: program, note: 'Ordered by phone' });
    assert.equal(reply.status, 201, reply.text);
    const conversion = reply.body as Conversion & { type: string; author: string; note: string };
    assert.equal(conversion.amount, 750);
    assert.equal(conversion.type, 'manual');
    assert.match(conversion.author, /^key \d+$/);
    assert.equal(conversion.note, 'Ordered by phone');
    assert.equal(conversion.status, 'pending');
    const { text } = await shop.explain('shown');
    assert.match(text, /7\.5% of 100\.00 USD = 7\.50 USD\. 7\.50 USD awarded, pending/);
  });

  it('credits the submitted amount', async () => {
    const { program, transaction, by } = await sold('named');
    const reply = await credit(transaction, { collaboratorId: by, programId: program, amount: 123 });
    assert.equal((reply.body as Conversion).amount, 123);
  });

  it('approves the credit immediately if the program approves automatically', async () => {
    const { program, transaction, by } = await sold('approved', { autoApprove: true });
    const reply = await credit(transaction, { collaboratorId: by, programId: program });
    assert.equal((reply.body as Conversion).status, 'approved');
  });

  it('credits a collaborator once per transaction and program, even with concurrent requests', async () => {
    const { program, transaction, by } = await sold('once');
    const replies = await Promise.all(
      Array.from({ length: 16 }, () => credit(transaction, { collaboratorId: by, programId: program })),
    );
    assert.deepEqual(countBy(replies), { 201: 1, 409: 15 });
    assert.equal(codeOf(replies.find(({ status }) => status === 409)), 'already-credited');
  });

  it('refuses a credit for a collaborator who already earned from the sale in the program', async () => {
    const { program, transaction, winner } = await sold('earned');
    const reply = await credit(transaction, { collaboratorId: winner, programId: program });
    assert.equal(codeOf(reply), 'already-credited');
  });

  it('counts credits toward caps like other awards', async () => {
    const cap = { period: 'lifetime', amount: 700 };
    const { program, transaction, by } = await sold('capped', { capPerPeriod: cap });
    const other = await sold('capped-too', {});
    const first = await credit(transaction, { collaboratorId: by, programId: program });
    assert.equal((first.body as Conversion).amount, 700);
    const second = await credit(other.transaction, { collaboratorId: by, programId: program });
    assert.deepEqual(faults(second), [{ pointer: '/programId', code: 'cap-reached' }]);
  });

  it('while older reports are undecided, returns 404 for a credit without an amount in a program with a cap', async () => {
    const { program, transaction, by } = await sold('backlog', { capPerPeriod: { period: 'lifetime', amount: 700 } });
    const holder = await service.database.connect();
    try {
      await holder.query('select pg_advisory_lock($1, 1)', [WORKER_ORDER]);
      await shop.sell('backlog-late', await shop.visit('backlog-winner'));
      await holder.query(
        "update events set occurred_at = occurred_at - interval '1 minute' where id = (select max(event_id) from jobs)",
      );
      const priced = await credit(transaction, { collaboratorId: by, programId: program });
      assert.deepEqual([priced.status, codeOf(priced)], [404, 'not-decided']);
      assert.equal((await credit(transaction, { collaboratorId: by, programId: program, amount: 5 })).status, 201);
    } finally {
      holder.release(true);
    }
    await service.settled();
  });

  it('limits the credits of a sale to its total unless aboveTotal is true, and reports the remaining amount', async () => {
    const { program, transaction, by } = await sold('total');
    const other = await shop.collaborator('total-other');
    const third = await shop.collaborator('total-third');
    const give = (collaboratorId: number, amount: number, more: Record<string, unknown> = {}) =>
      credit(transaction, { collaboratorId, programId: program, amount, ...more });
    const first = await give(by, 6000);
    assert.equal(first.status, 201, first.text);
    const refused = await give(other, 4001);
    assert.deepEqual(faults(refused), [{ pointer: '/amount', code: 'exceeds-total' }]);
    assert.match(refused.text, /At most 40\.00 USD can still be credited\./);
    assert.equal((await give(other, 4000)).status, 201);
    assert.deepEqual(faults(await credit(transaction, { collaboratorId: third, programId: program })), [
      { pointer: '/amount', code: 'exceeds-total' },
    ]);
    assert.equal((await give(third, 1, { aboveTotal: false })).status, 422);
    assert.equal((await give(third, 20_000, { aboveTotal: true })).status, 201);
  });

  it('frees the amount of a rejected credit for other credits', async () => {
    const { program, transaction, by, winner } = await sold('total-again');
    const { id } = (await credit(transaction, { collaboratorId: by, programId: program, amount: 10_000 }))
      .body as Conversion;
    const more = await shop.program({ name: 'Bonus' });
    const again = () => credit(transaction, { collaboratorId: winner, programId: more, amount: 10_000 });
    assert.equal((await again()).status, 422);
    const body = { reason: 'A mistake' };
    await service.request('POST', `/v1/conversions/${id}/reject`, { key: service.secretKey, body });
    assert.equal((await again()).status, 201);
  });

  it('limits concurrent credits of different collaborators to the sale’s total', async () => {
    const { program, transaction } = await sold('total-race');
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => shop.collaborator(`total-race-${n}`)));
    const replies = await Promise.all(
      all.map((collaboratorId) => credit(transaction, { collaboratorId, programId: program, amount: 3000 })),
    );
    assert.deepEqual(countBy(replies), { 201: 3, 422: 5 });
  });

  it('accepts at most 100 credits of a transaction, including rejected credits', async () => {
    const { program, transaction } = await sold('many');
    const all = await Promise.all(Array.from({ length: 101 }, (_, n) => shop.collaborator(`many-${n}`)));
    const statuses = new Set<number>();
    for (const collaboratorId of all.slice(1)) {
      const { status } = await credit(transaction, { collaboratorId, programId: program, amount: 1 });
      statuses.add(status);
    }
    assert.deepEqual([...statuses], [201]);
    const [some] = await shop.get<{ id: number }[]>('/v1/conversions?type=manual&perPage=1');
    const body = { reason: 'A mistake' };
    await service.request('POST', `/v1/conversions/${some?.id}/reject`, { key: service.secretKey, body });
    const more = await credit(transaction, { collaboratorId: all[0], programId: program, amount: 1 });
    assert.deepEqual([more.status, problemCode(more)], [409, 'invalid-transition']);
  });

  it('doesn’t limit the credits of a lead to a total, because a lead has none', async () => {
    const program = await shop.program({ name: 'leads', reward: { type: 'per-lead', amount: 100 } });
    const by = await shop.collaborator('lead-by');
    await shop.collaborator('lead-winner');
    await shop.lead(await shop.visit('lead-winner'), { source: 'shop', externalId: 'credited-lead' });
    await service.settled();
    const { id } = await shop.transactionOf('credited-lead');
    const reply = await credit(id, { collaboratorId: by, programId: program, amount: 1_000_000 });
    assert.equal(reply.status, 201, reply.text);
  });

  it('reduces the credit in proportion to earlier partial refunds', async () => {
    const { program, transaction, by, externalId } = await sold('refunded-in-part', { autoApprove: true });
    const refund = { source: 'shop', externalId, refundId: 'r-1', amount: 40 };
    await service.request('POST', '/v1/event/refund', { key: service.secretKey, body: refund });
    const reply = await credit(transaction, { collaboratorId: by, programId: program });
    const { id } = reply.body as Conversion;
    await service.settled();
    assert.equal((await shop.get<Conversion>(`/v1/conversions/${id}`)).amount, 600);
  });

  it('refuses a credit for a refunded sale', async () => {
    const { program, transaction, by, externalId } = await sold('refunded');
    await shop.refund(externalId);
    const reply = await credit(transaction, { collaboratorId: by, programId: program });
    assert.equal(codeOf(reply), 'invalid-transition');
  });

  it('reports why the program would pay nothing', async () => {
    const { program, transaction, by } = await sold('euro', {
      reward: { type: 'per-sale', amount: 5 },
      currency: 'EUR',
    });
    const reply = await credit(transaction, { collaboratorId: by, programId: program });
    assert.deepEqual(faults(reply), [{ pointer: '/programId', code: 'currency-mismatch' }]);
  });

  it('refuses a credit for an unknown transaction, collaborator or program', async () => {
    const { program, transaction, by } = await sold('unknown');
    assert.equal(codeOf(await credit(999_999, { collaboratorId: by, programId: program })), 'not-found');
    assert.deepEqual(faults(await credit(transaction, { collaboratorId: 999_999, programId: program })), [
      { pointer: '/collaboratorId', code: 'unknown-collaborator' },
    ]);
    assert.deepEqual(faults(await credit(transaction, { collaboratorId: by, programId: 999_999 })), [
      { pointer: '/programId', code: 'unknown-program' },
    ]);
    assert.deepEqual(faults(await credit(transaction, { collaboratorId: 999_999, programId: 999_999 })), [
      { pointer: '/collaboratorId', code: 'unknown-collaborator' },
      { pointer: '/programId', code: 'unknown-program' },
    ]);
  });

  it('returns every fault of the request', async () => {
    const reply = await credit(1, { amount: 0, note: '' });
    assert.deepEqual(faults(reply), [
      { pointer: '/collaboratorId', code: 'required' },
      { pointer: '/programId', code: 'required' },
      { pointer: '/amount', code: 'out-of-range' },
      { pointer: '/note', code: 'too-short' },
    ]);
  });

  /** Creates a program, a sale of 100.00 that one collaborator referred, and a second collaborator. */
  async function sold(name: string, terms: Record<string, unknown> = {}) {
    const program = await shop.program({ name, ...terms });
    const winner = await shop.collaborator(`${name}-winner`);
    const by = await shop.collaborator(`${name}-by`);
    await shop.sell(name, await shop.visit(`${name}-winner`));
    await service.settled();
    const { id } = await shop.transactionOf(name);
    return { program, winner, by, transaction: id, externalId: name };
  }

  function credit(transaction: number, body: Record<string, unknown>): Promise<Reply> {
    return service.request('POST', `/v1/transactions/${transaction}/credits`, { key: service.secretKey, body });
  }
});

function codeOf(reply: Reply | undefined): string {
  return (reply as Reply & { body: { code: string } }).body.code;
}

function faults(reply: Reply): { pointer: string; code: string }[] {
  const { errors } = reply.body as { errors: { pointer: string; code: string }[] };
  return errors.map(({ pointer, code }) => ({ pointer, code }));
}

function countBy(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
