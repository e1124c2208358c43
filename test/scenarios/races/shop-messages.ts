import {
  adjustment,
  type PaddleEvent,
  PADDLE_SECRET,
  signed as signPaddle,
  transaction,
} from '#test/connectors/paddle-events.ts';
import {
  order as polarOrder,
  type PolarEvent,
  POLAR_SECRET,
  refund as polarRefund,
  signed as signPolar,
} from '#test/connectors/polar-events.ts';
import {
  dispute,
  order as shopifyOrder,
  refund as shopifyRefund,
  SHOPIFY_SECRET,
  signatureOf as signShopify,
} from '#test/connectors/shopify-messages.ts';
import {
  later,
  recordedOrder as wooOrder,
  signatureOf as signWoo,
  WOOCOMMERCE_SECRET,
} from '#test/connectors/woocommerce-orders.ts';
import {
  MEDUSA_SECRET,
  recordedOrder as medusaOrder,
  signatureOf as signMedusa,
} from '#test/connectors/medusa-orders.ts';
import type { SentMessage } from '#test/support/connected-shop.ts';
import { type Abilities, type Content, type SoldOrder, type SoldRefund, sumOf, totalOf } from './sold-order.ts';

/* Converts random orders to the messages of shop systems, with the fields of recorded messages. */

/** The two possible referrals of an order: the opportunity number of a visit, and a coupon code. */
export type Referral = { readonly trackingId: string; readonly coupon: string };

export type ShopSystem = {
  readonly kind: string;
  readonly secret: string;
  readonly abilities: Abilities;
  /**
   * Returns the messages about an order, in the sequence that the shop sends them. Each call signs them with the
   * current time. If the order is canceled, the first two messages must also arrive first.
   */
  readonly messagesOf: (order: SoldOrder, referral: Referral) => readonly SentMessage[];
};

type Fields = Readonly<Record<string, unknown>>;

/** Returns an amount as a shop shows it, such as `12.30` or, in yen, `12`. */
function major(amount: number, { currency }: Pick<SoldOrder, 'currency'>): string {
  return currency === 'JPY' ? String(amount / 100) : (amount / 100).toFixed(2);
}

/** Returns an amount in the currency's smallest unit. */
function smallest(amount: number, { currency }: Pick<SoldOrder, 'currency'>): number {
  return currency === 'JPY' ? amount / 100 : amount;
}

/**
 * Returns whether an order has no subscription or is the first payment of its subscription. A free trial counts as a
 * payment.
 */
function isFirstPayment({ subscription }: SoldOrder): boolean {
  return subscription === null || subscription.begins === 'here';
}

/**
 * Returns the states of an order that is sent as a whole after each change. Each state has the content and the refunds
 * so far.
 */
function statesOf({ contents, refunds }: SoldOrder): { content: Content; refunds: readonly SoldRefund[] }[] {
  const [first, ...edits] = contents;
  const last = contents.at(-1)!;
  return [
    { content: first, refunds: [] },
    ...edits.map((content) => ({ content, refunds: [] })),
    ...refunds.map((_, n) => ({ content: last, refunds: refunds.slice(0, n + 1) })),
  ];
}

const json = (body: string, headers: Readonly<Record<string, string>>): SentMessage => ({ body, headers });

const paddle: ShopSystem = {
  kind: 'paddle',
  secret: PADDLE_SECRET,
  abilities: {
    hasShipping: false,
    edits: 'none',
    refundEnds: ['stands', 'failed', 'undone'],
    canCancel: false,
    hasDisputes: true,
    hasSubscriptions: true,
  },
  messagesOf: (order, { trackingId, coupon }) => {
    const [{ products, discount, tax }] = order.contents;
    const currency_code = order.currency;
    const amounts = {
      subtotal: smallest(sumOf(products), order),
      discount: smallest(discount, order),
      tax: smallest(tax, order),
    };
    const referral =
      order.earner === 'link' ? { custom_data: { whence: trackingId } } : { discount_id: order.earner && coupon };
    const adjusted = (id: string, amount: number, fields: Fields) =>
      adjustment(id, order.id, smallest(amount, order), { currency_code, ...fields });
    const paid = (id: string, begins: boolean, of?: Readonly<Record<string, number>>) =>
      transaction(
        id,
        {
          currency_code,
          customer_id: null,
          subscription_id: order.subscription?.id ?? null,
          origin: begins ? 'web' : 'subscription_recurring',
          ...referral,
        },
        of,
      );
    const events: PaddleEvent[] = [
      ...(order.subscription?.begins === 'with-trial' ? [paid(`${order.id}-trial`, true, {})] : []),
      paid(order.id, isFirstPayment(order), amounts),
      ...order.refunds.flatMap(({ id, amount, end }) => [
        adjusted(id, amount, { status: 'pending_approval' }),
        adjusted(id, amount, { status: end === 'failed' ? 'rejected' : 'approved' }),
        ...(end === 'undone' ? [adjusted(id, amount, { status: 'reversed' })] : []),
      ]),
      ...(order.dispute === null
        ? []
        : [adjusted(`${order.id}-c`, totalOf(order.contents[0]), { action: 'chargeback' })]),
      ...(order.dispute === 'won'
        ? [adjusted(`${order.id}-w`, totalOf(order.contents[0]), { action: 'chargeback_reverse' })]
        : []),
    ];
    return events.map((event) => {
      const body = JSON.stringify(event);
      return json(body, { 'paddle-signature': signPaddle(body) });
    });
  },
};

const polar: ShopSystem = {
  kind: 'polar',
  secret: POLAR_SECRET,
  abilities: {
    hasShipping: false,
    edits: 'none',
    refundEnds: ['stands', 'failed', 'undone'],
    canCancel: false,
    hasDisputes: false,
    hasSubscriptions: true,
  },
  messagesOf: (order, { trackingId, coupon }) => {
    const [{ products, discount, tax }] = order.contents;
    const currency = order.currency.toLowerCase();
    const referral = order.earner === 'link' ? { metadata: { whence: trackingId } } : { metadata: {} };
    const fields = {
      ...referral,
      currency,
      customer_id: `cus_${order.id}`,
      discount: order.earner === 'coupon' ? { code: coupon } : null,
      discount_id: null,
    };
    const amounts = {
      subtotal: smallest(sumOf(products), order),
      discount: smallest(discount, order),
      tax: smallest(tax, order),
    };
    const refunded = ({ id, amount }: SoldRefund, status: string) =>
      polarRefund(id, order.id, smallest(amount, order), { currency, status });
    const billed = (begins: boolean): Fields =>
      order.subscription === null
        ? {}
        : {
            subscription_id: order.subscription.id,
            billing_reason: begins ? 'subscription_create' : 'subscription_cycle',
          };
    const events: PolarEvent[] = [
      ...(order.subscription?.begins === 'with-trial'
        ? [polarOrder(`${order.id}-trial`, { ...fields, ...billed(true) }, {})]
        : []),
      polarOrder(order.id, { ...fields, ...billed(isFirstPayment(order)) }, amounts),
      ...order.refunds.flatMap((refund) => [
        refunded(refund, 'pending'),
        ...(refund.end === 'failed' ? [] : [refunded(refund, 'succeeded')]),
        ...(refund.end === 'stands' ? [] : [refunded(refund, 'failed')]),
      ]),
    ];
    return events.map(signPolar);
  },
};

const shopify: ShopSystem = {
  kind: 'shopify',
  secret: SHOPIFY_SECRET,
  abilities: {
    hasShipping: true,
    edits: 'rises',
    refundEnds: ['stands', 'failed'],
    canCancel: true,
    hasDisputes: true,
    hasSubscriptions: false,
  },
  messagesOf: (order, { trackingId, coupon }) => {
    const id = Number(order.id);
    const shown = (amount: number) => major(amount, order);
    const refundOf = ({ id: refundId, amount, end }: SoldRefund) =>
      shopifyRefund(Number(refundId.replace('-r', '0')), shown(amount), {
        currency: order.currency,
        status: end === 'stands' ? 'success' : 'failure',
      });
    const stateOf = (content: Content, minute: number, fields: Fields): Fields =>
      shopifyOrder(id, minute, {
        processed_at: new Date().toISOString(),
        currency: order.currency,
        presentment_currency: order.currency,
        total_price: shown(totalOf(content)),
        total_price_set: null,
        total_discounts: shown(content.discount),
        total_tax: shown(content.tax),
        line_items: content.products.map((price, n) => ({
          id: n + 1,
          sku: `sku-${n}`,
          name: `Item ${n}`,
          quantity: 1,
          price: shown(price),
          tax_lines: [],
        })),
        shipping_lines: [
          { id: 1, price: shown(content.shipping), discounted_price: shown(content.shipping), tax_lines: [] },
        ],
        note_attributes: order.earner === 'link' ? [{ name: '_whence', value: trackingId }] : [],
        discount_codes: order.earner === 'coupon' ? [{ code: coupon, amount: '0.00', type: 'fixed_amount' }] : [],
        ...fields,
      });
    const states = statesOf(order).map(({ content, refunds }, n) =>
      stateOf(content, n, { refunds: refunds.map(refundOf) }),
    );
    const cancellation = { ...states.at(-1), cancelled_at: '2026-11-20T16:00:00Z', updated_at: '2026-11-20T16:00:00Z' };
    const disputed = (status: string) =>
      dispute(id, id, { amount: shown(totalOf(order.contents.at(-1)!)), currency: order.currency, status });
    const sent: Fields[] = [
      ...states,
      ...(order.isCanceled ? [cancellation] : []),
      ...(order.dispute === null ? [] : [disputed('needs_response'), disputed(order.dispute)]),
    ];
    return sent.map((message) => {
      const body = JSON.stringify(message);
      return json(body, { 'x-shopify-topic': 'orders/updated', 'x-shopify-hmac-sha256': signShopify(body) });
    });
  },
};

const woocommerce: ShopSystem = {
  kind: 'woocommerce',
  secret: WOOCOMMERCE_SECRET,
  abilities: {
    hasShipping: true,
    edits: 'any',
    refundEnds: ['stands', 'undone'],
    canCancel: true,
    hasDisputes: false,
    hasSubscriptions: false,
  },
  messagesOf: (order, { trackingId, coupon }) => {
    const shown = (amount: number) => major(amount, order);
    const paid = wooOrder('727-processing', {
      id: Number(order.id),
      currency: order.currency,
      fee_lines: [],
      meta_data: order.earner === 'link' ? [{ id: 1, key: '_whence', value: trackingId }] : [],
      coupon_lines: order.earner === 'coupon' ? [{ id: 1, code: coupon }] : [],
    });
    const contentOf = (content: Content): Fields => ({
      total: shown(totalOf(content)),
      discount_total: shown(content.discount),
      shipping_total: shown(content.shipping),
      total_tax: shown(content.tax),
      line_items: content.products.map((price, n) => ({
        id: n + 1,
        sku: `sku-${n}`,
        name: `Item ${n}`,
        quantity: 1,
        subtotal: shown(price),
        total: shown(price),
      })),
    });
    const refundsOf = (refunds: readonly SoldRefund[]) =>
      refunds.map(({ id, amount }) => ({ id: Number(id.replace('-r', '0')), total: `-${shown(amount)}` }));
    const states = statesOf(order).map(({ content, refunds }) => ({
      ...contentOf(content),
      refunds: refundsOf(refunds),
    }));
    // The shop deletes refunds that were undone.
    const standing = refundsOf(order.refunds.filter(({ end }) => end === 'stands'));
    const last = { ...states.at(-1), refunds: standing };
    const sent = [
      ...states,
      ...(standing.length < order.refunds.length ? [last] : []),
      ...(order.isCanceled ? [{ ...last, status: 'cancelled' }] : []),
    ];
    return sent.map((fields, n) => {
      const body = JSON.stringify(later(paid, n, fields));
      return json(body, { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-signature': signWoo(body) });
    });
  },
};

const medusa: ShopSystem = {
  kind: 'medusa',
  secret: MEDUSA_SECRET,
  abilities: {
    hasShipping: true,
    edits: 'rises',
    refundEnds: ['stands'],
    canCancel: true,
    hasDisputes: false,
    hasSubscriptions: false,
  },
  messagesOf: (order, { trackingId, coupon }) => {
    const at = (minute: number) => new Date(Date.parse('2016-11-28T08:00:00Z') + minute * 60_000).toISOString();
    const shown = (amount: number) => Number(major(amount, order));
    const stateOf = (content: Content, refunds: readonly SoldRefund[], captured: readonly number[], minute: number) =>
      medusaOrder('captured', {
        id: order.id,
        customer_id: `cus_${order.id}`,
        currency_code: order.currency.toLowerCase(),
        metadata: order.earner === 'link' ? { whence: trackingId } : null,
        promotions: order.earner === 'coupon' ? [{ code: coupon }] : [],
        updated_at: at(minute),
        // Medusa subtracts refunds from the total.
        total: shown(totalOf(content) - sumOf(refunds.map(({ amount }) => amount))),
        discount_subtotal: shown(content.discount),
        shipping_subtotal: shown(content.shipping),
        tax_total: shown(content.tax),
        items: content.products.map((price, n) => ({
          variant_sku: `sku-${n}`,
          product_title: `Item ${n}`,
          quantity: 1,
          subtotal: shown(price),
          detail: {},
        })),
        payment_collections: captured.map((amount, n) => ({
          payments: [
            {
              captures: [{ id: `cap_${n}`, amount: shown(amount), created_at: at(n) }],
              refunds:
                n > 0
                  ? []
                  : refunds.map(({ id, amount: back }) => ({ id, amount: shown(back), created_at: at(minute) })),
            },
          ],
        })),
      });
    const [first] = order.contents;
    const paid = totalOf(first);
    const sent = [stateOf(first, [], [], 0)];
    for (const { content, refunds } of statesOf(order)) {
      const rise = totalOf(content) - paid;
      sent.push(stateOf(content, refunds, rise > 0 ? [paid, rise] : [paid], sent.length));
    }
    const last = sent.at(-1)!;
    if (order.isCanceled) sent.push({ ...last, status: 'canceled', updated_at: at(sent.length) });
    return sent.map((message) => {
      const body = JSON.stringify(message);
      return json(body, { 'x-whence-signature': signMedusa(body) });
    });
  },
};

export const SHOP_SYSTEMS: readonly ShopSystem[] = [paddle, polar, shopify, woocommerce, medusa];
