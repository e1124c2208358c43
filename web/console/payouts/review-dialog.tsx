import type { Payout } from '@whence/sdk';
import { useState } from 'react';
import { payouts as texts } from './payouts-texts.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { MoneyList } from '#web/ui/controls/money.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { atStake, type Resolution } from './undoable-reviews.ts';

type Decided = { readonly resolution: Resolution; readonly payouts: readonly Payout[] };

export type ReviewDialogProps = {
  /** The decision and the payouts that it applies to. Undefined closes the dialog. */
  readonly asked: Decided | undefined;
  readonly onDecide: (note: string) => void;
  readonly onClose: () => void;
};

export const LONGEST_NOTE = 1_000;

/** Asks for one note that explains the decision on several payouts. */
export function ReviewDialog({ asked, onDecide, onClose }: ReviewDialogProps) {
  return (
    <Dialog
      open={asked !== undefined}
      onClose={onClose}
      title={asked && texts.review.many[asked.resolution].title(asked.payouts.length)}
      description={asked && texts.review.many[asked.resolution].words}
    >
      {asked !== undefined && <Note {...asked} onDecide={onDecide} onClose={onClose} />}
    </Dialog>
  );
}

function Note({ resolution, payouts, onDecide, onClose }: Decided & Omit<ReviewDialogProps, 'asked'>) {
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
