import { useQueryClient } from '@tanstack/react-query';
import type { Conversion } from '@whence/sdk';
import { conversionReviews as reviews, type ReviewAction } from '../changes.ts';
import { conversions as texts } from './conversions-texts.ts';
import { totalsOf } from '../totals.ts';
import { formatMoney } from '#web/ui/formats/money.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

export type { ReviewAction };

export const useReviews = reviews.useChangeState;
export const dismissRefusals = reviews.dismissRefused;

type ReviewDetails = {
  /** The reason for a rejection. */
  readonly reason?: string;
  /** The number of selected conversions that are not approved, because they are in fraud review. */
  readonly staying?: number;
};

/**
 * Returns a function that approves or rejects conversions, or clears them from review, after a delay. Until then, the
 * user can undo the review.
 */
export function useReview() {
  const api = useApi();
  const client = useQueryClient();
  return (action: ReviewAction, rows: readonly Conversion[], { reason, staying = 0 }: ReviewDetails = {}): void =>
    reviews.begin({
      action,
      rows,
      title: texts.underWay[action](rows.length),
      description: [
        totalsOf(rows)
          .map(({ minor, currency }) => formatMoney(minor, currency))
          .join(' + '),
        ...(staying === 0 ? [] : [texts.staying(staying)]),
      ].join('. '),
      send: (ids) => api.conversions.bulk({ action, ids, ...(reason === undefined ? {} : { reason }) }),
      reload: () => Promise.all(CHANGED.map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
      showResult: (done, refused) => {
        if (done > 0) toast.success(texts.done[action](done));
        if (refused.rows.length > 0) toast.error(texts.refused.title(refused.rows.length, refused.of));
      },
    });
}

/** The query keys that a review invalidates. */
const CHANGED = ['conversions', 'obligations', 'owed', 'balances', 'payouts', 'fulfillments'];
