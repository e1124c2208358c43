const { sendOrder } = require('../lib/send-order.js');

/**
 * Sends the order that an event is about. If sending fails, logs the error. The hourly job in jobs/ then sends the
 * order.
 */
async function onOrderEvent({ event, container }) {
  try {
    const orderId = await orderIdOf(event, container);
    if (orderId !== undefined) await sendOrder(container, orderId);
  } catch (error) {
    container.resolve('logger').error(`Whence: ${error.message}`);
  }
}

/**
 * Returns the id of the event's order. Events of payments contain only the id of the payment. Returns undefined if the
 * payment has no order.
 */
async function orderIdOf({ name, data }, container) {
  if (!name.startsWith('payment.')) return data.order_id ?? data.id;
  const query = container.resolve('query');
  const fields = ['payment_collection.order.id'];
  const { data: payments } = await query.graph({ entity: 'payment', fields, filters: { id: data.id } });
  return payments[0]?.payment_collection?.order?.id;
}

module.exports = {
  default: onOrderEvent,
  config: {
    event: [
      'order.placed',
      'order.updated',
      'order.canceled',
      'order-edit.confirmed',
      'payment.captured',
      'payment.refunded',
    ],
  },
};
