import { ExternalLink } from 'lucide-react';
import { settings as texts } from '../organizations/settings-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { PageSpinner } from '#web/ui/feedback/spinner.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { PortalForm } from './portal-form.tsx';

const words = texts.portal;

export function PortalSettingsPage() {
  const { data, error, refetch } = useRead(['portalSettings', 'tagged'], (api, options) =>
    api.portalSettings.get(options).withResponse(),
  );
  const url = data?.data.url ?? null;
  const open = url !== null && (
    <LinkButton href={url} icon={ExternalLink}>
      {words.open}
    </LinkButton>
  );
  return (
    <Page
      title={texts.portalTitle}
      description={words.description}
      breadcrumbs={[{ label: texts.title, href: '/settings' }]}
      actions={open}
    >
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <PageSpinner />
      ) : (
        <Stack gap={4}>
          {url === null && <Notice tone="info">{words.closed}</Notice>}
          <PortalForm key={data.etag} settings={data.data} etag={data.etag} />
        </Stack>
      )}
    </Page>
  );
}
