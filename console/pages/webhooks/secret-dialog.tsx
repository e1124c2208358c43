import { webhooks as texts } from '#console/texts/webhooks.ts';
import { Button } from '#ui/button.tsx';
import { CodeBlock, CopyLine } from '#ui/copy.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';

/** As docs/webhooks.md has it. */
const CHECK = `import { verifyWebhook } from '@whence/sdk';

const secret = process.env.WHENCE_WEBHOOK_SECRET;
const body = await request.text();
const event = await verifyWebhook(body, request.headers, secret);`;

/** A signing secret that was just made: the only time that anybody sees it. */
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
