import type { Examples } from '../example.ts';

export const attribution: Examples = {
  async listOpportunities({ whence }) {
    const { data, estimatedCount } = await whence.opportunities.list({ perPage: 10 });
    console.log(`${data.length} of ${estimatedCount}`); // 0 of 0
  },

  async getOpportunity({ whence, opportunity }) {
    const { id } = await whence.opportunities.get(opportunity);
    console.log(id === opportunity); // true
  },

  async getJourney({ whence, opportunity }) {
    const { steps } = await whence.opportunities.getJourney(opportunity);
    for (const step of steps) console.log(step.at, step.kind);
  },

  async listEngagements({ whence, collaboratorId }) {
    for await (const engagement of whence.engagements.list({ collaboratorId })) console.log(engagement.score);
  },

  async getEngagement({ whence, engagementId }) {
    const { status } = await whence.engagements.get(engagementId);
    console.log(status); // active
  },

  async listTransactions({ whence, transactionId }) {
    // Find the sale by the order’s number in your shop.
    const { data } = await whence.transactions.list({ source: 'shop', externalId: 'order-1001' });
    console.log(data[0]?.id === transactionId); // true
  },

  async totalTransactions({ whence, transactionId }) {
    const { count, totals } = await whence.transactions.total({ ids: String(transactionId), currency: 'USD' });
    console.log(count, totals[0]?.total, totals[0]?.refundedAmount); // 1 5000 0
  },

  async getTransaction({ whence, transactionId }) {
    const { total, currency, lines } = await whence.transactions.get(transactionId);
    console.log(total, currency, lines[0]?.name); // 5000 USD Order
  },

  async explainTransaction({ whence, transactionId }) {
    const { candidates, text } = await whence.transactions.explain(transactionId);
    console.log(candidates[0]?.outcome); // won
    console.log(text);
  },

  async testTransaction({ whence, collaboratorId, programId }) {
    const { explanation, ledgerEntries } = await whence.transactions.test({ collaboratorId, total: 49.99 });
    console.log(explanation.candidates[0]?.programId === programId, ledgerEntries[0]?.kind); // true award
  },

  async creditTransaction({ whence, transactionId, programId }) {
    const grace = await whence.collaborators.create({ name: 'Grace Hopper' });
    const conversion = await whence.transactions.credit(transactionId, {
      collaboratorId: grace.id,
      programId,
      amount: 500,
      note: 'Ordered by phone',
    });
    console.log(conversion.type, conversion.amount); // manual 500
  },

  async listConversions({ whence, conversionId }) {
    for await (const conversion of whence.conversions.list({ status: 'pending' })) {
      console.log(conversion.id === conversionId, conversion.amount); // true 500
    }
  },

  async totalConversions({ whence, conversionId }) {
    const { count, totals } = await whence.conversions.total({ ids: String(conversionId), currency: 'USD' });
    console.log(count, totals[0]?.amount, totals[0]?.rejectedAmount); // 1 500 0
  },

  async getConversion({ whence, conversionId }) {
    const { status, amount, currency } = await whence.conversions.get(conversionId);
    console.log(status, amount, currency); // pending 500 USD
  },

  async approveConversion({ whence, conversionId }) {
    const { status } = await whence.conversions.approve(conversionId);
    console.log(status); // approved
  },

  async rejectConversion({ whence, conversionId }) {
    const { status } = await whence.conversions.reject(conversionId, { reason: 'Order was a test' });
    console.log(status); // rejected
  },

  async releaseConversion({ whence, conversionId }) {
    const { review, status } = await whence.conversions.release(conversionId);
    console.log(review, status); // none pending
  },

  async reviewConversions({ whence, conversionId }) {
    const outcomes = await whence.conversions.bulk({ action: 'approve', ids: [conversionId] });
    for (const { outcome, status } of outcomes) console.log(outcome, status); // changed approved
  },

  async explainConversion({ whence, conversionId }) {
    const { text } = await whence.conversions.explain(conversionId);
    console.log(text);
  },
};
