import type { Payout } from '@whence/sdk';
import { HandCoins, Undo2 } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { payouts as texts } from './payouts-texts.ts';
import type { BulkAction } from '#web/ui/table/data-table.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { type Resolution, useReview } from './undoable-reviews.ts';

type Asked = {
  readonly resolution: Resolution;
  readonly payouts: readonly Payout[];
  /** Called with true if the user confirmed the decision, or with false if the user canceled. */
  readonly answer: (decided: boolean) => void;
};

/** Returns the review actions for a list of payouts, and the dialog that asks for a note. */
export function useReviewActions(): { readonly actions: readonly BulkAction<Payout>[]; readonly dialog: ReactNode } {
  const review = useReview();
  const [asked, setAsked] = useState<Asked>();
  const actions = useMemo<readonly BulkAction<Payout>[]>(() => {
    const ask = (resolution: Resolution) => (payouts: readonly Payout[]) =>
      new Promise<boolean>((answer) => setAsked({ resolution, payouts, answer }));
    return [
      { id: 'keep', label: texts.review.keepMore, icon: HandCoins, hotkey: 'e', run: ask('keep') },
      { id: 'claw-back', label: texts.review.clawBackMore, icon: Undo2, hotkey: 'c', run: ask('claw-back') },
    ];
  }, []);
  const close = (decided: boolean): void => {
    asked?.answer(decided);
    setAsked(undefined);
  };
  const dialog = (
    <ReviewDialog
      asked={asked}
      onClose={() => close(false)}
      onDecide={(note) => {
        if (asked !== undefined) review(asked.resolution, note, asked.payouts);
        close(true);
      }}
    />
  );
  return { actions, dialog };
}
