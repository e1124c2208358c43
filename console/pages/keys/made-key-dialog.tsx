import type { NewApiKey } from '@whence/sdk';
import { keys as texts } from '#console/texts/keys.ts';
import { Button } from '#ui/button.tsx';
import { CopyLine } from '#ui/copy.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';

type MadeKeyDialogProps = { readonly made: NewApiKey; readonly onClose: () => void };

/** A key that was just made: the only time that anybody sees it. */
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
