import type { ConnectorEventWithPayload } from '@whence/sdk';
import { Ban, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { connectors as texts } from './connectors-texts.ts';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CodeBlock } from '#web/ui/controls/copy.tsx';
import { Dialog, Drawer } from '#web/ui/overlay/dialog.tsx';
import { Facts } from '#web/ui/shell/page.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextArea } from '#web/ui/form/text-field.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

const words = texts.inbox.details;
/** The polling interval while the event is being processed, in milliseconds. */
const LOOK_EVERY_MS = 2_000;
/** The maximum length of a note in the API, in characters. */
const MAX_NOTE = 1_000;

type EventDrawerProps = {
  readonly connectorId: number;
  readonly id: string | undefined;
  readonly onClose: () => void;
};

/** Shows an event of a connector: its state, its payload, and its reports with links to the orders. */
export function EventDrawer({ connectorId, id, onClose }: EventDrawerProps) {
  const may = usePermission('resources:write');
  const query = useRead(
    ['connectors', 'event', connectorId, id],
    (api, options) => api.connectors.getEvent(connectorId, id ?? '', options),
    {
      enabled: id !== undefined,
      refetchInterval: ({ state }) => (state.data?.state === 'pending' ? LOOK_EVERY_MS : false),
    },
  );
  const { data } = query;
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      title={data?.type ?? words.event}
      actions={may && data !== undefined && hasActions(data) ? <EventActions event={data} /> : undefined}
    >
      <Loaded query={query} lines={8}>
        {(event) => <Details event={event} />}
      </Loaded>
    </Drawer>
  );
}

function Details({ event }: { readonly event: ConnectorEventWithPayload }) {
  const { state, reason, externalId, occurredAt, receivedAt, nextAttemptAt, attempts, outcome, payload } = event;
  return (
    <Stack gap={4}>
      <Facts
        items={[
          { label: words.state, value: <StatusBadge status={state} label={texts.inbox.states[state]} /> },
          { label: words.reason, value: reason },
          { label: words.externalId, value: <Text mono>{externalId}</Text> },
          { label: words.occurred, value: <Time at={occurredAt} as="datetime" /> },
          { label: words.received, value: <Time at={receivedAt} as="datetime" /> },
          { label: words.next, value: nextAttemptAt !== null && <Time at={nextAttemptAt} as="datetime" /> },
          { label: words.attempts, value: attempts > 0 && attempts },
          { label: words.reports, value: outcome.length > 0 && <Reports outcome={outcome} /> },
        ]}
      />
      {payload === null ? (
        <Text tone="muted">{words.removed}</Text>
      ) : (
        <CodeBlock code={indentJson(payload)} title={words.payload} />
      )}
    </Stack>
  );
}

function Reports({ outcome }: Pick<ConnectorEventWithPayload, 'outcome'>) {
  return (
    <Stack gap={1}>
      {outcome.map(({ verb, externalId, refundId, correctionId, referral }) => (
        <span key={`${verb} ${externalId} ${refundId ?? correctionId ?? ''}`}>
          {texts.inbox.verbs[verb] ?? verb}{' '}
          <Link href={`/sales?externalId=${encodeURIComponent(externalId)}`}>{externalId}</Link>
          {referral !== undefined && <Text tone="muted"> {words.referral[referral]}</Text>}
        </span>
      ))}
    </Stack>
  );
}

/**
 * Returns the JSON payload with indentation. Returns it unchanged if it isn't valid JSON, or if it seems to have an
 * integer with 16 or more digits, which parsing could round.
 */
function indentJson(payload: string): string {
  try {
    const value: unknown = JSON.parse(payload);
    return /[:[,]\s*-?\d{16}/.test(payload) ? payload : JSON.stringify(value, null, 2);
  } catch {
    return payload;
  }
}

function canRetry({ state, payload }: ConnectorEventWithPayload): boolean {
  return state !== 'processed' && state !== 'pending' && payload !== null;
}

function canDismiss({ state }: ConnectorEventWithPayload): boolean {
  return state === 'waiting' || state === 'dead-lettered';
}

function hasActions(event: ConnectorEventWithPayload): boolean {
  return canRetry(event) || canDismiss(event);
}

function EventActions({ event }: { readonly event: ConnectorEventWithPayload }) {
  const [isDismissing, setDismissing] = useState(false);
  const { id, connectorId } = event;
  const retry = useCall((api) => api.connectors.retryEvent(connectorId, id), {
    reloads: ['connectors'],
    done: words.retried,
    onError: toast.error,
  });
  return (
    <>
      {canDismiss(event) && (
        <Button icon={Ban} onClick={() => setDismissing(true)}>
          {words.dismiss}
        </Button>
      )}
      {canRetry(event) && (
        <Button variant="primary" icon={RotateCcw} busy={retry.isPending} onClick={() => retry.mutate()}>
          {words.retry}
        </Button>
      )}
      {isDismissing && <DismissDialog event={event} onClose={() => setDismissing(false)} />}
    </>
  );
}

type DismissDialogProps = { readonly event: ConnectorEventWithPayload; readonly onClose: () => void };

function DismissDialog({ event: { id, connectorId }, onClose }: DismissDialogProps) {
  const [note, setNote] = useState('');
  const dismiss = useCall((api) => api.connectors.dismissEvent(connectorId, id, { note: note.trim() }), {
    reloads: ['connectors'],
    done: words.dismissed,
    onDone: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={words.dismissTitle} description={words.dismissDetail}>
      <Form call={dismiss}>
        <TextArea label={words.note} name="note" required maxLength={MAX_NOTE} value={note} onChange={setNote} />
        <FormActions submitLabel={words.dismiss} disabled={note.trim() === ''} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
