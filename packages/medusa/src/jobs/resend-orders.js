const { sendOrder } = require('../lib/send-order.js');

const DAY_MS = 86_400_000;

/** The maximum number of orders or payments that one query returns. */
const PAGE = 100;

/**
 * Sends an order again if the order or one of its payments changed in the last two days, in case an event was lost.
 * Stops at the first order that can't be sent or is refused. Whence stores each state of an order only once.
 */
async function resendOrders(container) {
  const logger = container.resolve('logger');
  const since = new Date(Date.now() - 2 * DAY_MS);
  for (const orderId of await changedOrders(container, since)) {
    try {
      await sendOrder(container, orderId);
    } catch (error) {
      logger.error(`Whence: ${error.message}`);
      return;
    }
  }
}

async function changedOrders(container, since) {
  const query = container.resolve('query');
  const found = new Set();
  const addAll = async (entity, fields, filters, idOf) => {
    for (let skip = 0; ; skip += PAGE) {
      const { data } = await query.graph({
        entity,
        fields,
        filters,
        pagination: { skip, take: PAGE, order: { id: 'ASC' } },
      });
      for (const row of data) found.add(idOf(row));
      if (data.length < PAGE) return;
    }
  };
  await addAll('order', ['id'], { updated_at: { $gte: since } }, ({ id }) => id);
  await addAll(
    'payment',
    ['id', 'payment_collection.order.id'],
    { updated_at: { $gte: since } },
    (payment) => payment.payment_collection?.order?.id,
  );
  found.delete(undefined);
  return found;
}

module.exports = { default: resendOrders, config: { name: 'whence-resend-orders', schedule: '23 * * * *' } };
