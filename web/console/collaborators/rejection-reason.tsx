import type { Collaborator } from '@whence/sdk';
import { type ReactNode, useState } from 'react';
import { collaborators as texts } from './collaborators-texts.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { TextArea } from '#web/ui/form/text-field.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { useMove } from './undoable-moves.ts';

const words = texts.status;

const LONGEST_REASON = 500;

type RejectionReasonProps = { readonly value: string; readonly onChange: (value: string) => void };

/** Explains a rejection, and asks for the optional reason. */
export function RejectionReason({ value, onChange }: RejectionReasonProps) {
  return (
    <Stack gap={3}>
      {words.rejectHelp}
      <TextArea
        label={words.reason}
        description={words.reasonHelp}
        optional
        rows={2}
        maxLength={LONGEST_REASON}
        value={value}
        onChange={onChange}
      />
    </Stack>
  );
}

type Question = {
  readonly applicants: readonly Collaborator[];
  /** Called with true if the user confirmed the rejection, or with false if the user canceled. */
  readonly answer: (rejected: boolean) => void;
};

export type Rejection = {
  /** Asks for confirmation and one reason, and resolves to whether the applicants are being rejected. */
  readonly reject: (applicants: readonly Collaborator[]) => Promise<boolean>;
  readonly dialog: ReactNode;
};

/** Returns a function that rejects applicants after a confirmation, and its dialog. */
export function useRejection(): Rejection {
  const move = useMove();
  const [question, setQuestion] = useState<Question>();
  const [reason, setReason] = useState('');
  const reject = (applicants: readonly Collaborator[]): Promise<boolean> =>
    new Promise((answer) => {
      setReason('');
      setQuestion({ applicants, answer });
    });
  const close = (): void => {
    question?.answer(false);
    setQuestion(undefined);
  };
  const { applicants = [] } = question ?? {};
  const [first] = applicants;
  const title =
    applicants.length === 1 && first !== undefined
      ? words.rejectTitle(first.name)
      : words.rejectMany(applicants.length);
  const dialog = (
    <ConfirmDialog
      open={question !== undefined}
      onClose={close}
      title={title}
      confirmLabel={words.reject}
      danger
      onConfirm={() => {
        move('reject', applicants, reason.trim());
        question?.answer(true);
      }}
    >
      <RejectionReason value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
  return { reject, dialog };
}
