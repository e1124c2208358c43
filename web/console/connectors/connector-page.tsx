import { useParams } from '@tanstack/react-router';
import type { Connector } from '@whence/sdk';
import { connectors as texts } from './connectors-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { CopyId } from '#web/ui/controls/copy.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';
import { PageSpinner } from '#web/ui/feedback/spinner.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { formatTime } from '#web/ui/formats/time.ts';
import { ComparisonCard, isComparable } from './comparison-card.tsx';
import { ConnectSteps, isConnected } from './connect-steps.tsx';
import { ConnectorActions } from './connector-actions.tsx';
import { ConnectorBadge } from './connector-badge.tsx';
import { EventList } from './event-list.tsx';

/** The interval at which the page reloads the connector, in milliseconds. */
const LOOK_EVERY_MS = 3_000;

/** Shows one connector: the steps of its setup until it is connected, and its received events. */
export function ConnectorPage() {
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useRead(
    ['connectors', 'one', id],
    (api, options) => api.connectors.get(id, options),
    { refetchInterval: LOOK_EVERY_MS },
  );
  const breadcrumbs = [{ label: texts.title, href: '/connectors' }];
  if (data === undefined) {
    if (error === null) return <PageSpinner />;
    return (
      <Page title={texts.oneTitle} breadcrumbs={breadcrumbs}>
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={data.name}
      badge={<ConnectorBadge connector={data} />}
      breadcrumbs={breadcrumbs}
      actions={<ConnectorActions connector={data} />}
    >
      <Stack gap={4}>
        <RefusedMessage connector={data} />
        <FailedEvents connector={data} />
        {isConnected(data) ? <FactsOf connector={data} /> : <ConnectSteps connector={data} />}
        {data.firstEventAt !== null && isComparable(data) && <ComparisonCard connector={data} />}
        <EventList connectorId={data.id} />
      </Stack>
    </Page>
  );
}

/** Shows that a message was refused, until an event is accepted. */
function RefusedMessage({ connector: { lastRefusedAt, lastEventAt } }: { readonly connector: Connector }) {
  if (lastRefusedAt === null || (lastEventAt !== null && lastEventAt > lastRefusedAt)) return null;
  return (
    <Notice tone="warn" title={texts.refused}>
      {texts.refusedHelp(formatTime(lastRefusedAt, 'datetime'))}
    </Notice>
  );
}

function FailedEvents({ connector: { id, deadLetteredEvents } }: { readonly connector: Connector }) {
  if (deadLetteredEvents === 0) return null;
  const link = <Link href={`/connectors/${id}?state=dead-lettered`}>{texts.showFailed}</Link>;
  return (
    <Notice tone="warn" title={texts.failing(deadLetteredEvents)} actions={link}>
      {texts.failingHelp}
    </Notice>
  );
}

function FactsOf({ connector }: { readonly connector: Connector }) {
  const { webhookUrl, source, mode, firstEventAt, lastEventAt, firstAttributedOrder: order } = connector;
  return (
    <Card>
      <Facts
        items={[
          { label: texts.facts.url, value: <CopyId text={webhookUrl} /> },
          { label: texts.facts.source, value: source },
          { label: texts.facts.mode, value: texts.modes[mode] },
          { label: texts.facts.firstEvent, value: firstEventAt !== null && <Time at={firstEventAt} as="datetime" /> },
          { label: texts.facts.lastEvent, value: lastEventAt !== null && <Time at={lastEventAt} as="datetime" /> },
          {
            label: texts.facts.firstOrder,
            value: order !== null && <Link href={`/sales?externalId=${encodeURIComponent(order)}`}>{order}</Link>,
          },
        ]}
      />
    </Card>
  );
}
