import { CircleX } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { CHANGED } from './changed.ts';
import { failure as texts } from './results-texts.ts';

/** Records that the payment of a payout failed, with the reason. */
export function FailButton({ payoutId }: { readonly payoutId: number }) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button icon={CircleX} onClick={() => setOpen(true)}>
        {texts.button}
      </Button>
      <Dialog open={isOpen} onClose={close} size="small" title={texts.title} description={texts.description}>
        {isOpen && <Reason payoutId={payoutId} onClose={close} />}
      </Dialog>
    </>
  );
}

function Reason({ payoutId, onClose }: { readonly payoutId: number; readonly onClose: () => void }) {
  const [{ reason }, field] = useDraft({ reason: '' });
  const fail = useCall((api) => api.payouts.fail(payoutId, { reason: reason.trim() }), {
    reloads: CHANGED,
    done: texts.saved,
    onDone: onClose,
  });
  return (
    <Form call={fail}>
      <TextField label={texts.reason} {...field('reason')} description={texts.reasonHelp} maxLength={255} />
      <FormActions submitLabel={texts.save} danger disabled={reason.trim() === ''} onCancel={onClose} />
    </Form>
  );
}
