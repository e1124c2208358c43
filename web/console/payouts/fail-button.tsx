import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
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
  const api = useApi();
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.payouts.fail(payoutId, { reason: reason.trim() }),
    onSuccess: async () => {
      await Promise.all(CHANGED.map((noun) => client.invalidateQueries({ queryKey: [noun] })));
      toast.success(texts.saved);
      onClose();
    },
  });
  return (
    <Form onSubmit={() => mutate()} error={error}>
      <TextField
        label={texts.reason}
        name="reason"
        description={texts.reasonHelp}
        maxLength={255}
        value={reason}
        onChange={setReason}
      />
      <FormActions
        submitLabel={texts.save}
        danger
        busy={isPending}
        disabled={reason.trim() === ''}
        onCancel={onClose}
      />
    </Form>
  );
}
