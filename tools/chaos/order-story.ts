import { randomUUID } from 'node:crypto';
import type { Answered, Caller, Report } from './caller.ts';
import type { Complain } from './complaint.ts';
import type { Dice } from '#test/support/random.ts';

type Step =
  | { readonly kind: 'visit' | 'sale' | 'other total' | 'refund' }
  | { readonly kind: 'part'; readonly refundId: string; readonly cents: number };

/**
 * The state of an order that follows from its acknowledged steps. `maybe` values also include the step whose outcome is
 * unknown.
 */
export type Expected = {
  readonly externalId: string;
  readonly cents: number;
  readonly collaborator: string;
  readonly refunded: number;
  readonly sold: 'yes' | 'no' | 'maybe';
  readonly maybeRefunded: number;
};

export const SOURCE = 'shop';
/** Five and ten percent of any multiple are whole cents, so that rounding plays no part in the fault tests. */
const CENTS = 20;
const MOST_UNITS = 600;
/** The share of steps that two connections send concurrently, as clients and their proxies do. */
const TWICE = 0.15;

/**
 * One shopper who follows a collaborator's link, buys, and may return some or all of the order. Each step is repeated
 * with the same ids until it is acknowledged. Only then is the next step sent.
 */
export class OrderStory {
  readonly #externalId: string;
  readonly #collaborator: string;
  readonly #cents: number;
  readonly #steps: readonly Step[];
  readonly #key = randomUUID();
  readonly #complain: Complain;
  #oid: string | undefined;
  #next = 0;
  /** Whether the current step was sent and its response never arrived. */
  #isOpen = false;

  constructor(externalId: string, collaborator: string, dice: Dice, complain: Complain) {
    this.#externalId = externalId;
    this.#collaborator = collaborator;
    this.#cents = CENTS * (2 + dice.roll(MOST_UNITS));
    this.#complain = complain;
    this.#steps = [
      { kind: 'visit' },
      { kind: 'sale' },
      ...(dice.chance(0.1) ? [{ kind: 'other total' } as const] : []),
      ...refundsOf(this.#cents, dice),
    ];
  }

  get isOver(): boolean {
    return this.#next === this.#steps.length;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isSold(): boolean {
    return this.#next > 1;
  }

  /** Returns 1 once the visit is acknowledged. */
  get visits(): number {
    return this.#next > 0 ? 1 : 0;
  }

  get externalId(): string {
    return this.#externalId;
  }

  /** Sends the next step, once or twice concurrently. Returns whether it is known to be done. */
  async take(send: Caller['send'], dice: Dice): Promise<'done' | 'unknown'> {
    const step = this.#steps[this.#next] as Step;
    const report = this.#reportOf(step);
    const times = dice.chance(TWICE) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: times }, () => send(report)));
    const answered = answers.filter((answer) => answer.kind === 'answered');
    if (answered.length === 0) {
      this.#isOpen ||= answers.some((answer) => answer.kind === 'unknown');
      return 'unknown';
    }
    for (const answer of answered) this.#look(step, answer);
    this.#isOpen = false;
    this.#next += 1;
    return 'done';
  }

  expected(): Expected {
    const done = this.#steps.slice(0, this.#next);
    const open = this.#isOpen ? this.#steps[this.#next] : undefined;
    const refunded = done.reduce((sum, step) => this.#afterRefund(sum, step), 0);
    return {
      externalId: this.#externalId,
      cents: this.#cents,
      collaborator: this.#collaborator,
      refunded,
      sold: this.isSold ? 'yes' : open?.kind === 'sale' ? 'maybe' : 'no',
      maybeRefunded: open === undefined ? refunded : this.#afterRefund(refunded, open),
    };
  }

  #afterRefund(refunded: number, step: Step): number {
    if (step.kind === 'refund') return this.#cents;
    return step.kind === 'part' ? refunded + step.cents : refunded;
  }

  #reportOf(step: Step): Report {
    const named = { source: SOURCE, externalId: this.#externalId };
    const sale = { ...named, total: this.#cents / 100, trackingId: this.#oid };
    switch (step.kind) {
      case 'visit':
        return {
          path: '/event/site-visited',
          body: { collaboratorId: `tracking:${this.#collaborator}` },
          idempotencyKey: this.#key,
        };
      case 'sale':
        return { path: '/event/sale', body: sale };
      case 'other total':
        return { path: '/event/sale', body: { ...sale, total: (this.#cents + CENTS) / 100 } };
      case 'part':
        return { path: '/event/refund', body: { ...named, refundId: step.refundId, amount: step.cents / 100 } };
      case 'refund':
        return { path: '/event/refund', body: named };
      default:
        return step satisfies never;
    }
  }

  #look(step: Step, { status, oid, text }: Answered): void {
    const wanted = step.kind === 'other total' ? 409 : 200;
    if (status !== wanted) {
      const words = `order ${this.#externalId}: ${step.kind} is answered ${status}, not ${wanted}: ${text}`;
      this.#complain(status === 404 ? 'lost' : 'wrong', words);
    }
    if (step.kind !== 'visit') return;
    if (this.#oid !== undefined && this.#oid !== oid) {
      this.#complain('doubled', `visit ${this.#key} is opportunity ${this.#oid} and ${oid}`);
    }
    this.#oid = oid;
  }
}

function refundsOf(cents: number, dice: Dice): Step[] {
  const refund = { kind: 'refund' } as const;
  const part = (refundId: string): Step => {
    // At most half, so that two partial refunds leave something of the order.
    const units = Math.max(1, dice.roll(Math.floor(cents / CENTS / 2)));
    return { kind: 'part', refundId, cents: CENTS * units };
  };
  const isSmall = cents < 4 * CENTS;
  const plan = dice.roll(10);
  if (plan < 5) return [];
  if (plan < 7 || isSmall) return [refund];
  if (plan < 9) return [part('first'), ...(dice.chance(0.5) ? [part('second')] : [])];
  return [part('first'), refund];
}
