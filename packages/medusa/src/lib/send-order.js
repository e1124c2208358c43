const { createHmac } = require('node:crypto');

/** The name under which medusa-config lists this plugin. */
const PLUGIN = '@whence/medusa';

/** The fields of an order that Whence reads. Other fields, such as addresses, are not sent. */
const FIELDS = [
  'id',
  'status',
  'currency_code',
  'customer_id',
  'metadata',
  'updated_at',
  'canceled_at',
  'total',
  'discount_subtotal',
  'shipping_subtotal',
  'tax_total',
  'items.variant_sku',
  'items.product_id',
  'items.product_title',
  'items.title',
  'items.quantity',
  'items.subtotal',
  'items.detail.return_received_quantity',
  'items.detail.return_dismissed_quantity',
  'items.detail.written_off_quantity',
  'promotions.code',
  'payment_collections.payments.captures.amount',
  'payment_collections.payments.captures.created_at',
  'payment_collections.payments.refunds.id',
  'payment_collections.payments.refunds.amount',
  'payment_collections.payments.refunds.created_at',
];

const TIMEOUT_MS = 10_000;

/**
 * Sends the current state of an order to the connector. Does nothing if the order doesn't exist. Throws an error if
 * Whence doesn't accept the order.
 */
async function sendOrder(container, orderId) {
  const { url, secret } = settingsOf(container);
  const { data: orders } = await container
    .resolve('query')
    .graph({ entity: 'order', fields: FIELDS, filters: { id: orderId } });
  if (orders[0] === undefined) return;
  const body = JSON.stringify(orders[0]);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-whence-signature': createHmac('sha256', secret).update(body).digest('base64'),
    },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(
      `Whence did not accept the order ${orderId}: ${response.status} ${text.slice(0, 500)}. The hourly job sends it again.`,
    );
}

/** Returns the plugin's options. Throws an error if an option is missing. */
function settingsOf(container) {
  const { plugins = [] } = container.resolve('configModule');
  const { options = {} } = plugins.find((plugin) => plugin.resolve === PLUGIN) ?? {};
  const { url, secret } = options;
  if (!url || !secret) throw new Error('The plugin needs its options url and secret. Set them in medusa-config.');
  return { url, secret };
}

module.exports = { sendOrder };
