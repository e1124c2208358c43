import type { Payout } from '@whence/sdk';
import { useState } from 'react';
import { payouts as texts } from './payouts-texts.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { MoneyList } from '#web/ui/controls/money.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { atStake, type Resolution } from './undoable-reviews.ts';

type Decision = { readonly resolution: Resolution; readonly payouts: readonly Payout[] };

export type ReviewDialogProps = {
  /** The decision and the payouts that it applies to. Undefined closes the dialog. */
  readonly question: Decision | undefined;
  readonly onDecide: (note: string) => void;
  readonly onClose: () => void;
};

export const LONGEST_NOTE = 1_000;

/** Asks for one note that explains the decision on several payouts. */
export function ReviewDialog({ question, onDecide, onClose }: ReviewDialogProps) {
  return (
    <Dialog
      open={question !== undefined}
      onClose={onClose}
      title={question && texts.review.many[question.resolution].title(question.payouts.length)}
      description={question && texts.review.many[question.resolution].words}
    >
      {question !== undefined && <NoteForm {...question} onDecide={onDecide} onClose={onClose} />}
    </Dialog>
  );
}

function NoteForm({ resolution, payouts, onDecide, onClose }: Decision & Omit<ReviewDialogProps, 'question'>) {
  const [note, setNote] = useState('');
  const ready = note.trim() !== '';
  return (
    <Form onSubmit={() => ready && onDecide(note.trim())}>
      <Text size="large" strong>
        <MoneyList amounts={atStake(payouts)} />
      </Text>
      <TextField
        label={texts.review.note}
        description={texts.review.noteHelp}
        value={note}
        onChange={setNote}
        maxLength={LONGEST_NOTE}
        required
        autoFocus
      />
      <FormActions
        submitLabel={texts.review.decide[resolution]}
        danger={resolution === 'claw-back'}
        disabled={!ready}
        onCancel={onClose}
      />
    </Form>
  );
}
