import type { Payout } from '@whence/sdk';
import { HandCoins, Undo2 } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { payouts as texts } from './payouts-texts.ts';
import type { BulkAction } from '#web/ui/table/data-table.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { type Resolution, useReview } from './undoable-reviews.ts';

type Question = {
  readonly resolution: Resolution;
  readonly payouts: readonly Payout[];
  /** Called with true if the user confirmed the decision, or with false if the user canceled. */
  readonly answer: (decided: boolean) => void;
};

/** Returns the review actions for a list of payouts, and the dialog that asks for a note. */
export function useReviewActions(): { readonly actions: readonly BulkAction<Payout>[]; readonly dialog: ReactNode } {
  const review = useReview();
  const [question, setQuestion] = useState<Question>();
  const actions = useMemo<readonly BulkAction<Payout>[]>(() => {
    const ask = (resolution: Resolution) => (payouts: readonly Payout[]) =>
      new Promise<boolean>((answer) => setQuestion({ resolution, payouts, answer }));
    return [
      { id: 'keep', label: texts.review.keepMore, icon: HandCoins, hotkey: 'e', run: ask('keep') },
      { id: 'claw-back', label: texts.review.clawBackMore, icon: Undo2, hotkey: 'c', run: ask('claw-back') },
    ];
  }, []);
  const close = (decided: boolean): void => {
    question?.answer(decided);
    setQuestion(undefined);
  };
  const dialog = (
    <ReviewDialog
      question={question}
      onClose={() => close(false)}
      onDecide={(note) => {
        if (question !== undefined) review(question.resolution, note, question.payouts);
        close(true);
      }}
    />
  );
  return { actions, dialog };
}
