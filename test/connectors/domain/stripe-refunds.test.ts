import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, UNREADABLE_ADVICE } from '#connectors/domain/connector.ts';
import {
  checkoutCompleted,
  disputeOf,
  eventOf,
  invoicePaid,
  recordedFile,
  recordedObject,
  refundOf,
  type StripeEvent,
} from '../../support/stripe.ts';
import { openTranslator, reasonOf } from '../../support/translated.ts';

const SESSION = { mode: 'payment', payment_intent: 'pi_1', amount_total: 1_000 };

describe('a Stripe refund', () => {
  const sold = () => {
    const world = openTranslator({ reverseDisputes: 'opened' });
    world.take(checkoutCompleted(SESSION));
    return world;
  };

  it('finds its order through the charge, or through the invoice of the charge', () => {
    const { take, reports } = openTranslator({ awaitCheckoutHours: 0 });
    take(invoicePaid({ id: 'in_1', amount: 900, shape: 'old' })[0] as StripeEvent);
    const charge = { ...recordedFile('charge.refunded'), id: 'ch_9', payment_intent: 'pi_9', invoice: 'in_1' };
    take(refundOf('refund.created', { id: 're_1', charge: 'ch_in_1', amount: 100 }));
    take(eventOf('charge.refunded', charge));
    assert.deepEqual(
      reports.map(({ verb, externalId }) => [verb, externalId]),
      [
        ['sale', 'in_1'],
        ['refund', 'in_1'],
        ['refund', 'in_1'],
      ],
    );
  });

  it('is ignored in a charge event without refunds, because it has a separate event', () => {
    assert.equal(
      reasonOf(eventOf('charge.refunded', { ...recordedFile('charge.refunded'), refunds: null })),
      'ignored: The refund is reported by refund.created.',
    );
  });

  it('is reversed once if it fails, and is never reported again', () => {
    const { take, reports } = sold();
    const refund = { id: 're_1', payment_intent: 'pi_1', amount: 100 };
    const kinds = [
      take(refundOf('refund.created', refund)),
      take(refundOf('refund.updated', refund)),
      take(refundOf('refund.failed', { ...refund, status: 'failed' })),
      take(refundOf('refund.updated', { ...refund, status: 'canceled' })),
      take(refundOf('refund.updated', refund)),
    ].map(({ kind }) => kind);
    assert.deepEqual(kinds, ['translated', 'ignored', 'translated', 'ignored', 'ignored']);
    assert.deepEqual(
      reports.map(({ verb }) => verb),
      ['sale', 'refund', 'refund-reversal'],
    );
  });

  it('is not reported if its failure arrives first', () => {
    const { take, reports } = sold();
    const refund = { id: 're_1', payment_intent: 'pi_1', amount: 100 };
    assert.deepEqual(take(refundOf('refund.failed', refund)).kind, 'ignored');
    assert.deepEqual(take(refundOf('refund.created', refund)).kind, 'ignored');
    assert.equal(reports.length, 1);
  });

  it('can’t be reported without a currency', () => {
    const { take } = sold();
    const translation = take(
      refundOf('refund.created', { id: 're_1', payment_intent: 'pi_1', currency: '', created: null }),
    );
    assert.deepEqual(translation, {
      kind: 'failed',
      reason: `The currency of the refund is missing or unknown. ${UNREADABLE_ADVICE}`,
    });
  });

  it('can’t be reported without an id', () => {
    assert.equal(
      reasonOf(refundOf('refund.created', { id: null })),
      `failed: The refund has no id. ${UNREADABLE_ADVICE}`,
    );
  });
});

describe('a Stripe dispute', () => {
  const dispute = { id: 'dp_1', payment_intent: 'pi_1', amount: 1_000, status: 'needs_response' };
  const after = (settings: JsonObject, ...events: readonly StripeEvent[]) => {
    const { take, reports } = openTranslator(settings);
    take(checkoutCompleted(SESSION));
    for (const event of events) take(event);
    return reports.slice(1).map(({ verb }) => verb);
  };
  const created = () => disputeOf('created', dispute);
  const closed = (status: string) => disputeOf('closed', { ...dispute, status });

  it('is reported as a refund when it is opened, and reversed when it is won', () => {
    assert.deepEqual(after({}, created(), disputeOf('funds_withdrawn', dispute)), ['refund']);
    assert.deepEqual(after({}, created(), closed('lost')), ['refund']);
    assert.deepEqual(after({}, created(), closed('won')), ['refund', 'refund-reversal']);
    assert.deepEqual(after({}, created(), disputeOf('funds_reinstated', dispute), closed('won')), [
      'refund',
      'refund-reversal',
    ]);
    assert.deepEqual(after({}, closed('won'), created()), []);
    assert.deepEqual(after({}, closed('lost'), created()), ['refund']);
  });

  it('is reported only when it is lost if `reverseDisputes` has the value `lost`', () => {
    const settings = { reverseDisputes: 'lost' };
    assert.deepEqual(after(settings, created(), closed('won')), []);
    assert.deepEqual(after(settings, created(), closed('lost')), ['refund']);
  });

  it('is ignored while it is an inquiry', () => {
    assert.deepEqual(after({}, disputeOf('created', { ...dispute, status: 'warning_needs_response' })), []);
    assert.deepEqual(after({}, disputeOf('created', { ...dispute, status: null })), ['refund']);
  });
});

describe('a Stripe credit note', () => {
  const noteOf = (type: string, fields: Readonly<Record<string, unknown>>) =>
    eventOf(type, recordedObject('credit_note', { id: 'cn_1', invoice: 'in_1', currency: 'usd', ...fields }));
  const invoiced = () => {
    const world = openTranslator({ awaitCheckoutHours: 0 });
    world.take(invoicePaid({ id: 'in_1', amount: 1_000 })[0] as StripeEvent);
    return world;
  };

  it('is reported as a refund of the amount paid back outside of Stripe, and reversed when it is voided', () => {
    const { take, reports } = invoiced();
    take(noteOf('credit_note.created', { out_of_band_amount: 400 }));
    take(noteOf('credit_note.created', { out_of_band_amount: 400 }));
    take(noteOf('credit_note.voided', { out_of_band_amount: 400, status: 'void' }));
    assert.deepEqual(
      reports.map(({ verb, externalId }) => [verb, externalId]),
      [
        ['sale', 'in_1'],
        ['refund', 'in_1'],
        ['refund-reversal', 'in_1'],
      ],
    );
    const [, refund] = reports;
    assert.ok(refund?.verb === 'refund' && refund.given.kind === 'amount');
    assert.equal(refund.given.amount, 400n);
  });

  it('is not reported if the message that voids it arrives first', () => {
    const { take, reports } = invoiced();
    take(noteOf('credit_note.created', { out_of_band_amount: 400, status: 'void' }));
    take(noteOf('credit_note.created', { out_of_band_amount: 400 }));
    assert.equal(reports.length, 1);
  });

  it('is not reported if it refunds nothing outside of Stripe, and waits if it has no invoice', () => {
    const reason = 'ignored: The credit note refunds nothing outside of Stripe.';
    assert.equal(reasonOf(noteOf('credit_note.created', { out_of_band_amount: null })), reason);
    const lost = noteOf('credit_note.created', { out_of_band_amount: 1, invoice: null });
    assert.equal(reasonOf(lost), 'waiting: The order of this event has not arrived.');
  });
});

describe('other Stripe events', () => {
  it('are ignored if they report no money', () => {
    assert.equal(
      reasonOf(eventOf('customer.subscription.created', {})),
      'ignored: The payments of a subscription arrive as invoices.',
    );
    assert.equal(reasonOf(eventOf('plan.created', {})), 'ignored: Events of the type plan.created report no money.');
    assert.equal(
      reasonOf(eventOf('customer.subscription.created', recordedFile('subscription.created'))),
      'ignored: The payments of a subscription arrive as invoices.',
    );
  });

  it('are translated if they contain a promotion code', () => {
    assert.equal(reasonOf(eventOf('promotion_code.created', { id: 'promo_1', code: 'X' })), 'translated');
  });
});
