import { useState } from 'react';
import { conversions as texts } from './conversions-texts.ts';
import { totalsOf } from '../totals.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { MoneyList } from '#web/ui/controls/money.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';

type Rejected = { readonly amount: number; readonly currency: string };

export type RejectDialogProps = {
  /** The conversions to reject. Undefined closes the dialog. */
  readonly rows: readonly Rejected[] | undefined;
  readonly onReject: (reason: string) => void;
  readonly onClose: () => void;
};

const LONGEST_REASON = 255;

/** Asks for the reason for a rejection. The partner can read the reason. */
export function RejectDialog({ rows, onReject, onClose }: RejectDialogProps) {
  return (
    <Dialog
      open={rows !== undefined}
      onClose={onClose}
      title={texts.rejection.title(rows?.length ?? 1)}
      description={texts.rejection.words(rows?.length ?? 1)}
    >
      {rows !== undefined && <Reason rows={rows} onReject={onReject} onClose={onClose} />}
    </Dialog>
  );
}

function Reason({ rows, onReject, onClose }: RejectDialogProps & { readonly rows: readonly Rejected[] }) {
  const [reason, setReason] = useState('');
  const ready = reason.trim() !== '';
  return (
    <Form onSubmit={() => ready && onReject(reason.trim())}>
      <Text size="large" strong>
        <MoneyList amounts={totalsOf(rows)} />
      </Text>
      <Stack gap={2}>
        <TextField
          label={texts.rejection.reason}
          description={texts.rejection.reasonHelp}
          value={reason}
          onChange={setReason}
          maxLength={LONGEST_REASON}
          autoFocus
        />
        <Row gap={1} role="group" aria-label={texts.rejection.usual}>
          {texts.rejection.reasons.map((usual) => (
            <Button key={usual} size="small" onClick={() => setReason(usual)}>
              {usual}
            </Button>
          ))}
        </Row>
      </Stack>
      <FormActions submitLabel={texts.reject} danger disabled={!ready} onCancel={onClose} />
    </Form>
  );
}
