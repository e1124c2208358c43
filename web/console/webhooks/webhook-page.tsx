import { useParams } from '@tanstack/react-router';
import type { Webhook } from '@whence/sdk';
import { webhooks as texts } from './webhooks-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { CopyId } from '#web/ui/controls/copy.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';
import { PageSpinner } from '#web/ui/feedback/spinner.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { eventsText } from './events-text.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookBadge } from './webhook-badge.tsx';

export function WebhookPage() {
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useRead(['webhooks', id], (api, options) => api.webhooks.get(id, options));
  const breadcrumbs = [{ label: texts.title, href: '/webhooks' }];
  if (error !== null) {
    return (
      <Page title={texts.oneTitle} breadcrumbs={breadcrumbs}>
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (data === undefined) return <PageSpinner />;
  return (
    <Page
      title={data.description ?? data.url}
      badge={<WebhookBadge webhook={data} />}
      breadcrumbs={breadcrumbs}
      actions={<WebhookActions webhook={data} />}
    >
      <Stack gap={4}>
        <Trouble webhook={data} />
        <Card>
          <FactsOf webhook={data} />
        </Card>
        <DeliveryList webhookId={data.id} />
      </Stack>
    </Page>
  );
}

function Trouble({ webhook: { status, pausedReason, failingSince } }: { readonly webhook: Webhook }) {
  if (status === 'paused' && pausedReason !== null) {
    return (
      <Notice tone="warn" title={texts.reasons[pausedReason]}>
        {texts.pausedHelp}
      </Notice>
    );
  }
  if (failingSince === null || status !== 'active') return null;
  const title = (
    <>
      {texts.failingSince} <Time at={failingSince} />
    </>
  );
  return (
    <Notice tone="warn" title={title}>
      {texts.failingHelp}
    </Notice>
  );
}

function FactsOf({ webhook }: { readonly webhook: Webhook }) {
  return (
    <Facts
      items={[
        { label: texts.columns.url, value: <CopyId text={webhook.url} /> },
        { label: texts.facts.events, value: eventsText(webhook.events) },
        { label: texts.facts.made, value: <Time at={webhook.createdAt} as="datetime" /> },
        {
          label: texts.facts.secretUntil,
          value: webhook.previousSecretUntil !== null && <Time at={webhook.previousSecretUntil} as="datetime" />,
        },
      ]}
    />
  );
}
