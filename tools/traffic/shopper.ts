import type { Answered, Report, Send } from './client.ts';
import type { Complain } from './complaint.ts';
import { decimal, type Order, type PartialRefund } from './order.ts';
import type { Dice } from './random.ts';
import type { Deed, Step } from './story.ts';

export type ShopperOptions = {
  readonly steps: readonly Step[];
  /** The prefix of the idempotency keys of visits and custom events. It is unique in an organization. */
  readonly name: string;
  /** The share of reports that two connections send concurrently, as clients and their proxies do. */
  readonly sentTwice: number;
  readonly dice: Dice;
  readonly complain: Complain;
};

/**
 * The state of an order that follows from its acknowledged reports, with refunds in cents. `maybeRefunded` also
 * includes a refund whose outcome is unknown.
 */
export type Expected = {
  readonly order: Order;
  readonly sold: 'yes' | 'no' | 'maybe';
  readonly refunded: number;
  readonly maybeRefunded: number;
};

/** A shopper at some point of their story. Each step is sent with the same ids until it is answered. */
export class Shopper {
  readonly #options: ShopperOptions;
  /** The opportunity number by device, for devices with an answered visit. */
  readonly #opportunities = new Map<number, string>();
  #next = 0;
  /** Whether the current step was sent but has not been answered. */
  isOpen = false;
  /** Whether a response had an unexpected status. The story then ends. */
  hasLeft = false;

  constructor(options: ShopperOptions) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.hasLeft || this.#next === this.#options.steps.length;
  }

  /** Returns the number of acknowledged visits. */
  get visits(): number {
    return this.#done.filter(({ deed }) => deed.kind === 'visit').length;
  }

  get isVisiting(): boolean {
    return this.#current?.kind === 'visit';
  }

  /** Sends the next step, once or twice concurrently. Returns whether its outcome is known. */
  async take(send: Send): Promise<boolean> {
    const deed = this.#current as Deed;
    const report = this.#reportOf(deed);
    const times = this.#options.dice.chance(this.#options.sentTwice) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: times }, () => send(report)));
    const answered = answers.filter((answer) => answer.kind === 'answered');
    if (answered.length === 0) {
      this.isOpen ||= answers.some(({ kind }) => kind === 'unknown');
      return false;
    }
    for (const answer of answered) this.#look(deed, answer);
    this.isOpen = false;
    if (!this.hasLeft) this.#next += 1;
    return true;
  }

  /** Returns the expected state of each order whose sale was sent. */
  expected(): Expected[] {
    const done = this.#done.map(({ deed }) => deed);
    const open = this.isOpen ? this.#current : undefined;
    const orders = new Set([...done, open].flatMap((deed) => (deed?.kind === 'sale' ? [deed.order] : [])));
    return [...orders].map((order) => {
      const isOf = (deed: Deed | undefined): deed is Deed =>
        deed !== undefined && 'order' in deed && deed.order === order;
      const own = new Set(done.filter(isOf));
      const sold = [...own].some(({ kind }) => kind === 'sale') ? 'yes' : open?.kind === 'sale' ? 'maybe' : 'no';
      return { order, sold, refunded: refundedBy(own), maybeRefunded: refundedBy(isOf(open) ? own.add(open) : own) };
    });
  }

  get #done(): readonly Step[] {
    return this.#options.steps.slice(0, this.#next);
  }

  get #current(): Deed | undefined {
    return this.#options.steps[this.#next]?.deed;
  }

  #reportOf(deed: Deed): Report {
    const trackingId = 'device' in deed ? Number(this.#opportunities.get(deed.device)) : undefined;
    switch (deed.kind) {
      case 'visit':
        return {
          path: '/event/site-visited',
          body: { collaboratorId: deed.link, ...(deed.userId === undefined ? {} : { userId: deed.userId }) },
          idempotencyKey: `${this.#options.name}-${this.#next}`,
          opportunity: this.#opportunities.get(deed.device),
          // A page must not name users, so a server sends visits with a user id.
          isPublic: deed.userId === undefined,
        };
      case 'custom-event':
        return {
          path: '/event/custom',
          body: { event: deed.event, trackingId, collaboratorId: deed.link },
          idempotencyKey: `${this.#options.name}-${this.#next}`,
        };
      case 'lead':
        return { path: '/event/lead', body: { source: 'crm', externalId: deed.externalId, trackingId } };
      case 'sale':
        return { path: '/event/sale', body: { ...saleOf(deed), trackingId } };
      case 'renewal': {
        const { order, externalId, cents } = deed;
        const of = { source: order.source, externalId, saleExternalId: order.externalId };
        return { path: '/event/renewal', body: { ...of, total: decimal(cents) } };
      }
      case 'refund':
        return { path: '/event/refund', body: refundOf(deed.order, deed.part) };
      default:
        return deed satisfies never;
    }
  }

  #look(deed: Deed, { status, oid, text }: Answered): void {
    const { complain } = this.#options;
    const wanted = deed.kind === 'sale' && deed.hasOtherTotal ? 409 : 200;
    if (status !== wanted) {
      const what = 'order' in deed ? `${deed.kind} of ${deed.order.externalId}` : deed.kind;
      complain(status === 404 ? 'lost' : 'wrong', `The ${what} got the status ${status}, not ${wanted}: ${text}`);
      this.hasLeft = true;
    }
    if (deed.kind !== 'visit' || oid === undefined) return;
    const known = this.#opportunities.get(deed.device);
    if (known !== undefined && known !== oid && this.#visited.has(this.#next))
      complain('doubled', `A repeated visit got the opportunities ${known} and ${oid}.`);
    this.#opportunities.set(deed.device, oid);
    this.#visited.add(this.#next);
  }

  /**
   * The answered visits, as the indexes of their steps. A visit that continues an opportunity may get another
   * opportunity, but a repeated visit may not.
   */
  readonly #visited = new Set<number>();
}

function saleOf({ order, hasOtherTotal }: Extract<Deed, { kind: 'sale' }>): object {
  const { externalId, source, currency, totalCents, lines, coupon } = order;
  return {
    source,
    externalId,
    currency,
    total: decimal(hasOtherTotal ? totalCents + 1 : totalCents),
    ...(coupon === undefined ? {} : { couponCodes: [coupon] }),
    ...(lines.length === 0 || hasOtherTotal
      ? {}
      : { items: lines.map(({ cents, ...line }) => ({ ...line, amount: decimal(cents) })) }),
  };
}

function refundOf({ source, externalId }: Order, part: PartialRefund | undefined): object {
  if (part === undefined) return { source, externalId };
  const { refundId, cents, line, pieces } = part;
  const back =
    line === undefined ? { amount: decimal(cents) } : { items: [{ externalId: line.externalId, quantity: pieces }] };
  return { source, externalId, refundId, ...back };
}

function refundedBy(deeds: ReadonlySet<Deed>): number {
  let cents = 0;
  for (const deed of deeds) {
    if (deed.kind === 'refund') cents = deed.part === undefined ? deed.order.totalCents : cents + deed.part.cents;
  }
  return cents;
}
