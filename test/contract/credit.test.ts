import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verify } from '#store/verify.ts';
import { type Conversion, openShop, type Shop } from '#test/support/shop.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';

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

  it('pays what the program pays, with its author and note on record', async () => {
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
    assert.match(text, /7\.5% of 100\.00 USD = 7\.50 USD; 7\.50 USD awarded, pending/);
  });

  it('pays the amount that it names', async () => {
    const { program, transaction, by } = await sold('named');
    const reply = await credit(transaction, { collaboratorId: by, programId: program, amount: 123 });
    assert.equal((reply.body as Conversion).amount, 123);
  });

  it('approves at once where the program does', async () => {
    const { program, transaction, by } = await sold('approved', { autoApprove: true });
    const reply = await credit(transaction, { collaboratorId: by, programId: program });
    assert.equal((reply.body as Conversion).status, 'approved');
  });

  it('credits a collaborator once for a transaction and a program', async () => {
    const { program, transaction, by } = await sold('once');
    const replies = await Promise.all(
      Array.from({ length: 16 }, () => credit(transaction, { collaboratorId: by, programId: program })),
    );
    assert.deepEqual(countBy(replies), { 201: 1, 409: 15 });
    assert.equal(codeOf(replies.find(({ status }) => status === 409)), 'already-credited');
  });

  it('refuses one who has earned by the sale in the program already', async () => {
    const { program, transaction, winner } = await sold('earned');
    const reply = await credit(transaction, { collaboratorId: winner, programId: program });
    assert.equal(codeOf(reply), 'already-credited');
  });

  it('counts for caps like any award', async () => {
    const cap = { period: 'lifetime', amount: 700 };
    const { program, transaction, by } = await sold('capped', { capPerPeriod: cap });
    const other = await sold('capped-too', {});
    const first = await credit(transaction, { collaboratorId: by, programId: program });
    assert.equal((first.body as Conversion).amount, 700);
    const second = await credit(other.transaction, { collaboratorId: by, programId: program });
    assert.deepEqual(faults(second), [{ pointer: '/programId', code: 'cap-reached' }]);
  });

  it('takes off what was refunded before', async () => {
    const { program, transaction, by, externalId } = await sold('refunded-in-part', { autoApprove: true });
    const refund = { source: 'shop', externalId, refundId: 'r-1', amount: 40 };
    await service.request('POST', '/v1/event/refund', { key: service.secretKey, body: refund });
    const reply = await credit(transaction, { collaboratorId: by, programId: program });
    const { id } = reply.body as Conversion;
    await service.settled();
    assert.equal((await shop.get<Conversion>(`/v1/conversions/${id}`)).amount, 600);
  });

  it('refuses a refunded sale', async () => {
    const { program, transaction, by, externalId } = await sold('refunded');
    await shop.refund(externalId);
    const reply = await credit(transaction, { collaboratorId: by, programId: program });
    assert.equal(codeOf(reply), 'invalid-transition');
  });

  it('says why a program would pay nothing', async () => {
    const { program, transaction, by } = await sold('euro', {
      reward: { type: 'per-sale', amount: 5 },
      currency: 'EUR',
    });
    const reply = await credit(transaction, { collaboratorId: by, programId: program });
    assert.deepEqual(faults(reply), [{ pointer: '/programId', code: 'currency-mismatch' }]);
  });

  it('refuses an unknown transaction, collaborator and program', async () => {
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

  it('tells every fault at once', async () => {
    const reply = await credit(1, { amount: 0, note: '' });
    assert.deepEqual(faults(reply), [
      { pointer: '/collaboratorId', code: 'required' },
      { pointer: '/programId', code: 'required' },
      { pointer: '/amount', code: 'out-of-range' },
      { pointer: '/note', code: 'too-short' },
    ]);
  });

  /** A sale of 100.00 that one collaborator has earned by, and another one who has not. */
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
