import { diceOf } from '#tools/traffic/random.ts';
import { DAY } from '#tools/traffic/story.ts';

export type Pace = {
  /** The average number of reports per second. */
  readonly rate: number;
  readonly seconds: number;
  /** The rate in a burst second, as a multiple of the rate in other seconds. 1 means no bursts. */
  readonly burst: number;
  readonly seed: number;
};

/** The length of a period in seconds. One second of each period is a burst, and the seed determines which second. */
const PERIOD_SECONDS = 10;
const ROUNDING = 1e-6;

/**
 * Yields the due time of each report in order, in milliseconds from the start. The number of reports is `rate` ×
 * `seconds`.
 */
export function* momentsOf({ rate, seconds, burst, seed }: Pace): Generator<number, void, undefined> {
  const dice = diceOf(seed, seconds);
  let owed = 0;
  for (let start = 0; start < seconds; start += PERIOD_SECONDS) {
    const length = Math.min(PERIOD_SECONDS, seconds - start);
    const burstAt = dice.roll(length);
    const ordinary = (rate * length) / (length - 1 + burst);
    for (let second = 0; second < length; second += 1) {
      owed += ordinary * (second === burstAt ? burst : 1);
      const count = Math.floor(owed + ROUNDING);
      owed -= count;
      for (let n = 0; n < count; n += 1) yield (start + second + n / count) * 1_000;
    }
  }
}

/** The number of turns in a day of a shopper's story. */
const TURNS_A_DAY = 60;
/** The longest pause of a shopper in turns, and therefore the maximum number of concurrent shoppers. */
export const MOST_SHOPPERS = 5_000;

/**
 * Decides which shopper acts next. A new shopper arrives only if no other shopper's pause has ended. Time is counted in
 * turns, one for each report, so the order does not depend on clocks or responses.
 *
 * Each turn sends at most one shopper into a pause, and no shopper arrives while another is ready. So there are never
 * more than `MOST_SHOPPERS` shoppers, at any rate and after any time.
 */
export class Crowd<Shopper> {
  readonly #resting = new Map<number, Shopper[]>();
  #ready: Shopper[] = [];
  #turn = 0;

  /** Takes a turn. Returns the next shopper, or undefined if no shopper is ready. */
  next(): Shopper | undefined {
    this.#turn += 1;
    this.#ready.push(...(this.#resting.get(this.#turn) ?? []));
    this.#resting.delete(this.#turn);
    return this.#ready.shift();
  }

  /** Pauses a shopper for `ms` milliseconds of simulated time. */
  rest(shopper: Shopper, ms: number): void {
    const turns = Math.ceil((ms / DAY) * TURNS_A_DAY);
    const due = this.#turn + Math.min(MOST_SHOPPERS, Math.max(1, turns));
    this.#resting.set(due, [...(this.#resting.get(due) ?? []), shopper]);
  }
}
