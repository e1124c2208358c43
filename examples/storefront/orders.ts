import { InvalidRequestError, type Whence } from '@whence/sdk';
import { decimal, type Product } from './catalogue.ts';

export type Line = { readonly product: Product; readonly quantity: number };
export type Order = {
  readonly number: number;
  readonly lines: readonly Line[];
  /** The tracking id from the snippet's cookie. Undefined if the request had no such cookie. */
  readonly trackingId: string | undefined;
  refunded: boolean;
  /** Whether the order's current state needs no further report: Whence accepted it, or refused it as invalid. */
  reported: boolean;
};

const SOURCE = 'storefront';
/** Call options for pages that show data from Whence. If Whence doesn't respond in time, the pages omit the data. */
const BRIEFLY = { timeoutMs: 1_000, maxRetries: 0 };

/**
 * Stores the shop's orders, reports them to Whence, and reads their explanations. A real shop keeps orders in its
 * database.
 */
export class Orders {
  readonly #whence: Whence;
  readonly #orders: Order[] = [];

  constructor(whence: Whence) {
    this.#whence = whence;
  }

  all(): readonly Order[] {
    return this.#orders;
  }

  find(number: number): Order | undefined {
    return this.#orders[number - 1];
  }

  place(lines: readonly Line[], trackingId: string | undefined): Order {
    const order = { number: this.#orders.length + 1, lines, trackingId, refunded: false, reported: false };
    this.#orders.push(order);
    return order;
  }

  refund(order: Order): void {
    order.refunded = true;
    order.reported = false;
  }

  /**
   * Reports new orders and refunds to Whence. Runs repeatedly outside of the checkout, so that an outage of Whence
   * never delays or breaks the checkout. Repeating a report changes nothing, so retries are safe.
   */
  async reportToWhence(): Promise<void> {
    for (const order of this.#orders) {
      if (!order.reported) await this.#report(order);
    }
  }

  /**
   * Returns a text that explains who earned a commission on the order. Returns undefined if Whence hasn't received or
   * decided the order yet, or can't be reached.
   */
  async explanation({ number, reported }: Order): Promise<string | undefined> {
    if (!reported) return undefined;
    const { transactions } = this.#whence;
    try {
      const { data } = await transactions.list({ source: SOURCE, externalId: externalId(number) }, BRIEFLY);
      return data[0] && (await transactions.explain(data[0].id, BRIEFLY)).text;
    } catch {
      return undefined;
    }
  }

  async #report(order: Order): Promise<void> {
    const binding = { source: SOURCE, externalId: externalId(order.number) };
    try {
      await this.#whence.report.sale({
        ...binding,
        // Null reports an order without a referral. Whence refuses a report without `trackingId`.
        trackingId: order.trackingId ?? null,
        total: decimal(totalOf(order)),
        items: order.lines.map(({ product, quantity }) => ({
          externalId: product.sku,
          name: product.name,
          quantity,
          amount: decimal(product.cents),
        })),
      });
      if (order.refunded) await this.#whence.report.refund(binding);
      order.reported = true;
    } catch (error) {
      // Visitors can edit the cookie. Whence always refuses a malformed tracking id, so don't report such an order
      // again. After any other error, retry.
      order.reported = error instanceof InvalidRequestError;
      console.error(
        `Order ${order.number} ${order.reported ? 'was refused' : 'will be reported later'}: ${String(error)}`,
      );
    }
  }
}

export function totalOf({ lines }: Pick<Order, 'lines'>): number {
  return lines.reduce((sum, { product, quantity }) => sum + product.cents * quantity, 0);
}

function externalId(number: number): string {
  return `order-${number}`;
}
