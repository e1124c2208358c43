export type Dice = {
  /** Returns an integer from 0 to `sides` − 1. */
  readonly roll: (sides: number) => number;
  /** Returns a number from 0 to below 1. */
  readonly share: () => number;
  /** Returns true with the probability `share`, from 0 to 1. */
  readonly chance: (share: number) => boolean;
};

/** Returns dice that give the same rolls for the same numbers, in every run and on every machine (mulberry32). */
export function diceOf(...numbers: readonly number[]): Dice {
  let state = numbers.reduce((mixed, number) => Math.imul(mixed ^ number, 0x9e3779b1) ^ (mixed >>> 15), 0x2545f491);
  const share = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { share, roll: (sides) => Math.floor(share() * sides), chance: (wanted) => share() < wanted };
}
