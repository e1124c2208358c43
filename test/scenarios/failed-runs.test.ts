import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill as openPayouts, type Till as Payouts } from '#test/support/payouts.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openTill, type Till } from '#test/support/till.ts';
import { verify } from '#verify/verify.ts';

describe('a commission in a payout', () => {
  let service: TestService;
  let till: Till;
  let payouts: Payouts;
  before(async () => {
    service = await startService();
    till = openTill(service);
    payouts = openPayouts(service);
    await till.program({ autoApprove: true });
    await till.collaborator('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  /** Returns `kind amount debit → credit` for each ledger entry of a sale's obligation, oldest first. */
  async function entriesOf(sale: string): Promise<string[]> {
    const [conversion] = await till.earned(sale);
    const entries = await till.get<{ kind: string; amount: number; debit: string; credit: string }[]>(
      `/v1/ledger-entries?obligationId=${conversion?.obligationId}&sort=id`,
    );
    return entries.map(({ kind, amount, debit, credit }) => `${kind} ${amount} ${debit} → ${credit}`);
  }
  async function sellTo(...sales: readonly string[]): Promise<void> {
    const oid = await till.visit('ada');
    for (const sale of sales) await till.sell(sale, oid);
    await service.settled();
  }
  const beginning = ['award 1000 expense → pending', 'fulfil 1000 pending → in-payout'];

  it('has ledger entries for its release and its refund after the payout run fails, but none for a clawback', async () => {
    await sellTo('whole', 'part', 'none');
    const run = await payouts.runOne();
    await till.refund('whole', {});
    await till.refunded('part', { refundId: 'r', amount: 40 });
    await service.settled();
    await payouts.move(run.id, 'process');
    await payouts.move(run.id, 'fail');
    const released = [...beginning, 'release 1000 in-payout → pending'];
    assert.deepEqual(await entriesOf('whole'), [...released, 'reject 1000 pending → expense']);
    assert.deepEqual(await entriesOf('part'), [...released, 'reduce 400 pending → expense']);
    assert.deepEqual(await entriesOf('none'), released);
  });

  it('has a ledger entry for the clawback if a reviewer claws it back, even if the payout becomes void', async () => {
    await payouts.runOne();
    const [before] = await till.get<{ id: number }[]>('/v1/payouts?status=unpaid');
    await till.refund('part', {});
    await till.refund('none', {});
    await service.settled();
    assert.ok(before);
    const reply = await service.request('POST', `/v1/payouts/${before.id}/review`, {
      key: service.secretKey,
      body: { resolution: 'claw-back', note: 'Refunded' },
    });
    assert.equal((reply.body as { status: string }).status, 'void', reply.text);
    assert.equal((await entriesOf('part')).at(-1), 'claw-back 600 in-payout → expense');
    assert.equal((await entriesOf('none')).at(-1), 'claw-back 1000 in-payout → expense');
  });

  it('is owed in full after a failed payout run if the refund was reversed, even though a reviewer kept the refunded part', async () => {
    await sellTo('kept');
    const run = await payouts.runOne();
    await till.refunded('kept', { refundId: 'taken', amount: 40 });
    await service.settled();
    const [payout] = await till.get<{ id: number }[]>('/v1/payouts?status=unpaid');
    const key = service.secretKey;
    const kept = { resolution: 'keep', note: 'A goodwill refund' };
    const reviewed = await service.request('POST', `/v1/payouts/${payout?.id}/review`, { key, body: kept });
    assert.equal(reviewed.status, 200, reviewed.text);
    const reversal = { source: 'shop', externalId: 'kept', refundId: 'taken' };
    const reversed = await service.request('POST', '/v1/event/refund-reversal', { key, body: reversal });
    assert.equal(reversed.status, 200, reversed.text);
    await service.settled();
    await payouts.move(run.id, 'process');
    await payouts.move(run.id, 'fail');
    assert.deepEqual(await entriesOf('kept'), [...beginning, 'release 1000 in-payout → pending']);
  });
});
