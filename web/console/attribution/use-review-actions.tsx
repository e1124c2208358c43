import type { Conversion } from '@whence/sdk';
import { Check, ShieldCheck, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { conversions as texts } from './conversions-texts.ts';
import type { BulkAction } from '#web/ui/table/data-table.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useReview } from './undoable-reviews.ts';
import { RejectDialog } from './reject-dialog.tsx';

type Question = {
  readonly rows: readonly Conversion[];
  /** Called with true if the user confirmed the rejection, or with false if the user canceled. */
  readonly answer: (rejected: boolean) => void;
};

export type ReviewActionsOptions = {
  /**
   * Whether a bulk approval includes conversions in fraud review. Otherwise, such conversions stay in review, because
   * each of them needs its own decision.
   */
  readonly approvesHeld: boolean;
};

/** Returns the review actions for a list of conversions, and the dialog that asks for the reason for a rejection. */
export function useReviewActions({ approvesHeld }: ReviewActionsOptions): {
  readonly actions: readonly BulkAction<Conversion>[];
  readonly dialog: ReactNode;
} {
  const review = useReview();
  const [question, setQuestion] = useState<Question>();
  const actions = useMemo<readonly BulkAction<Conversion>[]>(() => {
    const approvable = (rows: readonly Conversion[]) =>
      approvesHeld || rows.length === 1 ? rows : rows.filter(({ review: state }) => state !== 'held');
    return [
      {
        id: 'approve',
        label: texts.approve,
        icon: Check,
        hotkey: 'a',
        enabled: (rows) => rows.every(({ status }) => status === 'pending'),
        partly: (rows) => {
          const staying = rows.length - approvable(rows).length;
          if (staying === 0) return undefined;
          return { label: texts.approveSome(rows.length - staying, rows.length), title: texts.staying(staying) };
        },
        run: (rows) => {
          const chosen = approvable(rows);
          const staying = rows.length - chosen.length;
          if (chosen.length > 0) return review('approve', chosen, { staying });
          toast.info(texts.noneApproved, texts.staying(staying));
          return false;
        },
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
    ];
  }, [review, approvesHeld]);
  const close = (rejected: boolean): void => {
    question?.answer(rejected);
    setQuestion(undefined);
  };
  const dialog = (
    <RejectDialog
      rows={question?.rows}
      onClose={() => close(false)}
      onReject={(reason) => {
        if (question !== undefined) review('reject', question.rows, { reason });
        close(true);
      }}
    />
  );
  return { actions, dialog };
}
