/**
 * The shoppers of a run, and which one acts next. A new shopper starts only if no pause of another has ended. Time is
 * counted in turns, one for each report, so the order does not depend on clocks or responses.
 *
 * No pause is longer than `MOST_SHOPPERS` turns. Each turn sends at most one shopper into a pause, and nobody new
 * starts while somebody is ready. So there are never more shoppers than that, whatever the rate and the length of a
 * run.
 */
export class Crowd<Shopper> {
  readonly #resting = new Map<number, Shopper[]>();
  #ready: Shopper[] = [];
  #taken = 0;
  #turn = 0;

  /** Takes a turn. Returns the next shopper, or undefined if nobody is ready. */
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

  /** Lets a shopper act again after this many turns, at least one. */
  rest(shopper: Shopper, turns: number): void {
    const due = this.#turn + Math.min(MOST_SHOPPERS, Math.max(1, Math.ceil(turns)));
    const others = this.#resting.get(due);
    if (others === undefined) this.#resting.set(due, [shopper]);
    else others.push(shopper);
  }

  /** Yields all shoppers who have not finished. */
  *everyone(): Generator<Shopper> {
    yield* this.#ready.slice(this.#taken);
    for (const shoppers of this.#resting.values()) yield* shoppers;
  }
}

export const MOST_SHOPPERS = 5_000;
