import { useQueryClient } from '@tanstack/react-query';
import type { Payout, ReviewManyPayoutsAnswerRow, ReviewPayoutBody } from '@whence/sdk';
import { useSyncExternalStore } from 'react';
import { payouts as texts } from '#console/texts/payouts.ts';
import { totalsOf } from '#console/totals.ts';
import { formatMoney } from '#ui/formats/money.ts';
import { useApi } from '#ui/shell/api.tsx';
import { toast } from '#ui/toast.tsx';
import { CHANGED } from './changed.ts';
import { inParts, type Sent } from './in-parts.ts';
import { effectsOf } from './review-effects.ts';

export type Resolution = ReviewPayoutBody['resolution'];

type Reviews = {
  /** What was decided on this page and can still be taken back. */
  readonly undoable: ReadonlyMap<number, Resolution>;
  /** What the service refused of what was sent last. */
  readonly refused: readonly ReviewManyPayoutsAnswerRow[];
  /** How far a review of many has come that is being sent. */
  readonly sent: Sent | undefined;
};

// Beyond any component: what can be undone goes on while somebody looks at another page.
let reviews: Reviews = { undoable: new Map(), refused: [], sent: undefined };
const listeners = new Set<() => void>();

export function useReviews(): Reviews {
  return useSyncExternalStore(subscribe, () => reviews);
}

export function dismissRefusals(): void {
  change({ refused: [] });
}

/**
 * Keeps or claws back. The service can't take it back, since it is about money. So it is told six seconds later, or as
 * soon as the page is left, and until then it can be undone.
 */
export function useReview() {
  const api = useApi();
  const client = useQueryClient();
  return (resolution: Resolution, note: string, payouts: readonly Payout[]): void => {
    const ids = payouts.map(({ id }) => id);
    change({ undoable: new Map([...reviews.undoable, ...ids.map((id) => [id, resolution] as const)]) });
    const commit = async (): Promise<void> => {
      const send = (some: number[]) => api.payouts.reviewMany({ resolution, note, ids: some });
      const outcomes = await inParts(ids, send, (sent) => change({ sent }));
      // They go as they are shown as what they have become.
      await Promise.all(CHANGED.map((noun) => client.invalidateQueries({ queryKey: [noun] })));
      remove(ids);
      tell(resolution, outcomes);
    };
    toast.undoable({
      title: texts.review.underWay[resolution](ids.length),
      description: atStake(payouts)
        .map(({ minor, currency }) => formatMoney(minor, currency))
        .join(' + '),
      commit,
      onUndo: () => remove(ids),
    });
  };
}

/** What of payouts is not owed any more. */
export function atStake(payouts: readonly Payout[]): ReturnType<typeof totalsOf> {
  return totalsOf(payouts.map((payout) => ({ amount: Number(effectsOf(payout).flagged), currency: payout.currency })));
}

function tell(resolution: Resolution, outcomes: readonly ReviewManyPayoutsAnswerRow[]): void {
  const refused = outcomes.filter(({ outcome }) => outcome in texts.review.outcomes);
  const done = outcomes.length - refused.length;
  if (done > 0) toast.success(texts.review.done[resolution](done));
  change({ refused });
}

function remove(ids: readonly number[]): void {
  const gone = new Set(ids);
  change({ undoable: new Map([...reviews.undoable].filter(([id]) => !gone.has(id))) });
}

function change(to: Partial<Reviews>): void {
  reviews = { ...reviews, ...to };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
