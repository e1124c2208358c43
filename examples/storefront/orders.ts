import { InvalidRequestError, type Whence } from '@whence/sdk';
import { decimal, type Product } from './catalogue.ts';

export type Line = { readonly product: Product; readonly quantity: number };
export type Order = {
  readonly number: number;
  readonly lines: readonly Line[];
  /** The opportunity that the snippet's cookie named; undefined where nobody referred the visitor. */
  readonly trackingId: string | undefined;
  refunded: boolean;
  /** Whether Whence has heard of the order as it is now. */
  told: boolean;
};

const SOURCE = 'storefront';
/** A page that only shows something does without, rather than wait. */
const BRIEFLY = { timeoutMs: 1_000, maxRetries: 0 };

/** The shop's orders, and all of its code that speaks to Whence. A real shop keeps them in its database. */
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
    const order = { number: this.#orders.length + 1, lines, trackingId, refunded: false, told: false };
    this.#orders.push(order);
    return order;
  }

  refund(order: Order): void {
    order.refunded = true;
    order.told = false;
  }

  /**
   * Tells Whence what it does not know yet. Called again and again, beside the checkout, which so never waits for Whence and
   * never fails with it. A report that is sent again changes nothing, so there is no harm in trying.
   */
  async tellWhence(): Promise<void> {
    for (const order of this.#orders) {
      if (order.trackingId !== undefined && !order.told) await this.#tell(order, order.trackingId);
    }
  }

  /** Who earned by the order, in words; undefined where nobody referred it, or Whence has not decided it yet. */
  async explanation({ number, trackingId, told }: Order): Promise<string | undefined> {
    if (trackingId === undefined || !told) return undefined;
    const { transactions } = this.#whence;
    try {
      const { data } = await transactions.list({ source: SOURCE, externalId: externalId(number) }, BRIEFLY);
      return data[0] && (await transactions.explain(data[0].id, BRIEFLY)).text;
    } catch {
      return undefined;
    }
  }

  async #tell(order: Order, trackingId: string): Promise<void> {
    const binding = { source: SOURCE, externalId: externalId(order.number) };
    try {
      await this.#whence.report.sale({
        ...binding,
        trackingId,
        total: decimal(totalOf(order)),
        items: order.lines.map(({ product, quantity }) => ({
          externalId: product.sku,
          name: product.name,
          quantity,
          amount: decimal(product.cents),
        })),
      });
      if (order.refunded) await this.#whence.report.refund(binding);
      order.told = true;
    } catch (error) {
      // A cookie is the visitor's to change: a number that Whence refuses now it always will. All else passes.
      order.told = error instanceof InvalidRequestError;
      console.error(`Order ${order.number} ${order.told ? 'was refused' : 'will be reported later'}: ${String(error)}`);
    }
  }
}

export function totalOf({ lines }: Pick<Order, 'lines'>): number {
  return lines.reduce((sum, { product, quantity }) => sum + product.cents * quantity, 0);
}

function externalId(number: number): string {
  return `order-${number}`;
}
