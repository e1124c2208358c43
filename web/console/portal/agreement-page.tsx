import { useQuery } from '@tanstack/react-query';
import { AgreementForm } from './agreement-form.tsx';
import { agreementQuery } from './agreement-query.ts';
import { agreement as texts } from './agreement-texts.ts';
import { AgreementVersions } from './agreement-versions.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { PageSpinner } from '#web/ui/feedback/spinner.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Page } from '#web/ui/shell/page.tsx';

/** Shows the partner agreement, its editor and its versions. */
export function AgreementPage() {
  const { data, error, refetch } = useQuery(agreementQuery(useApi()));
  return (
    <Page
      title={texts.title}
      description={texts.description}
      breadcrumbs={[{ label: texts.settings, href: '/settings' }]}
      width="narrow"
    >
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <PageSpinner />
      ) : (
        <Stack gap={4}>
          <AgreementForm key={data.etag} agreement={data.data} etag={data.etag} />
          {data.data.version !== null && <AgreementVersions key={data.data.version} />}
        </Stack>
      )}
    </Page>
  );
}
