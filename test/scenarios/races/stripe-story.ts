import { checkoutCompleted, disputeOf, invoicePaid, refundOf, type StripeEvent } from '#test/support/stripe.ts';

/** The state of an order: its type, and its total, refunded and earned amounts in cents. */
export type OrderFacts = readonly [type: string, total: number, refunded: number, earned: number];

export type Story = {
  readonly events: readonly StripeEvent[];
  /** The expected orders by id, after all events, with a commission of ten percent. */
  readonly orders: Readonly<Record<string, OrderFacts>>;
};

/**
 * Returns Stripe's events for three customers, and the expected orders. All ids end with `suffix`. The events include
 * a trial, a free month after the trial, an upgrade, partial and full refunds, and a lost dispute. Some invoices have
 * the shape that Stripe used before API version 2025-03-31.
 */
export function stripeStory(suffix: string, trackingId: string): Story {
  const id = (name: string): string => `${name}_${suffix}`;
  const invoices = (sub: string, name: string, month: number, amount: number, reason?: string) =>
    invoicePaid({
      id: id(name),
      subscription: id(sub),
      customer: id(`cus_${sub}`),
      amount,
      month,
      shape: sub === 'sub_a' ? 'new' : 'old',
      ...(reason === undefined ? {} : { reason }),
    });
  const paymentOf = (name: string): string => `pi_${id(name)}`;
  const referred = { client_reference_id: trackingId };
  return {
    events: [
      checkoutCompleted({ mode: 'subscription', subscription: id('sub_a'), invoice: id('in_a0'), ...referred }),
      ...invoices('sub_a', 'in_a0', 0, 0, 'subscription_create'),
      ...invoices('sub_a', 'in_a1', 1, 0),
      ...invoices('sub_a', 'in_a2', 2, 2_000),
      ...invoices('sub_a', 'in_a3', 3, 2_000),
      ...invoices('sub_a', 'in_a4', 4, 3_500, 'subscription_update'),
      checkoutCompleted({ mode: 'subscription', subscription: id('sub_b'), invoice: id('in_b0'), ...referred }),
      ...invoices('sub_b', 'in_b0', 0, 900, 'subscription_create'),
      ...invoices('sub_b', 'in_b1', 1, 900),
      checkoutCompleted({ mode: 'payment', payment_intent: id('pi'), amount_total: 1_000, ...referred }),
      refundOf('refund.created', { id: id('re_1'), payment_intent: paymentOf('in_a2'), amount: 500 }),
      refundOf('refund.created', { id: id('re_2'), payment_intent: paymentOf('in_a3'), amount: 1_500 }),
      refundOf('refund.created', { id: id('re_3'), payment_intent: paymentOf('in_a3'), amount: 500 }),
      refundOf('refund.updated', { id: id('re_3'), payment_intent: paymentOf('in_a3'), amount: 500 }),
      refundOf('refund.created', { id: id('re_4'), payment_intent: id('pi'), amount: 300 }),
      disputeOf('created', { id: id('dp'), payment_intent: paymentOf('in_b1'), amount: 900, status: 'needs_response' }),
      disputeOf('closed', { id: id('dp'), payment_intent: paymentOf('in_b1'), amount: 900, status: 'lost' }),
    ],
    orders: {
      [id('in_a2')]: ['sale', 2_000, 500, 150],
      [id('in_a3')]: ['renewal', 2_000, 2_000, 0],
      [id('in_a4')]: ['renewal', 3_500, 0, 350],
      [id('in_b0')]: ['sale', 900, 0, 90],
      [id('in_b1')]: ['renewal', 900, 900, 0],
      [id('pi')]: ['sale', 1_000, 300, 70],
    },
  };
}
