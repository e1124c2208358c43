import { useQueryClient } from '@tanstack/react-query';
import type { Payout } from '@whence/sdk';
import { payoutReviews as reviews, type Resolution } from '../changes.ts';
import { payouts as texts } from './payouts-texts.ts';
import { totalsOf } from '../totals.ts';
import { formatMoney } from '#web/ui/formats/money.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { CHANGED } from './changed.ts';
import { effectsOf } from './review-effects.ts';

export type { Resolution };

export const useReviews = reviews.useChangeState;
export const dismissRefusals = reviews.dismissRefused;

/**
 * Returns a function that keeps or claws back the flagged amounts of payouts after a delay. Until then, the user can
 * undo the decision. The service skips a payout that was flagged again in the meantime.
 */
export function useReview() {
  const api = useApi();
  const client = useQueryClient();
  return (resolution: Resolution, note: string, payouts: readonly Payout[]): void => {
    const reasons = new Map(payouts.map(({ id, review }) => [id, review.reasonCount]));
    const seenOf = (id: number) => ({ id, reasons: reasons.get(id) ?? 0 });
    reviews.begin({
      action: resolution,
      rows: payouts,
      title: texts.review.underWay[resolution](payouts.length),
      description: atStake(payouts)
        .map(({ minor, currency }) => formatMoney(minor, currency))
        .join(' + '),
      send: (ids) => api.payouts.reviewMany({ resolution, note, ids, seen: ids.map(seenOf) }),
      reload: () => Promise.all(CHANGED.map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
      showResult: (done) => done > 0 && toast.success(texts.review.done[resolution](done)),
    });
  };
}

/** Returns the total of the flagged amounts, by currency. */
export function atStake(payouts: readonly Payout[]): ReturnType<typeof totalsOf> {
  return totalsOf(payouts.map((payout) => ({ amount: Number(effectsOf(payout).flagged), currency: payout.currency })));
}
