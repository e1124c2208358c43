import type { Connector } from '@whence/sdk';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession, usePermission } from '../session.ts';
import { connectors as texts } from './connectors-texts.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { CodeBlock, CopyLine } from '#web/ui/controls/copy.tsx';
import { Facts } from '#web/ui/shell/page.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { SecretForm } from './secret-form.tsx';

const words = texts.steps;
const STEPS = 3;

/**
 * Returns whether the setup is complete: the connector has a secret, and an order with a referral has arrived. A
 * deleted connector counts as complete.
 */
export function isConnected({ status, hasSecret, firstAttributedOrder }: Connector): boolean {
  return status === 'deleted' || (hasSecret && firstAttributedOrder !== null);
}

/** Guides the user through the setup of a connector, and marks the completed steps. */
export function ConnectSteps({ connector }: { readonly connector: Connector }) {
  const { publicUrl } = useSession();
  const may = usePermission('resources:write');
  const { kind, mode, webhookUrl, eventTypes, hasSecret, firstEventAt, firstAttributedOrder } = connector;
  // The Medusa plugin chooses the events itself, so the step lists no events.
  const isPlugin = kind === 'medusa';
  const title = isPlugin ? words.plugin : words.url;
  return (
    <>
      <Step number={1} title={title(texts.kinds[kind])} help={words.urlHelp[kind]} isDone={hasSecret}>
        <CopyLine text={webhookUrl} wrap />
        {isLocal(webhookUrl) && <Text tone="muted">{words.unreachable}</Text>}
        {!isPlugin && <CodeBlock title={words.events} code={eventTypes.join('\n')} />}
      </Step>
      <Step number={2} title={words.secret} isDone={hasSecret}>
        {may && !hasSecret && <SecretForm connector={connector} />}
      </Step>
      <Step number={3} title={words.watch} help={words.watchHelp[mode]} isDone={firstAttributedOrder !== null}>
        <Facts
          items={[
            {
              label: words.firstEvent,
              value: firstEventAt === null ? <Awaited /> : <Time at={firstEventAt} as="datetime" />,
            },
            { label: words.firstOrder, value: firstAttributedOrder ?? <Awaited /> },
          ]}
        />
        {firstAttributedOrder === null && (
          <Text tone="muted">
            {words.orderHelp} <Link href={`${publicUrl}/docs/guides/how-to/connect-${kind}`}>{words.guide}</Link>
          </Text>
        )}
      </Step>
    </>
  );
}

function isLocal(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}

function Awaited() {
  return <Text tone="muted">{words.awaiting}</Text>;
}

type StepProps = {
  readonly number: number;
  readonly title: string;
  readonly help?: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
};

function Step({ number, title, help, isDone, children }: StepProps) {
  const state = isDone ? (
    <Badge tone="good" icon={CircleCheck}>
      {words.done}
    </Badge>
  ) : (
    <Text tone="muted" size="small">
      {words.step(number, STEPS)}
    </Text>
  );
  return (
    <Card title={title} description={help} actions={state}>
      <Stack gap={3}>{children}</Stack>
    </Card>
  );
}
