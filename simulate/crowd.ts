/**
 * Who acts next: a shopper whose pause is over, and a new one only where there is none. Time is counted in turns, one a
 * report, so that the order depends on no clock and no answer.
 *
 * No pause is longer than `MOST_SHOPPERS` turns. Each turn sends at most one shopper into a pause, and nobody new comes
 * while somebody is ready: so there are never more shoppers than that, whatever the rate and the length of a run.
 */
export class Crowd<Shopper> {
  readonly #resting = new Map<number, Shopper[]>();
  #ready: Shopper[] = [];
  #taken = 0;
  #turn = 0;

  /** The next turn; undefined: nobody is ready. */
  next(): Shopper | undefined {
    this.#turn += 1;
    const rested = this.#resting.get(this.#turn);
    this.#resting.delete(this.#turn);
    if (rested !== undefined) this.#ready.push(...rested);
    const shopper = this.#ready[this.#taken];
    if (shopper === undefined) return undefined;
    this.#taken += 1;
    if (this.#taken * 2 > this.#ready.length) {
      this.#ready = this.#ready.slice(this.#taken);
      this.#taken = 0;
    }
    return shopper;
  }

  /** Acts again after so many turns, at least one. */
  rest(shopper: Shopper, turns: number): void {
    const due = this.#turn + Math.min(MOST_SHOPPERS, Math.max(1, Math.ceil(turns)));
    const others = this.#resting.get(due);
    if (others === undefined) this.#resting.set(due, [shopper]);
    else others.push(shopper);
  }

  /** All that have not come to their end. */
  *everyone(): Generator<Shopper> {
    yield* this.#ready.slice(this.#taken);
    for (const shoppers of this.#resting.values()) yield* shoppers;
  }
}

export const MOST_SHOPPERS = 5_000;
