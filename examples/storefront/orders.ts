import type { Whence } from '@whence/sdk';
import { decimal, type Product } from './catalogue.ts';

export type Line = { readonly product: Product; readonly quantity: number };
export type Order = {
  readonly number: number;
  readonly lines: readonly Line[];
  /** The opportunity that the page handed over; undefined where nobody referred the visitor. */
  readonly trackingId: string | undefined;
  refunded: boolean;
  /** Whether Whence knows of the order as it is now. */
  told: boolean;
};

const SOURCE = 'storefront';

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

  async place(lines: readonly Line[], trackingId: string | undefined): Promise<Order> {
    const order = {
      number: this.#orders.length + 1,
      lines,
      trackingId,
      refunded: false,
      told: trackingId === undefined,
    };
    this.#orders.push(order);
    await this.#tell(order);
    return order;
  }

  async refund(order: Order): Promise<void> {
    order.refunded = true;
    order.told = order.trackingId === undefined;
    await this.#tell(order);
  }

  /** Tells what could not be told at its time. A report that is sent again changes nothing, so there is no harm in trying. */
  async catchUp(): Promise<void> {
    for (const order of this.#orders) await this.#tell(order);
  }

  /** Who earned by the order, in words; undefined where nobody referred it, or Whence has not decided it yet. */
  async explanation({ number, trackingId }: Order): Promise<string | undefined> {
    if (trackingId === undefined) return undefined;
    try {
      const { data } = await this.#whence.transactions.list({ source: SOURCE, externalId: externalId(number) });
      return data[0] && (await this.#whence.transactions.explain(data[0].id)).text;
    } catch {
      return undefined;
    }
  }

  /** A sale is never lost for want of Whence: the order stands, and is told later. */
  async #tell(order: Order): Promise<void> {
    if (order.told || order.trackingId === undefined) return;
    const binding = { source: SOURCE, externalId: externalId(order.number) };
    try {
      await this.#whence.report.sale({
        ...binding,
        trackingId: order.trackingId,
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
      console.error(`Order ${order.number} will be reported later: ${String(error)}`);
    }
  }
}

export function totalOf({ lines }: Pick<Order, 'lines'>): number {
  return lines.reduce((sum, { product, quantity }) => sum + product.cents * quantity, 0);
}

function externalId(number: number): string {
  return `order-${number}`;
}
