import type { ApiKey, NewApiKey } from '@whence/sdk';
import { useState } from 'react';
import { keys as texts } from './keys-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { Select } from '#web/ui/form/select.tsx';

const words = texts.rotate;

type Overlap = keyof typeof words.overlaps;

const OVERLAPS = (Object.keys(words.overlaps) as Overlap[]).map((value) => ({ value, label: words.overlaps[value] }));

type RotateDialogProps = {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onMade: (key: NewApiKey) => void;
};

/** Replaces an API key with a new key. The old key stays valid for the chosen time, or until its own expiry. */
export function RotateDialog({ apiKey, onClose, onMade }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>('86400');
  const rotate = useCall((api) => api.apiKeys.rotate(apiKey.id, { overlapSeconds: Number(overlap) }), {
    reloads: ['apiKeys'],
    onAnswer: onMade,
  });
  return (
    <Dialog open onClose={onClose} title={words.title(apiKey.label)} description={words.detail} size="small">
      <Form call={rotate}>
        <Select
          label={words.overlap}
          name="overlapSeconds"
          options={OVERLAPS}
          value={overlap}
          onChange={(chosen) => setOverlap(chosen)}
        />
        <FormActions submitLabel={words.submit} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
