import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { settings as texts } from '#console/texts/settings.ts';
import { LinkButton } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { PageSpinner } from '#ui/spinner.tsx';
import { Stack } from '#ui/stack.tsx';
import { PortalForm } from './portal-form.tsx';

const words = texts.portal;

/** The collaborators' portal: where it is, how it looks, what its links are. */
export function PortalSettingsPage() {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['portalSettings'],
    queryFn: ({ signal }) => api.portalSettings.get({ signal }).withResponse(),
  });
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
