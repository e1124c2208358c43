import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openShop, type Shop } from '../support/shop.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  checkoutCompleted,
  type Connector,
  connectStripe,
  disputeOf,
  eventOf,
  invoicePaid,
  recordedFile,
  refundOf,
  type Shape,
} from '../support/stripe.ts';

describe('a Stripe connector', () => {
  let service: TestService;
  let shop: Shop;
  let stripe: Connector;
  let ada: number;
  let oid: string;
  let orders = 0;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({
      reward: { type: 'percent', percent: 10 },
      pays: ['sale', 'renewal'],
      triggers: { 'site-visit': 1, 'coupon-applied': 1 },
      autoApprove: true,
    });
    ada = await shop.collaborator('ada');
    oid = await shop.visit('ada');
    stripe = await connectStripe(service, { settings: { awaitCheckoutHours: 0 } });
  });
  after(() => service.stop());

  /** Returns a new id with the given prefix. */
  function name(prefix: string): string {
    orders += 1;
    return `${prefix}_${orders}`;
  }

  async function earnedBy(externalId: string): Promise<(readonly [collaboratorId: number, amount: number])[]> {
    const conversions = await shop.earned(externalId);
    return conversions.map(({ collaboratorId, amount, status }) => [
      collaboratorId,
      status === 'rejected' ? 0 : amount,
    ]);
  }

  async function last(type: string) {
    await service.settled();
    return (await stripe.events(`&type=${type}`)).at(-1);
  }

  it('credits the collaborator of the tracking id in client_reference_id for a one-time payment', async () => {
    const payment = name('pi');
    await stripe.send(
      checkoutCompleted({ mode: 'payment', payment_intent: payment, client_reference_id: oid, amount_total: 5_000 }),
    );
    assert.deepEqual(await earnedBy(payment), [[ada, 500]]);
    const event = await last('checkout.session.completed');
    assert.equal(event?.state, 'processed');
    assert.deepEqual(event.outcome, [
      {
        verb: 'sale',
        source: 'stripe',
        externalId: payment,
        outcome: 'recorded',
        referral: 'tracking-id',
        isAttributed: true,
      },
    ]);
  });

  for (const shape of ['new', 'old'] as Shape[]) {
    it(`records a subscription and its renewals, with invoices in the ${shape} API format`, async () => {
      const [sub, first, second] = [name('sub'), name('in'), name('in')];
      await stripe.send(
        checkoutCompleted({ mode: 'subscription', subscription: sub, invoice: first, client_reference_id: oid }),
        ...invoicePaid({ id: first, subscription: sub, amount: 2_000, reason: 'subscription_create', shape }),
        ...invoicePaid({ id: second, subscription: sub, amount: 3_000, month: 1, shape }),
      );
      assert.deepEqual(await earnedBy(first), [[ada, 200]]);
      assert.deepEqual(await earnedBy(second), [[ada, 300]]);
    });

    it(`counts the first paid invoice after a trial as the sale, with invoices in the ${shape} API format`, async () => {
      const [sub, trial, first, second] = [name('sub'), name('in'), name('in'), name('in')];
      await stripe.send(
        ...invoicePaid({ id: second, subscription: sub, amount: 2_000, month: 2, shape }),
        ...invoicePaid({ id: first, subscription: sub, amount: 2_000, month: 1, shape }),
        ...invoicePaid({ id: trial, subscription: sub, amount: 0, reason: 'subscription_create', shape }),
        checkoutCompleted({ mode: 'subscription', subscription: sub, invoice: trial, client_reference_id: oid }),
      );
      await service.settled();
      const types = await Promise.all(
        [first, second].map(async (each) => (await shop.transactionOf(each)) as { type?: string }),
      );
      assert.deepEqual(
        types.map(({ type }) => type),
        ['sale', 'renewal'],
      );
    });

    it(`reverses part of the commission for a partial refund, with invoices in the ${shape} API format`, async () => {
      const [sub, first, refund] = [name('sub'), name('in'), name('re')];
      await stripe.send(
        refundOf('refund.created', { id: refund, payment_intent: `pi_${first}`, amount: 500 }),
        checkoutCompleted({ mode: 'subscription', subscription: sub, invoice: first, client_reference_id: oid }),
        ...invoicePaid({ id: first, subscription: sub, amount: 2_000, reason: 'subscription_create', shape }),
      );
      assert.deepEqual(await earnedBy(first), [[ada, 150]]);
      await stripe.send(refundOf('refund.created', { id: name('re'), payment_intent: `pi_${first}`, amount: 9_900 }));
      assert.deepEqual(await earnedBy(first), [[ada, 0]]);
    });
  }

  it('after 72 hours, counts an invoice as the first of its subscription if no earlier invoice has arrived', async () => {
    const [sub, second, third] = [name('sub'), name('in'), name('in')];
    await stripe.send(
      checkoutCompleted({ mode: 'subscription', subscription: sub, invoice: name('in'), client_reference_id: oid }),
      ...invoicePaid({ id: second, subscription: sub, amount: 2_000, month: 1 }),
      ...invoicePaid({ id: third, subscription: sub, amount: 2_000, month: 2 }),
    );
    await service.settled();
    assert.ok((await stripe.events('&state=waiting')).length >= 2);
    await service.database.query(
      `update connector_events set waiting_since = now() - interval '72 hours', due_at = now()
       where state = 'waiting' and payload like '%' || $1 || '%'`,
      [`"${second}"`],
    );
    assert.deepEqual(await earnedBy(second), [[ada, 200]]);
    assert.deepEqual(await earnedBy(third), [[ada, 200]]);
  });

  it('waits for the Checkout Session of an invoice that names no referral', async () => {
    const patient = await connectStripe(service, { source: 'waits' });
    const [sub, first] = [name('sub'), name('in')];
    await patient.send(...invoicePaid({ id: first, subscription: sub, amount: 2_000, reason: 'subscription_create' }));
    await service.settled();
    assert.deepEqual(await shop.get(`/v1/transactions?externalId=${first}`), []);
    assert.equal((await patient.get()).waitingEvents, 2);
    await patient.send(
      checkoutCompleted({ mode: 'subscription', subscription: sub, invoice: first, client_reference_id: oid }),
    );
    assert.deepEqual(await earnedBy(first), [[ada, 200]]);
  });

  it('records the lines of a real invoice, with separate lines for taxes and discounts', async () => {
    const invoice = { ...recordedFile('invoice'), id: name('in'), metadata: { whence: oid } };
    await stripe.send(eventOf('invoice.paid', invoice));
    await service.settled();
    const { id } = await shop.transactionOf(invoice.id);
    const { lines, total } = await shop.get<{
      total: number;
      lines: { name: string; type: string; amount: number; quantity: number }[];
    }>(`/v1/transactions/${id}`);
    assert.equal(total, 24_512);
    assert.deepEqual(
      lines.map(({ type, amount, quantity }) => [type, amount * quantity]),
      [
        ['product', 17_400],
        ['product', 8_700],
        ['discount', -3_393],
        ['tax', 1_805],
      ],
    );
    assert.deepEqual(await earnedBy(invoice.id), [[ada, 2_271]]);
  });

  it('counts a refund once, even if several events report it', async () => {
    const [payment, refund] = [name('pi'), name('re')];
    const charge = recordedFile('charge.refunded');
    await stripe.send(
      checkoutCompleted({ mode: 'payment', payment_intent: payment, client_reference_id: oid, amount_total: 1_500 }),
      refundOf('refund.created', { id: refund, payment_intent: payment, amount: 500 }),
      eventOf('charge.refunded', {
        ...charge,
        payment_intent: payment,
        refunds: { data: [{ id: refund, amount: 500, currency: 'usd', status: 'succeeded', payment_intent: payment }] },
      }),
      refundOf('refund.updated', { id: refund, payment_intent: payment, amount: 500 }),
    );
    assert.deepEqual(await earnedBy(payment), [[ada, 100]]);
  });

  it('ignores a refund that had failed before it was reported', async () => {
    const [payment, refund] = [name('pi'), name('re')];
    await stripe.send(
      checkoutCompleted({ mode: 'payment', payment_intent: payment, client_reference_id: oid, amount_total: 1_500 }),
      refundOf('refund.failed', { id: refund, payment_intent: payment, amount: 500, status: 'failed' }),
      refundOf('refund.created', { id: refund, payment_intent: payment, amount: 500, status: 'pending' }),
    );
    assert.deepEqual(await earnedBy(payment), [[ada, 150]]);
  });

  it('restores the commission when a refund fails after it was reported', async () => {
    const [payment, refund] = [name('pi'), name('re')];
    await stripe.send(
      checkoutCompleted({ mode: 'payment', payment_intent: payment, client_reference_id: oid, amount_total: 1_500 }),
      refundOf('refund.created', { id: refund, payment_intent: payment, amount: 1_500, status: 'pending' }),
    );
    assert.deepEqual(await earnedBy(payment), [[ada, 0]]);
    await stripe.send(
      refundOf('refund.failed', { id: refund, payment_intent: payment, amount: 1_500, status: 'failed' }),
    );
    assert.deepEqual(await earnedBy(payment), [[ada, 150]]);
    assert.equal((await last('refund.failed'))?.state, 'processed');
  });

  it('restores the commission when a dispute is won, except for the part that other refunds reversed', async () => {
    const [payment, dispute] = [name('pi'), name('dp')];
    await stripe.send(
      checkoutCompleted({ mode: 'payment', payment_intent: payment, client_reference_id: oid, amount_total: 1_500 }),
      refundOf('refund.created', { id: name('re'), payment_intent: payment, amount: 500 }),
      disputeOf('created', { id: dispute, payment_intent: payment, amount: 1_500, status: 'needs_response' }),
    );
    assert.deepEqual(await earnedBy(payment), [[ada, 0]]);
    await stripe.send(disputeOf('closed', { id: dispute, payment_intent: payment, amount: 1_500, status: 'won' }));
    assert.deepEqual(await earnedBy(payment), [[ada, 100]]);
  });

  it('changes nothing when a dispute is won after its amount was refunded', async () => {
    const [payment, dispute] = [name('pi'), name('dp')];
    await stripe.send(
      checkoutCompleted({ mode: 'payment', payment_intent: payment, client_reference_id: oid, amount_total: 1_500 }),
      refundOf('refund.created', { id: name('re'), payment_intent: payment, amount: 1_500 }),
      disputeOf('created', { id: dispute, payment_intent: payment, amount: 1_500, status: 'needs_response' }),
      disputeOf('closed', { id: dispute, payment_intent: payment, amount: 1_500, status: 'won' }),
    );
    assert.deepEqual(await earnedBy(payment), [[ada, 0]]);
    assert.equal((await last('charge.dispute.closed'))?.state, 'processed');
  });

  it('reverses the commission when a dispute is opened', async () => {
    const [payment, dispute] = [name('pi'), name('dp')];
    await stripe.send(
      checkoutCompleted({ mode: 'payment', payment_intent: payment, client_reference_id: oid, amount_total: 1_500 }),
      disputeOf('created', { id: dispute, payment_intent: payment, amount: 1_500, status: 'needs_response' }),
      disputeOf('closed', { id: dispute, payment_intent: payment, amount: 1_500, status: 'lost' }),
    );
    assert.deepEqual(await earnedBy(payment), [[ada, 0]]);
  });

  it('ignores an inquiry, and ignores an open dispute if only lost disputes count', async () => {
    const patient = await connectStripe(service, { source: 'patient', settings: { reverseDisputes: 'lost' } });
    const [payment, dispute] = [name('pi'), name('dp')];
    await patient.send(
      checkoutCompleted({ mode: 'payment', payment_intent: payment, client_reference_id: oid, amount_total: 1_500 }),
      disputeOf('created', { id: name('dp'), payment_intent: payment, amount: 1_500 }),
      disputeOf('created', { id: dispute, payment_intent: payment, amount: 1_500, status: 'needs_response' }),
    );
    assert.deepEqual(await earnedBy(payment), [[ada, 150]]);
    await patient.send(disputeOf('closed', { id: dispute, payment_intent: payment, amount: 1_500, status: 'lost' }));
    assert.deepEqual(await earnedBy(payment), [[ada, 0]]);
  });

  it('records an order without a referral as unattributed', async () => {
    const payment = name('pi');
    await stripe.send(checkoutCompleted({ mode: 'payment', payment_intent: payment, amount_total: 5_000 }));
    await service.settled();
    assert.equal((await shop.transactionOf(payment)).opportunityId, null);
    assert.equal((await last('checkout.session.completed'))?.outcome[0]?.['referral'], 'none');
  });

  it('credits a later order of the same customer to the collaborator of the earlier order', async () => {
    const [first, second, customer] = [name('pi'), name('pi'), name('cus')];
    await stripe.send(
      checkoutCompleted({
        mode: 'payment',
        payment_intent: first,
        customer,
        client_reference_id: oid,
        amount_total: 900,
      }),
      checkoutCompleted({ mode: 'payment', payment_intent: second, customer, amount_total: 5_000 }),
    );
    assert.deepEqual(await earnedBy(second), [[ada, 500]]);
  });

  it('credits the collaborator of a promotion code for an order without a visit', async () => {
    const bob = await shop.collaborator('bob');
    const alias = { type: 'coupon', code: 'FALL20' };
    const added = await service.request('POST', `/v1/collaborators/${bob}/aliases`, {
      key: service.secretKey,
      body: alias,
    });
    assert.equal(added.status, 201);
    const [payment, promotion] = [name('pi'), name('promo')];
    await stripe.send(
      eventOf('promotion_code.created', { id: promotion, code: 'FALL20' }),
      checkoutCompleted({
        mode: 'payment',
        payment_intent: payment,
        amount_total: 5_000,
        discounts: [{ coupon: null, promotion_code: promotion }],
      }),
    );
    assert.deepEqual(await earnedBy(payment), [[bob, 500]]);
  });

  for (const [currency, amount, earned] of [
    ['jpy', 5_000, 50_000],
    ['kwd', 5_000, 50],
    ['isk', 5_000, 500],
    ['eur', 5_000, 500],
  ] as const) {
    it(`converts amounts in ${currency.toUpperCase()} to hundredths`, async () => {
      const payment = name('pi');
      await stripe.send(
        checkoutCompleted({
          mode: 'payment',
          payment_intent: payment,
          client_reference_id: oid,
          amount_total: amount,
          currency,
        }),
      );
      assert.deepEqual(await earnedBy(payment), [[ada, earned]]);
    });
  }
});
