export type Dice = {
  /** Returns a number from 0 to below 1. */
  readonly share: () => number;
  /** Returns an integer from 0 to `sides` − 1. */
  readonly roll: (sides: number) => number;
  /** Returns true with the given probability, from 0 to 1. */
  readonly chance: (share: number) => boolean;
  /** Returns a random element of a non-empty list. */
  readonly pick: <Value>(values: readonly Value[]) => Value;
  /** Returns a random element of a non-empty list. The probability of each is proportional to its weight. */
  readonly weighted: <Value>(values: readonly Value[], weightOf: (value: Value) => number) => Value;
};

/** Returns dice that repeat the same rolls for the same seed, in every run and on every machine. */
export function diceOf(seed: number, ...further: readonly number[]): Dice {
  const share = randomOf(
    further.reduce((mixed, number) => Math.imul(mixed ^ number, 0x9e3779b1) ^ (mixed >>> 15), seed),
  );
  const roll = (sides: number): number => Math.floor(share() * sides);
  return {
    share,
    roll,
    chance: (wanted) => share() < wanted,
    pick: (values) => values[roll(values.length)]!,
    weighted: (values, weightOf) => {
      let left = share() * values.reduce((sum, value) => sum + weightOf(value), 0);
      return values.find((value) => (left -= weightOf(value)) < 0) ?? values.at(-1)!;
    },
  };
}

/** Returns a generator of numbers from 0 to below 1 that are repeatable from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
