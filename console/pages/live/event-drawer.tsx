import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Event } from '@whence/sdk';
import { RotateCcw } from 'lucide-react';
import { CollaboratorName, OrderName } from '#console/names.tsx';
import { useMay } from '#console/session.ts';
import { live as texts } from '#console/texts/live.ts';
import { StatusBadge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { CodeBlock } from '#ui/copy.tsx';
import { Drawer } from '#ui/dialog.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Link } from '#ui/link.tsx';
import { Facts } from '#ui/page.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';
import { toast } from '#ui/toast.tsx';

/** While it is being decided. */
const LOOK_EVERY_MS = 2_000;

type EventDrawerProps = { readonly id: string | undefined; readonly onClose: () => void };

/** One event, all that is known of it, and where it leads. */
export function EventDrawer({ id, onClose }: EventDrawerProps) {
  const api = useApi();
  const may = useMay('resources:write');
  const { data, error, refetch } = useQuery({
    queryKey: ['events', id],
    queryFn: ({ signal }) => api.events.get(id ?? '', { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? LOOK_EVERY_MS : false),
  });
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      title={data === undefined ? texts.details.id : texts.types[data.type]}
      actions={data?.state === 'parked' && may ? <Retry event={data} /> : undefined}
    >
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <Details event={data} />
      )}
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
            value: <Link href={`/opportunities/${opportunityId}`}>{texts.details.journey}</Link>,
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
  const api = useApi();
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () => api.events.retry(event.id),
    onSuccess: async () => {
      toast.success(texts.details.retried);
      await queries.invalidateQueries({ queryKey: ['events'] });
    },
    onError: (error) => toast.error(error),
  });
  return (
    <Button variant="primary" icon={RotateCcw} busy={retry.isPending} onClick={() => retry.mutate()}>
      {texts.details.retry}
    </Button>
  );
}
