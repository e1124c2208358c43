import type { Conversion } from '@whence/sdk';
import { Check, ShieldCheck, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { conversions as texts } from './conversions-texts.ts';
import type { BulkAction } from '#web/ui/table/data-table.tsx';
import { useReview } from './undoable-reviews.ts';
import { RejectDialog } from './reject-dialog.tsx';

type Question = {
  readonly rows: readonly Conversion[];
  /** Called with true if the user confirmed the rejection, or with false if the user canceled. */
  readonly answer: (rejected: boolean) => void;
};

/** Returns the review actions for a list of conversions, and the dialog that asks for the reason for a rejection. */
export function useReviewActions(): {
  readonly actions: readonly BulkAction<Conversion>[];
  readonly dialog: ReactNode;
} {
  const review = useReview();
  const [question, setQuestion] = useState<Question>();
  const actions = useMemo<readonly BulkAction<Conversion>[]>(
    () => [
      {
        id: 'approve',
        label: texts.approve,
        icon: Check,
        hotkey: 'a',
        enabled: (rows) => rows.every(({ status }) => status === 'pending'),
        run: (rows) => review('approve', rows),
      },
      {
        id: 'reject',
        label: texts.rejectMore,
        icon: X,
        hotkey: 'r',
        enabled: (rows) => rows.every(({ status }) => status !== 'rejected'),
        run: (rows) => new Promise<boolean>((answer) => setQuestion({ rows, answer })),
      },
      {
        id: 'release',
        label: texts.release,
        icon: ShieldCheck,
        hotkey: 'l',
        enabled: (rows) => rows.every(({ review: state }) => state === 'held'),
        run: (rows) => review('release', rows),
      },
    ],
    [review],
  );
  const close = (rejected: boolean): void => {
    question?.answer(rejected);
    setQuestion(undefined);
  };
  const dialog = (
    <RejectDialog
      rows={question?.rows}
      onClose={() => close(false)}
      onReject={(reason) => {
        if (question !== undefined) review('reject', question.rows, reason);
        close(true);
      }}
    />
  );
  return { actions, dialog };
}
