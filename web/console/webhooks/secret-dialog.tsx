import { webhooks as texts } from './webhooks-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CodeBlock, CopyLine } from '#web/ui/controls/copy.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';

/** The code that verifies a message. docs/reference/webhooks.md shows the same call. */
const CHECK = `import { verifyWebhook } from '@whence/sdk';

const secret = process.env.WHENCE_WEBHOOK_SECRET;
const body = await request.text();
const event = await verifyWebhook(body, request.headers, secret);`;

/** Shows a new signing secret. The secret can't be shown again. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const done = (
    <Button variant="primary" onClick={onClose}>
      {texts.secret.done}
    </Button>
  );
  return (
    <Dialog open stays onClose={onClose} title={texts.secret.title} actions={done}>
      <Stack gap={3}>
        <Notice tone="warn">{texts.secret.once}</Notice>
        <CopyLine text={secret} wrap />
        <Text tone="muted">{texts.secret.variable}</Text>
        <CopyLine text={`WHENCE_WEBHOOK_SECRET=${secret}`} wrap />
        <CodeBlock title={texts.secret.check} code={CHECK} />
      </Stack>
    </Dialog>
  );
}
