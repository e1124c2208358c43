import type { NewApiKey } from '@whence/sdk';
import { keys as texts } from './keys-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyLine } from '#web/ui/controls/copy.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';

type MadeKeyDialogProps = { readonly made: NewApiKey; readonly onClose: () => void };

/** Shows a new API key. The key can't be shown again. */
export function MadeKeyDialog({ made: { label, rawKey }, onClose }: MadeKeyDialogProps) {
  return (
    <Dialog
      open
      stays
      onClose={onClose}
      title={texts.made.title(label)}
      actions={
        <Button variant="primary" onClick={onClose}>
          {texts.made.done}
        </Button>
      }
    >
      <Stack gap={3}>
        <Notice tone="warn">{texts.made.once}</Notice>
        <CopyLine text={rawKey} wrap />
        <Text tone="muted">{texts.made.use}</Text>
        <CopyLine text={`export KEY=${rawKey}`} wrap />
      </Stack>
    </Dialog>
  );
}
