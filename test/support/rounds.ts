import { relative } from 'node:path';
import { randomOf, SEED } from './random.ts';

/**
 * How many rounds or random cases a test executes.
 *
 * - `whole`: all rounds, for `npm run races`.
 * - `one`: the single round of a seed, for `npm run races` with a seed.
 * - `usual`: some of the rounds, for `npm test`.
 */
export const AMOUNTS = ['whole', 'one', 'usual'] as const;
export type Amount = (typeof AMOUNTS)[number];
export const SHARE_USUAL = 1 / 5;

/** The value of WHENCE_TEST_ROUNDS, which the test runner sets. Default: `usual`. */
export const AMOUNT = AMOUNTS.find((amount) => amount === process.env['WHENCE_TEST_ROUNDS']) ?? 'usual';

/** Returns the time limit of a test file in milliseconds. The longest file takes a third of it on two cores. */
export function fileLimitMs(amount: Amount = AMOUNT): number {
  return amount === 'whole' ? 3_600_000 : 180_000;
}

/**
 * Returns the number of rounds to execute: `whole` if AMOUNT is `whole`, 1 if it is `one`, otherwise `usual`. Set a low
 * `usual` if a round takes long.
 */
export function countRounds(whole: number, usual = Math.ceil(whole * SHARE_USUAL)): number {
  switch (AMOUNT) {
    case 'whole':
      return whole;
    case 'one':
      return 1;
    case 'usual':
      return usual;
    default:
      return AMOUNT satisfies never;
  }
}

/**
 * Runs the rounds one after the other, each with its own random numbers. A failure reports the command that repeats
 * the round.
 */
export async function eachRound(
  count: number,
  race: (round: number, random: () => number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    const seed = SEED + round;
    await race(round, randomOf(seed)).catch((error: unknown) => {
      const [file = ''] = process.argv.slice(1);
      throw new Error(`Repeat this round with: npm run races -- --seed ${seed} ${relative(process.cwd(), file)}`, {
        cause: error,
      });
    });
  }
}
