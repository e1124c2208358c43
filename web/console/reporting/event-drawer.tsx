import type { Event } from '@whence/sdk';
import { RotateCcw } from 'lucide-react';
import { CollaboratorName, OrderName } from '../names.tsx';
import { usePermission } from '../session.ts';
import { live as texts } from './live-texts.ts';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CodeBlock } from '#web/ui/controls/copy.tsx';
import { Drawer } from '#web/ui/overlay/dialog.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Facts } from '#web/ui/shell/page.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

/** The polling interval while the event is being decided, in milliseconds. */
const LOOK_EVERY_MS = 2_000;

/** Shows an event's details with links to its results. */
export function EventDrawer({ id, onClose }: { readonly id: string | undefined; readonly onClose: () => void }) {
  const may = usePermission('resources:write');
  const query = useRead(['events', id], (api, options) => api.events.get(id ?? '', options), {
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? LOOK_EVERY_MS : false),
  });
  const { data } = query;
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      title={data === undefined ? texts.details.id : texts.types[data.type]}
      actions={data?.state === 'parked' && may ? <Retry event={data} /> : undefined}
    >
      <Loaded query={query} lines={6}>
        {(event) => <Details event={event} />}
      </Loaded>
    </Drawer>
  );
}

function Details({ event }: { readonly event: Event }) {
  const { id, state, source, opportunityId, collaboratorId, transactionId, occurredAt, error } = event;
  return (
    <Stack gap={4}>
      <Facts
        items={[
          { label: texts.details.id, value: <Text mono>{id}</Text> },
          { label: texts.details.state, value: <StatusBadge status={state} label={texts.states[state]} /> },
          { label: texts.details.error, value: error },
          {
            label: texts.details.collaborator,
            value: collaboratorId !== undefined && <CollaboratorName id={collaboratorId} />,
          },
          { label: texts.details.source, value: source },
          { label: texts.details.event, value: event.event },
          { label: texts.details.at, value: <Time at={occurredAt} as="datetime" /> },
          {
            label: texts.details.visitor,
            value: opportunityId !== null && (
              <Link href={`/opportunities/${opportunityId}`}>{texts.details.journey}</Link>
            ),
          },
          {
            label: texts.details.transaction,
            value: transactionId !== undefined && <OrderName id={transactionId} />,
          },
        ]}
      />
      <CodeBlock code={JSON.stringify(event, null, 2)} title={texts.details.json} />
    </Stack>
  );
}

function Retry({ event }: { readonly event: Event }) {
  const retry = useCall((api) => api.events.retry(event.id), {
    reloads: ['events'],
    done: texts.details.retried,
    onError: toast.error,
  });
  return (
    <Button variant="primary" icon={RotateCcw} busy={retry.isPending} onClick={() => retry.mutate()}>
      {texts.details.retry}
    </Button>
  );
}
