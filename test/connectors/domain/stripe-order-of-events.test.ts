import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Report } from '#connectors/domain/report.ts';
import { checkoutCompleted, disputeOf, invoicePaid, refundOf, type StripeEvent } from '../../support/stripe.ts';
import { openTranslator } from '../../support/translated.ts';

const SESSION = { mode: 'payment', payment_intent: 'pi_1', amount_total: 1_000 };

/**
 * Returns the events of two subscriptions and a single payment over five months, with a trial, a free month, an
 * upgrade, refunds and a dispute.
 */
function story(): readonly StripeEvent[] {
  const of = (sub: string, id: string, month: number, amount: number, shape: 'new' | 'old', reason?: string) =>
    invoicePaid({
      id,
      subscription: sub,
      customer: `cus_${sub}`,
      amount,
      month,
      shape,
      ...(reason === undefined ? {} : { reason }),
    });
  return [
    checkoutCompleted({ mode: 'subscription', subscription: 'sub_a', invoice: 'in_a0', client_reference_id: '7' }),
    ...of('sub_a', 'in_a0', 0, 0, 'new', 'subscription_create'),
    ...of('sub_a', 'in_a1', 1, 0, 'new'),
    ...of('sub_a', 'in_a2', 2, 2_000, 'new'),
    ...of('sub_a', 'in_a3', 3, 2_000, 'new'),
    ...of('sub_a', 'in_a4', 4, 3_500, 'new', 'subscription_update'),
    checkoutCompleted({ mode: 'subscription', subscription: 'sub_b', invoice: 'in_b0', client_reference_id: '8' }),
    ...of('sub_b', 'in_b0', 0, 900, 'old', 'subscription_create'),
    ...of('sub_b', 'in_b1', 1, 900, 'old'),
    checkoutCompleted({ ...SESSION, client_reference_id: '9' }),
    refundOf('refund.created', { id: 're_1', payment_intent: 'pi_in_a2', amount: 500 }),
    refundOf('refund.created', { id: 're_2', payment_intent: 'pi_in_a2', amount: 1_500 }),
    refundOf('refund.created', { id: 're_3', payment_intent: 'pi_1', amount: 300 }),
    disputeOf('created', { id: 'dp_1', payment_intent: 'pi_in_b1', amount: 900, status: 'needs_response' }),
    disputeOf('closed', { id: 'dp_1', payment_intent: 'pi_in_b1', amount: 900, status: 'lost' }),
  ];
}

describe('Stripe events of five months in any order, some of them sent twice', () => {
  const events = story();
  const facts = (reports: readonly Report[]) =>
    reports
      .map(({ lines: _, ...report }: Report & { lines?: unknown }) =>
        JSON.stringify(report, (__, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
      )
      .toSorted();

  it('result in the same sales, renewals and refunds', () => {
    const ordered = openTranslator();
    for (const event of events) ordered.take(event);
    assert.equal(ordered.reports.length, 10);
    assert.deepEqual(ordered.waiting, []);
    const expected = facts(ordered.reports);
    // The indexes of the events. The first eight indexes occur twice.
    const numbers = [...events.keys(), ...events.slice(0, 8).keys()];
    fc.assert(
      fc.property(fc.shuffledSubarray(numbers, { minLength: numbers.length }), (shuffled) => {
        const world = openTranslator();
        for (const number of shuffled) world.take(events[number] as StripeEvent);
        assert.equal(world.waiting.length, 0);
        assert.deepEqual(facts(world.reports), expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a subscription that is older than the connector', () => {
  it('reports the first invoice that arrives as the sale, once the invoice has waited for three days', () => {
    const { take, reports } = openTranslator({ awaitCheckoutHours: 0 });
    const [second] = invoicePaid({ id: 'in_2', subscription: 'sub_1', amount: 900, month: 1 });
    assert.equal(take(second as StripeEvent).kind, 'waiting');
    take(second as StripeEvent, 72);
    take(invoicePaid({ id: 'in_3', subscription: 'sub_1', amount: 0, month: 2 })[0] as StripeEvent);
    assert.deepEqual(
      reports.map(({ verb, externalId }) => [verb, externalId]),
      [['sale', 'in_2']],
    );
  });
});
