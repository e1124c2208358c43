import type { Examples } from '../example.ts';

export const reports: Examples = {
  async reportVisit({ whence, collaboratorId }) {
    const opportunity = await whence.report.visit({ collaboratorId: 'tracking:ada' });
    // The visitor returns through another link. The opportunity stays the same.
    await whence.report.visit({ collaboratorId }, { opportunity });
  },

  async reportSale({ whence, opportunity }) {
    await whence.report.sale({
      source: 'shop',
      externalId: 'order-1001',
      total: '49.99',
      currency: 'USD',
      trackingId: opportunity,
      items: [
        { externalId: 'mug', name: 'Blue mug', quantity: 2, amount: '19.99' },
        { name: 'Shipping', amount: '10.01', type: 'shipping' },
      ],
    });
  },

  async reportRefund({ whence, transactionId }) {
    // A partial refund. Its own id makes it safe to send again.
    await whence.report.refund({ source: 'shop', externalId: 'order-1001', refundId: 'refund-1', amount: 12 });
    // A refund of the remaining amount.
    await whence.report.refund({ source: 'shop', externalId: 'order-1001' });

    const { refundedAmount } = await whence.transactions.get(transactionId);
    console.log(refundedAmount); // 5000
  },

  async reportCouponApplied({ whence, opportunity }) {
    await whence.report.couponApplied({ code: 'ADA10', trackingId: opportunity });
  },

  async reportCustomEvent({ whence, customEventId, opportunity }) {
    const { slug } = await whence.customEvents.get(customEventId);
    await whence.report.customEvent({ event: slug, trackingId: opportunity });
  },

  async reportEvent({ whence, customEventId }) {
    const { slug } = await whence.customEvents.get(customEventId);
    // Identifies the visitor with your own user id. Has no effect if no collaborator referred the visitor.
    await whence.report.event(slug, { userId: 42 });
  },

  async reportLead({ whence, opportunity }) {
    await whence.report.lead({ source: 'signup', externalId: 'user-7', trackingId: opportunity });
  },

  async reportRefundReversal({ whence, transactionId }) {
    const { source, externalId } = await whence.transactions.get(transactionId);
    await whence.report.refund({ source, externalId, refundId: 'dispute-1', amount: 12 });
    // The dispute was won.
    await whence.report.refundReversal({ source, externalId, refundId: 'dispute-1' });
  },

  async reportSaleCorrection({ whence, transactionId }) {
    const { source, externalId } = await whence.transactions.get(transactionId);
    // The order was edited. Send the new total and all items.
    const items = [{ externalId: 'sku-7', name: 'Blue mug', quantity: 2, amount: '49.99' }];
    await whence.report.saleCorrection({ source, externalId, correctionId: 'edit-1', total: '99.98', items });
  },

  async reportRenewal({ whence, transactionId }) {
    const { source, externalId } = await whence.transactions.get(transactionId);
    await whence.report.renewal({ source, externalId: 'invoice-2', saleExternalId: externalId, total: '9.99' });
  },

  async listEvents({ whence, transactionId }) {
    for await (const event of whence.events.list({ transactionId })) {
      console.log(event.type, event.state); // SaleTriggered done
    }
  },

  async getEvent({ whence, eventId }) {
    const event = await whence.events.get(eventId);
    console.log(event.type); // SaleTriggered
  },

  async retryEvent({ whence, deadLetteredEventId }) {
    const event = await whence.events.retry(deadLetteredEventId);
    console.log(event.state); // pending
  },
};
