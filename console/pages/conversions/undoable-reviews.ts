import { useQueryClient } from '@tanstack/react-query';
import type { Conversion, ConversionReview } from '@whence/sdk';
import { useSyncExternalStore } from 'react';
import { conversions as texts } from '#console/texts/conversions.ts';
import { totalsOf } from '#console/totals.ts';
import { formatMoney } from '#ui/formats/money.ts';
import { useApi } from '#ui/shell/api.tsx';
import { toast } from '#ui/toast.tsx';

export type ReviewAction = 'approve' | 'reject' | 'release';

/** One that the service would not change. */
export type Refusal = {
  readonly id: number;
  readonly action: ReviewAction;
  readonly outcome: ConversionReview['outcome'];
};

type Reviews = {
  /** What was said on this page and can still be taken back. */
  readonly undoable: ReadonlyMap<number, ReviewAction>;
  /** What the service refused of what was sent last, and how many that were. */
  readonly refused: { readonly rows: readonly Refusal[]; readonly of: number };
};

const NOTHING: Reviews['refused'] = { rows: [], of: 0 };
const MOST_AT_ONCE = 1_000;

// Beyond any component: what can be undone goes on while somebody looks at another page.
let reviews: Reviews = { undoable: new Map(), refused: NOTHING };
const listeners = new Set<() => void>();

export function useReviews(): Reviews {
  return useSyncExternalStore(subscribe, () => reviews);
}

export function dismissRefusals(): void {
  change({ refused: NOTHING });
}

/**
 * Approves, rejects or releases. The service can't take any back, since all are about money. So it is told six seconds
 * later, or as soon as the page is left, and until then it can be undone.
 */
export function useReview() {
  const api = useApi();
  const client = useQueryClient();
  return (action: ReviewAction, rows: readonly Conversion[], reason?: string): void => {
    const ids = rows.map(({ id }) => id);
    add(ids, action);
    const commit = async (): Promise<void> => {
      const outcomes: ConversionReview[] = [];
      for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
        const some = ids.slice(at, at + MOST_AT_ONCE);
        outcomes.push(
          ...(await api.conversions.bulk({ action, ids: some, ...(reason === undefined ? {} : { reason }) })),
        );
      }
      // They go as they are shown as what they have become.
      await Promise.all(CHANGED.map((noun) => client.invalidateQueries({ queryKey: [noun] })));
      remove(ids);
      tell(action, outcomes);
    };
    const description = totalsOf(rows)
      .map(({ minor, currency }) => formatMoney(minor, currency))
      .join(' + ');
    toast.undoable({ title: texts.underWay[action](ids.length), description, commit, onUndo: () => remove(ids) });
  };
}

/** What a review changes. */
const CHANGED = ['conversions', 'obligations', 'owed', 'balances', 'payouts', 'fulfillments'];

function tell(action: ReviewAction, outcomes: readonly ConversionReview[]): void {
  const refused = outcomes.filter(({ outcome }) => outcome !== 'changed' && outcome !== 'unchanged');
  const done = outcomes.length - refused.length;
  if (done > 0) toast.success(texts.done[action](done));
  if (refused.length === 0) return;
  toast.error(texts.refused.title(refused.length, outcomes.length));
  const rows = refused.map(({ id, outcome }) => ({ id, action, outcome }));
  change({ refused: { rows, of: outcomes.length } });
}

function add(ids: readonly number[], action: ReviewAction): void {
  change({ undoable: new Map([...reviews.undoable, ...ids.map((id) => [id, action] as const)]) });
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
