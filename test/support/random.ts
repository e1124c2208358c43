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

/** The seed of this run. A failure prints it, and TEST_SEED sets it to repeat the run. */
export const SEED = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

export type Dice = {
  /** Returns an integer from 0 to `sides` − 1. */
  readonly roll: (sides: number) => number;
  /** Returns true with this probability, from 0 to 1. */
  readonly chance: (share: number) => boolean;
  /** Returns a random element of a non-empty list. */
  readonly pick: <Value>(values: readonly Value[]) => Value;
};

/** Returns dice that repeat the same rolls for the same seed. */
export function diceOf(seed: number): Dice {
  const random = randomOf(seed);
  const roll = (sides: number): number => Math.floor(random() * sides);
  return {
    roll,
    chance: (share) => random() < share,
    pick: (values) => values[roll(values.length)]!,
  };
}
