import { diceOf } from './dice.ts';

export type Pace = {
  /** Reports a second, on average. */
  readonly rate: number;
  readonly seconds: number;
  /** The rate in a burst second, as a multiple of the rate in other seconds. 1 means no bursts. */
  readonly burst: number;
  readonly seed: number;
};

/** One second in each period of this length is a burst. The seed chooses which one. */
const PERIOD_SECONDS = 10;

/** Yields the due time of each report in order, in milliseconds from the start: rate × seconds reports. */
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
