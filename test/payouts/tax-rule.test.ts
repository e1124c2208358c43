import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { waitsFor } from '../support/paused.ts';
import { openTill, type Payout, type Till, TAX_DETAILS } from '../support/payouts.ts';
import { openMailbox, openPortal } from '../support/portal.ts';
import { problemCode, problemDetail } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Obligation, type Shop } from '../support/shop.ts';

describe('payouts that require tax details', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let ada: number;
  let ben: number;
  let client: Client;
  let orders = 0;
  before(async () => {
    service = await startService({}, async (connectionString) => {
      client = new Client({ connectionString });
      await client.connect();
    });
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    ada = await shop.collaborator('ada', { email: 'ada@tax.example' });
    ben = await shop.collaborator('ben');
    await enter(ada, TAX_DETAILS);
  });
  after(async () => {
    await client.end();
    await service.stop();
  });

  const require = (taxDetails = 'required') => shop.change('/v1/payout-settings', { taxDetails });
  const enter = async (id: number, taxDetails: object | null): Promise<void> => {
    await shop.change(`/v1/collaborators/${id}/tax-details`, { taxDetails });
  };
  const sell = async (code: string, total: number): Promise<void> => {
    orders += 1;
    await shop.sell(`order-${orders}`, await shop.visit(code), { total });
    await service.settled();
  };
  const payees = (payouts: readonly Payout[]) => payouts.map(({ collaboratorId }) => collaboratorId);
  const pendingOf = (id: number) => shop.get<Obligation[]>(`/v1/obligations?collaboratorId=${id}&status=pending`);
  /** Creates a run with an unpaid payout of the collaborator. */
  const payoutTo = async (code: string, id: number): Promise<Payout> => {
    await sell(code, 100);
    const payouts = await till.payoutsOf(
      await till.runOne({ obligationIds: (await pendingOf(id)).map((each) => each.id) }),
    );
    return payouts[0] as Payout;
  };

  it('a run excludes and names collaborators without tax details, and pays them once they have entered the details', async () => {
    await sell('ada', 100);
    await sell('ben', 200);
    await require('asked');
    assert.deepEqual((await till.preview())[0]?.carriedForward, []);
    await require();
    const [plan] = await till.preview();
    assert.deepEqual(plan?.carriedForward, [{ collaboratorId: ben, amount: 2_000, reason: 'no-tax-details' }]);
    assert.deepEqual(payees(await till.payoutsOf(await till.runOne())), [ada]);
    assert.equal((await pendingOf(ben)).length, 1, 'the obligation waits for the next run');
    assert.deepEqual(await till.run(), []);
    await enter(ben, TAX_DETAILS);
    assert.deepEqual(payees(await till.payoutsOf(await till.runOne())), [ben]);
    await enter(ben, null);
  });

  it('a run of selected obligations is refused with a reason if none of their collaborators has tax details', async () => {
    await sell('ben', 100);
    const obligationIds = (await pendingOf(ben)).map(({ id }) => id);
    const refused = await service.request('POST', '/v1/fulfillments', {
      key: service.secretKey,
      body: { obligationIds },
    });
    assert.equal(problemCode(refused), 'invalid-transition');
    assert.match(problemDetail(refused), new RegExp(`collaborators have none: ${ben}\\.`));
    await require('asked');
    await till.runOne({ obligationIds });
  });

  it('an existing payout without tax details can’t be marked paid alone, in bulk, with its run, or with a result file', async () => {
    await require('asked');
    const payout = await payoutTo('ben', ben);
    await require();
    const refused = await till.tryPayout(payout.id, 'mark-paid');
    assert.deepEqual([refused.status, problemCode(refused)], [409, 'invalid-transition']);
    assert.match(problemDetail(refused), /tax details/);
    const bulk = await service.request('POST', '/v1/payouts/bulk', {
      key: service.secretKey,
      body: { action: 'mark-paid', ids: [payout.id] },
    });
    assert.deepEqual(bulk.body, [{ id: payout.id, outcome: 'invalid-transition', status: 'unpaid' }]);
    const files = await shop.get<{ leftOut: object[] }>(`/v1/fulfillments/${payout.fulfillmentId}/payment-files`);
    assert.deepEqual(files.leftOut, [
      { payoutId: payout.id, collaboratorId: ben, amount: 1_000, reason: 'no-tax-details' },
    ]);
    const results = await service.request('POST', '/v1/payouts/results', {
      key: service.secretKey,
      body: { file: `reference,amount,currency,status\nPAYOUT-${payout.id},10.00,USD,paid\n` },
    });
    assert.equal((results.body as { payments: { outcome: string }[] }).payments[0]?.outcome, 'no-tax-details');
    await till.move(payout.fulfillmentId, 'process');
    assert.equal((await till.move(payout.fulfillmentId, 'complete')).status, 'processing');
    await enter(ben, TAX_DETAILS);
    assert.equal((await till.move(payout.fulfillmentId, 'complete')).status, 'complete');
    await enter(ben, null);
  });

  it('a payout can’t be requested without tax details', async () => {
    await shop.change('/v1/payout-settings', { requestMinimum: 0 });
    await sell('ada', 100);
    await enter(ada, null);
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    const page = await portal.enter('ada@tax.example');
    await page.must('PATCH', '/v1/portal/account', { payoutDetails: { method: 'paypal', account: 'ada@tax.example' } });
    const refused = await page.call('POST', '/v1/portal/payout-requests', { currency: 'USD' });
    assert.match(problemDetail(refused), /tax details/);
    await page.must('PATCH', '/v1/portal/tax-details', { taxDetails: TAX_DETAILS });
    assert.equal((await page.call('POST', '/v1/portal/payout-requests', { currency: 'USD' })).status, 201);
  });

  it('a run waits for a concurrent removal of tax details, and then excludes the collaborator', async () => {
    await enter(ada, TAX_DETAILS);
    await sell('ada', 100);
    await client.query('begin');
    await client.query('delete from tax_details where collaborator_id = $1', [ada]);
    const running = till.run();
    await waitsFor(service.database, client);
    await client.query('commit');
    assert.deepEqual(await running, []);
    await enter(ada, TAX_DETAILS);
    assert.deepEqual(payees(await till.payoutsOf(await till.runOne())), [ada]);
  });

  it('a run waits for a concurrent change of the tax setting, and then applies it', async () => {
    await enter(ada, null);
    await require('asked');
    await sell('ada', 100);
    await client.query('begin');
    await client.query(`update payout_settings set tax_details = 'required'`);
    const running = till.run();
    await waitsFor(service.database, client);
    await client.query('commit');
    assert.deepEqual(await running, []);
    assert.notEqual((await pendingOf(ada)).length, 0);
  });

  it('a run waits for the concurrent first tax setting of an organization, and then applies it', async () => {
    await client.query('delete from payout_settings');
    await client.query('begin');
    await client.query(`insert into payout_settings (organization_id, tax_details) values (1, 'required')`);
    const running = till.run();
    await waitsFor(service.database, client);
    await client.query('commit');
    assert.deepEqual(await running, []);
    assert.notEqual((await pendingOf(ada)).length, 0);
  });
});
