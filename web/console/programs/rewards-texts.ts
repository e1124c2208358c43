import type { CreateProgramBody, Program } from '@whence/sdk';
import { formatMoney } from '#web/ui/formats/money.ts';
import { formatPercent } from '#web/ui/formats/numbers.ts';

export type Reward = (Program | CreateProgramBody)['reward'];

/** Returns a short text for a reward, such as `10% of the sale` or `US$5.00 a lead`. */
export function rewardText(reward: Reward, currency: string): string {
  if (reward.type === 'percent') return `${formatPercent(Number(reward.percent) / 100, { digits: 4 })} of the sale`;
  return `${formatMoney(Number(reward.amount), currency)} ${EACH[reward.type]}`;
}

const EACH = { 'per-sale': 'a sale', 'per-product': 'a unit', 'per-lead': 'a lead' };
