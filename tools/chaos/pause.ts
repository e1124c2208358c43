import type { Dice } from '#test/support/random.ts';

const SHORTEST_MS = 2_000;
const LONGEST_MS = 20_000;

/** Returns the length of a pause in milliseconds. Short pauses are more frequent than long ones. */
export function pauseMs(dice: Dice): number {
  return SHORTEST_MS + Math.min(dice.roll(LONGEST_MS - SHORTEST_MS), dice.roll(LONGEST_MS - SHORTEST_MS));
}
