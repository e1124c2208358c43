import type { WebhookAttempt } from '@whence/sdk';
import { Check, X } from 'lucide-react';
import { webhooks as texts } from './webhooks-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { CodeBlock } from '#web/ui/controls/copy.tsx';
import { Drawer } from '#web/ui/overlay/dialog.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Timeline } from '#web/ui/chart/timeline.tsx';

const words = texts.deliveries;

type DeliveryDrawerProps = {
  readonly webhookId: number;
  readonly id: string | undefined;
  readonly onClose: () => void;
};

/** Shows one message with its delivery attempts and responses. */
export function DeliveryDrawer({ webhookId, id, onClose }: DeliveryDrawerProps) {
  const query = useRead(
    ['webhooks', 'deliveries', webhookId, id],
    (api, options) => api.webhooks.getDelivery(webhookId, id ?? '', options),
    { enabled: id !== undefined },
  );
  const { data } = query;
  return (
    <Drawer open={id !== undefined} onClose={onClose} title={data?.type ?? words.detail}>
      <Loaded query={query} lines={8}>
        {(delivery) => (
          <Stack gap={4}>
            <Timeline label={words.log} items={delivery.log.map(shownAttempt)} />
            <CodeBlock code={JSON.stringify(delivery.payload, null, 2)} title={words.payload} />
          </Stack>
        )}
      </Loaded>
    </Drawer>
  );
}

function shownAttempt({ number, startedAt, durationMs, statusCode, error, response }: WebhookAttempt) {
  return {
    id: String(number),
    at: startedAt,
    title: words.attempt(number),
    tone: error === null ? ('good' as const) : ('bad' as const),
    icon: error === null ? Check : X,
    children: (
      <>
        <Text as="p">
          {statusCode ?? words.noAnswer}, {words.took(durationMs)}
        </Text>
        {error !== null && (
          <Text as="p" tone="bad">
            {error}
          </Text>
        )}
        {response !== null && response !== '' && (
          <Text as="p" mono size="small">
            {response}
          </Text>
        )}
      </>
    ),
  };
}
