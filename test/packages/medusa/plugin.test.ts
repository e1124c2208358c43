import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { type ConnectedShop, openConnectedShop } from '#test/support/connected-shop.ts';
import { MEDUSA_SECRET, type MedusaOrder, recordedOrder } from '../../connectors/medusa-orders.ts';

/*
 * Medusa needs about 1,000 packages. So the tests of this file run the plugin with a stand-in for Medusa's container.
 * The container's queries return recorded orders. packages/medusa/README.md says how to test the plugin in Medusa
 * itself.
 */

const load = createRequire(import.meta.url);
type Container = { resolve: (name: string) => unknown };
type Event = { readonly name: string; readonly data: Readonly<Record<string, string>> };
const subscriber = load('../../../packages/medusa/src/subscribers/orders.js') as {
  default: (args: { event: Event; container: Container }) => Promise<void>;
  config: { event: string[] };
};
const job = load('../../../packages/medusa/src/jobs/resend-orders.js') as {
  default: (container: Container) => Promise<void>;
};

describe('the Medusa plugin', () => {
  let shop: ConnectedShop<MedusaOrder>;
  let order: MedusaOrder;
  let errors: string[];
  before(async () => {
    shop = await openConnectedShop({
      kind: 'medusa',
      secret: MEDUSA_SECRET,
      program: { reward: { type: 'percent', percent: 10 } },
      sign: () => assert.fail('the plugin signs'),
    });
  });
  after(() => shop.stop());

  function container(secret = MEDUSA_SECRET): Container {
    errors = [];
    const url = `${shop.service.url}${shop.path}/webhook`;
    const rows: Readonly<Record<string, unknown>> = {
      payment: { id: 'pay_1', payment_collection: { order: { id: order.id } } },
      order,
    };
    const parts: Readonly<Record<string, unknown>> = {
      configModule: { plugins: [{ resolve: 'another' }, { resolve: '@whence/medusa', options: { url, secret } }] },
      query: { graph: ({ entity }: { entity: string }) => Promise.resolve({ data: [rows[entity]] }) },
      logger: { error: (text: string) => errors.push(text) },
    };
    return { resolve: (name) => parts[name] };
  }

  const receives = (name: string, data: Record<string, string>, of = container()) =>
    subscriber.default({ event: { name, data }, container: of });

  it('sends the order, signed with the secret, after events that can change its amounts', async () => {
    order = recordedOrder('captured', { id: 'order_1', metadata: { whence: shop.oid } });
    await receives('order.placed', { id: 'order_1' });
    await shop.service.settled();
    assert.deepEqual([await shop.earned('order_1'), errors], [[[shop.ada, 427]], []]);

    order = recordedOrder('refunded', { id: 'order_1', metadata: { whence: shop.oid } });
    await receives('payment.refunded', { id: 'pay_1' });
    await shop.service.settled();
    assert.deepEqual([await shop.earned('order_1'), errors], [[[shop.ada, 352]], []]);
  });

  it('logs why an order was not accepted, and sends the order again with the hourly job', async () => {
    order = recordedOrder('captured', { id: 'order_2', metadata: { whence: shop.oid } });
    await receives('order-edit.confirmed', { order_id: 'order_2' }, container('another'));
    assert.match(errors.join(), /Whence did not accept the order order_2: 401 .*The signature is missing/);
    await job.default(container());
    await shop.service.settled();
    assert.deepEqual([await shop.earned('order_2'), errors], [[[shop.ada, 427]], []]);
  });

  it('logs that its options are required if an option is missing', async () => {
    order = recordedOrder('captured', { id: 'order_3' });
    await receives('order.placed', { id: 'order_3' }, container(''));
    assert.deepEqual(errors, ['Whence: The plugin needs its options url and secret. Set them in medusa-config.']);
  });
});
