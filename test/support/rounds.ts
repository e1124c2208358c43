import { relative } from 'node:path';
import { randomOf, SEED } from './random.ts';

/**
 * How much a run has of what is tried in rounds or by chance. `npm run races` has the `whole` of it, or, for a seed that is
 * given, the `one` round of that seed. `npm test` has the `usual` part, and on a second PostgreSQL a share of that `again`:
 * it is asked whether anything depends on the version, and for that chance need not have its way.
 */
export const AMOUNTS = ['whole', 'one', 'usual', 'again'] as const;
export type Amount = (typeof AMOUNTS)[number];
export const SHARE_USUAL = 1 / 5;
export const SHARE_AGAIN = 1 / 4;

/** Set by the runner. */
export const AMOUNT = AMOUNTS.find((amount) => amount === process.env['WHENCE_TEST_ROUNDS']) ?? 'usual';

/** How long a file may take, the longest of them a third of it on two cores. */
export function fileLimitMs(amount: Amount = AMOUNT): number {
  return amount === 'whole' ? 3_600_000 : 180_000;
}

/** How many rounds this run has, of what is tried so often in the whole. Where a round is dear, say how many are usual. */
export function rounds(whole: number, usual = Math.ceil(whole * SHARE_USUAL)): number {
  switch (AMOUNT) {
    case 'whole':
      return whole;
    case 'one':
      return 1;
    case 'usual':
      return usual;
    case 'again':
      return Math.ceil(usual * SHARE_AGAIN);
    default:
      return AMOUNT satisfies never;
  }
}

/** One round after the other, each with chances of its own. One that fails says what repeats it. */
export async function eachRound(
  count: number,
  race: (round: number, random: () => number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    const seed = SEED + round;
    await race(round, randomOf(seed)).catch((error: unknown) => {
      const [file = ''] = process.argv.slice(1);
      throw new Error(`again with: npm run races -- --seed ${seed} ${relative(process.cwd(), file)}`, { cause: error });
    });
  }
}
