import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '#connectors/domain/connector.ts';
import { isFirstPaid, periodOf, subscriptionOf } from '#connectors/domain/stripe/subscription.ts';

const invoiceOf = (...periods: readonly JsonObject[]): JsonObject => ({
  created: 50,
  lines: { data: periods.map((period) => ({ period })) },
});

describe('the period of a Stripe invoice', () => {
  const cases: readonly (readonly [name: string, JsonObject, start: number, end: number])[] = [
    [
      'lasts from the latest start to the latest end of its lines',
      invoiceOf({ start: 10, end: 90 }, { start: 60, end: 80 }),
      60,
      90,
    ],
    ['begins and ends at its creation if no line has a period', invoiceOf({}), 50, 50],
    ['is empty if it has neither lines nor a time of creation', {}, 0, 0],
  ];
  for (const [name, invoice, start, end] of cases) {
    it(name, () => assert.deepEqual(periodOf(invoice), { start, end }));
  }
});

describe('the first paid invoice of a Stripe subscription', () => {
  const freeUntil90 = subscriptionOf({
    beganAt: 10,
    free: [
      { start: 10, end: 90 },
      { start: 40, end: 60 },
      { start: 10, end: 40 },
    ],
  });

  it('is an invoice whose period starts no later than the end of the free periods', () => {
    assert.equal(isFirstPaid(freeUntil90, invoiceOf({ start: 90, end: 120 })), true);
    assert.equal(isFirstPaid(freeUntil90, invoiceOf({ start: 91, end: 120 })), false);
  });

  it('is recognized only by its billing reason until the first invoice of the subscription arrives', () => {
    assert.equal(isFirstPaid(subscriptionOf(undefined), invoiceOf({ start: 90, end: 120 })), false);
    assert.equal(isFirstPaid(subscriptionOf(undefined), { billing_reason: 'subscription_create' }), true);
  });
});
