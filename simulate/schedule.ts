import { diceOf } from './dice.ts';

export type Pace = {
  /** Reports a second, over all. */
  readonly rate: number;
  readonly seconds: number;
  /** How many times as many come in a second of burst as in the others; 1: none. */
  readonly burst: number;
  readonly seed: number;
};

/** One second of so many is a burst, and which one is for the seed to say. */
const PERIOD_SECONDS = 10;

/** When each report is due, in milliseconds from the start: rate × seconds of them, in order. */
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

const ROUNDING = 1e-6;
