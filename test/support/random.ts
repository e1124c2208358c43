/** Numbers of 0 … 1 that a seed repeats (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The seed of this run: printed with a failure, and given back through TEST_SEED. */
export const SEED = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

export type Dice = {
  /** 0 … `sides` − 1. */
  readonly roll: (sides: number) => number;
  /** True in so many of all cases, of 0 … 1. */
  readonly chance: (share: number) => boolean;
  /** One of them; there is at least one. */
  readonly pick: <Value>(values: readonly Value[]) => Value;
};

/** The same rolls for the same seed, in every run. */
export function diceOf(seed: number): Dice {
  const random = randomOf(seed);
  const roll = (sides: number): number => Math.floor(random() * sides);
  return {
    roll,
    chance: (share) => random() < share,
    pick: (values) => values[roll(values.length)]!,
  };
}
