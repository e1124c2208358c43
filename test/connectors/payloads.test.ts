import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forgetSome } from '#privacy/reactions/forget.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { checkoutCompleted, type Connector, connectStripe, eventOf, invoicePaid, refundOf } from '../support/stripe.ts';

describe('the payloads of connector events', () => {
  let service: TestService;
  let shop: Shop;
  let stripe: Connector;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ pays: ['sale', 'renewal'] });
    await shop.collaborator('ada');
    stripe = await connectStripe(service);
  });
  after(() => service.stop());

  async function keptOf(pattern: string): Promise<string[]> {
    const { rows } = await service.database.query<{ type: string }>(
      `select type from connector_events where payload like '%' || $1 || '%' order by id`,
      [pattern],
    );
    return rows.map(({ type }) => type);
  }

  it('are deleted for all orders of an erased visitor, and for a waiting event once the event is processed', async () => {
    const oid = await shop.visit('ada', { userId: 21 });
    const other = await shop.visit('ada', { userId: 22 });
    const customer = 'cus_erased';
    await stripe.send(
      checkoutCompleted({
        mode: 'payment',
        payment_intent: 'pi_a',
        customer,
        amount_total: 900,
        client_reference_id: oid,
      }),
      ...invoicePaid({ id: 'in_a', customer, amount: 900, metadata: { whence: oid } }),
      eventOf('customer.subscription.updated', { id: 'sub_a', customer }),
      refundOf('refund.created', { id: 're_a', payment_intent: 'pi_a_later', customer, amount: 100 }),
      checkoutCompleted({
        mode: 'payment',
        payment_intent: 'pi_b',
        customer: 'cus_b',
        amount_total: 900,
        client_reference_id: other,
      }),
    );
    await service.settled();
    assert.equal((await keptOf(customer)).length, 4);
    const body = { userId: 21 };
    assert.equal((await service.request('POST', '/v1/visitors/erase', { key: service.secretKey, body })).status, 200);
    assert.deepEqual(await keptOf(customer), ['refund.created'], 'the refund waits for its order');
    assert.equal((await keptOf('cus_b')).length, 1);

    await stripe.send(
      checkoutCompleted({ mode: 'payment', payment_intent: 'pi_a_later', customer, amount_total: 500 }),
    );
    await service.settled();
    const transactions = await shop.get<{ refundedAmount: number }[]>('/v1/transactions?externalId=pi_a_later');
    assert.equal(transactions[0]?.refundedAmount, 100);
    assert.deepEqual(await keptOf('re_a'), []);
  });

  it('are deleted after the retention period, unless the event is still waiting', async () => {
    await stripe.send(
      eventOf('plan.created', { id: 'plan_old' }),
      refundOf('refund.created', { id: 're_old', payment_intent: 'pi_none', amount: 100 }),
      eventOf('plan.created', { id: 'plan_new' }),
    );
    await service.settled();
    await service.database.query(
      `update connector_events set received_at = now() - interval '91 days' where payload like '%\\_old%'`,
    );
    await forgetSome(service.database, { connectorPayloadDays: 0 });
    assert.deepEqual(await keptOf('plan_old'), ['plan.created'], 'the setting 0 keeps payloads forever');
    await forgetSome(service.database, { connectorPayloadDays: 90 });
    assert.deepEqual(await keptOf('plan_old'), []);
    assert.deepEqual(await keptOf('re_old'), ['refund.created']);
    assert.deepEqual(await keptOf('plan_new'), ['plan.created']);
    const [found] = await stripe.events('&type=plan.created');
    const path = `/v1/connectors/${stripe.id}/events/${found?.id}`;
    const { body } = await service.request('GET', path, { key: service.secretKey });
    assert.equal((body as { payload: unknown }).payload, null);
  });
});
