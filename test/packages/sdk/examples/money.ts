import type { Examples } from '../example.ts';

export const money: Examples = {
  async listObligations({ whence, collaboratorId }) {
    for await (const { amount, currency } of whence.obligations.list({ collaboratorId, status: 'pending' })) {
      console.log(amount, currency);
    }
  },

  async getObligation({ whence, obligationId }) {
    const { status, amount } = await whence.obligations.get(obligationId);
    console.log(status, amount); // draft 500
  },

  async createFulfillments({ whence, conversionId }) {
    await whence.conversions.approve(conversionId);
    // Create one run for each currency. Sums below 1.00 stay pending.
    const runs = await whence.fulfillments.create({ minimum: 100 });
    for (const { currency, amount, payouts } of runs) console.log(currency, amount, payouts); // USD 500 1
  },

  async previewFulfillments({ whence, conversionId }) {
    await whence.conversions.approve(conversionId);
    const [preview] = await whence.fulfillments.preview({ currency: 'USD' });
    console.log(preview?.amount); // 500
  },

  async listFulfillments({ whence }) {
    for await (const run of whence.fulfillments.list({ status: 'processing' })) console.log(run.id, run.amount);
  },

  async getFulfillment({ whence, fulfillmentId }) {
    const { status } = await whence.fulfillments.get(fulfillmentId);
    console.log(status); // pending
  },

  async processFulfillment({ whence, fulfillmentId }) {
    const { status } = await whence.fulfillments.process(fulfillmentId);
    console.log(status); // processing
  },

  async completeFulfillment({ whence, processingFulfillmentId }) {
    const { status } = await whence.fulfillments.complete(processingFulfillmentId);
    console.log(status); // complete
  },

  async failFulfillment({ whence, processingFulfillmentId }) {
    const { status } = await whence.fulfillments.fail(processingFulfillmentId);
    console.log(status); // failed
  },

  async listPaymentFiles({ whence, fulfillmentId }) {
    const { leftOut } = await whence.fulfillments.listPaymentFiles(fulfillmentId);
    for (const { amount, reason } of leftOut) console.log(amount, reason); // 500 no-details
  },

  async downloadPaymentFile({ whence, payableFulfillmentId }) {
    const { files } = await whence.fulfillments.listPaymentFiles(payableFulfillmentId);
    for (const { format, first, last } of files) {
      const file = await whence.fulfillments.downloadPaymentFile(payableFulfillmentId, { format, first, last });
      console.log(format, file.length);
    }
  },

  async getPayerAccount({ whence }) {
    const { iban } = await whence.payerAccount.get();
    if (iban === null) console.log('Set the account before you download a SEPA file.');
  },

  async changePayerAccount({ whence }) {
    const account = { holder: 'Ada’s Mugs', iban: 'DE89 3704 0044 0532 0130 00' };
    const { iban } = await whence.payerAccount.update(account);
    console.log(iban); // DE••••3000
  },

  async getPayoutSettings({ whence }) {
    const { requestMinimum } = await whence.payoutSettings.get();
    if (requestMinimum === null) console.log('Partners can’t request payouts.');
  },

  async changePayoutSettings({ whence }) {
    const { requestMinimum } = await whence.payoutSettings.update({ requestMinimum: 5000 });
    console.log(requestMinimum); // 5000
  },

  async listPayoutRequests({ whence }) {
    for await (const { collaboratorId, amount, currency } of whence.payoutRequests.list()) {
      console.log(collaboratorId, amount, currency);
    }
  },

  async listPayouts({ whence, fulfillmentId }) {
    for await (const payout of whence.payouts.list({ fulfillmentId })) {
      console.log(payout.amount, payout.status); // 500 unpaid
    }
  },

  async getPayout({ whence, payoutId }) {
    const { amount, review } = await whence.payouts.get(payoutId);
    console.log(amount, review.state); // 500 none
  },

  async markPayoutPaid({ whence, payoutId }) {
    const { status } = await whence.payouts.markPaid(payoutId);
    console.log(status); // paid
  },

  async markPayoutUnpaid({ whence, paidPayoutId }) {
    const { status } = await whence.payouts.markUnpaid(paidPayoutId);
    console.log(status); // unpaid
  },

  async failPayout({ whence, payoutId }) {
    const { status, failure } = await whence.payouts.fail(payoutId, { reason: 'Account closed' });
    console.log(status, failure); // void Account closed
  },

  async previewPayoutResults({ whence, payoutId }) {
    const file = `reference,amount,currency,status\nPAYOUT-${payoutId},5.00,USD,paid\n`;
    const { payments } = await whence.payouts.previewResults({ file });
    for (const { outcome } of payments) console.log(outcome); // paid
  },

  async importPayoutResults({ whence, payoutId }) {
    const file = `reference,amount,currency,status,reason\nPAYOUT-${payoutId},5.00,USD,failed,Account closed\n`;
    const { payments } = await whence.payouts.importResults({ file });
    for (const { outcome, reason } of payments) console.log(outcome, reason); // failed Account closed
  },

  async markPayouts({ whence, payoutId }) {
    const outcomes = await whence.payouts.bulk({ action: 'mark-paid', ids: [payoutId] });
    for (const { outcome, status } of outcomes) console.log(outcome, status); // changed paid
  },

  async reviewPayout({ whence, flaggedPayoutId }) {
    const { reasonCount } = (await whence.payouts.get(flaggedPayoutId)).review;
    // `seen` makes the call throw a PreconditionError if the payout has been flagged again in the meantime.
    const seen = { reasons: reasonCount };
    const { review } = await whence.payouts.review(flaggedPayoutId, {
      resolution: 'claw-back',
      note: 'Refunded',
      seen,
    });
    console.log(review.state); // resolved
  },

  async reviewManyPayouts({ whence, flaggedPayoutId }) {
    const decision = { resolution: 'keep', note: 'Paid as goodwill' } as const;
    const { data: read } = await whence.payouts.list({ review: 'flagged', ids: String(flaggedPayoutId) }).page();
    const seen = read.map(({ id, review }) => ({ id, reasons: review.reasonCount }));
    const outcomes = await whence.payouts.reviewMany({ ...decision, ids: seen.map(({ id }) => id), seen });
    for (const { outcome, status } of outcomes) console.log(outcome, status); // changed unpaid
  },

  async exportPayouts({ whence, fulfillmentId }) {
    const csv = await whence.payouts.export({ fulfillmentId });
    console.log(csv.split('\r\n').length); // 3
  },

  async exportPaidYear({ whence }) {
    const csv = await whence.payouts.exportPaidYear({ year: 2026 });
    const [columns = ''] = csv.split('\r\n');
    console.log(columns.split(',', 4).join()); // collaboratorId,name,email,status
  },

  async listBalances({ whence }) {
    // Lists the balances in US dollars, with the highest pending amounts first.
    for await (const { collaboratorName, pending } of whence.balances.list({ currency: 'USD', sort: '-pending' })) {
      console.log(collaboratorName, pending);
    }
  },

  async getOwed({ whence }) {
    for (const { currency, pending } of await whence.owed.get()) console.log(currency, pending);
  },

  async getCollaboratorSignals({ whence }) {
    for (const { collaboratorName, reason, value } of await whence.collaboratorSignals.get())
      console.log(collaboratorName, reason, value);
  },

  async getFigures({ whence }) {
    const { rows } = await whence.figures.get({ from: '2026-09-01', until: '2026-10-01', by: 'day' });
    for (const { day, visits, sales } of rows) console.log(day, visits, sales);
  },

  async listFiguresByCollaborator({ whence }) {
    const period = { from: '2026-09-01', until: '2026-10-01' };
    const results = whence.figures.listByCollaborator({ ...period, currency: 'USD', sort: '-revenue' });
    for await (const { collaboratorName, sales, revenue } of results) console.log(collaboratorName, sales, revenue);
  },

  async listExchangeRates({ whence }) {
    for (const { currency, rate } of await whence.exchangeRates.list({ day: '2026-09-01' })) {
      console.log(currency, rate);
    }
  },

  async saveExchangeRates({ whence }) {
    const rates = [{ currency: 'USD', day: '2026-09-01', rate: '1.0852' }];
    const { changed } = await whence.exchangeRates.save({ rates });
    console.log(changed); // 1
  },

  async importExchangeRates({ whence }) {
    const { changed } = await whence.exchangeRates.import({ file: 'Date,USD,JPY,\n2026-09-02,1.0901,160.02,\n' });
    console.log(changed); // 2
  },

  async getBalance({ whence, collaboratorId }) {
    for (const { currency, pending, paid } of await whence.collaborators.getBalance(collaboratorId)) {
      console.log(currency, pending, paid);
    }
  },

  async getStatement({ whence, collaboratorId }) {
    const { currencies } = await whence.collaborators.getStatement(collaboratorId, {
      from: '2026-01-01T00:00:00Z',
      to: '2027-01-01T00:00:00Z',
    });
    for (const { currency, closing } of currencies) console.log(currency, closing);
  },

  async downloadStatement({ whence, collaboratorId }) {
    const csv = await whence.collaborators.downloadStatement(collaboratorId, { currency: 'USD' });
    console.log(csv.includes('balance')); // true
  },

  async listLedgerEntries({ whence, obligationId }) {
    for await (const entry of whence.ledgerEntries.list({ obligationId, sort: 'id' })) {
      console.log(entry.kind, entry.amount); // award 500
    }
  },

  async getLedgerCheckpoint({ whence }) {
    const { number, hash } = await whence.ledger.getCheckpoint();
    console.log(number, hash);
  },
};
