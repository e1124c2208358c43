import type { Minor } from './money.ts';
import type { LineType, Reward } from './program.ts';

export type Line = {
  readonly externalId: string | null;
  readonly name: string;
  readonly type: LineType;
  readonly quantity: number;
  /** Of one unit; negative for a discount. */
  readonly amount: Minor;
};

/** What a reward is computed from: the sum of the counted lines, and how many pieces they are. */
export type Base = { readonly amount: Minor; readonly quantity: bigint };

/** Fractions of the smallest unit that a reward is exact to: a percentage has four decimals. */
export const REWARD_SCALE = 1_000_000n;

/** The lines whose type counts: their sum, and the pieces of those that are no discount. */
export function baseOf(lines: readonly Line[], countedLines: readonly LineType[]): Base {
  let amount = 0n;
  let quantity = 0n;
  for (const line of lines) {
    if (!countedLines.includes(line.type)) continue;
    amount += line.amount * BigInt(line.quantity);
    if (line.type !== 'discount') quantity += BigInt(line.quantity);
  }
  return { amount: amount as Minor, quantity };
}

/** The exact reward, not yet rounded, in millionths of the smallest unit. */
export function exactReward(reward: Reward, base: Base): bigint {
  switch (reward.type) {
    case 'percent':
      return base.amount * BigInt(reward.ratePpm);
    case 'per-sale':
      return reward.amount * REWARD_SCALE;
    case 'per-product':
      return reward.amount * base.quantity * REWARD_SCALE;
    default:
      return reward satisfies never;
  }
}
