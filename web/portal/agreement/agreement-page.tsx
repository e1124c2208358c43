import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sessionQuery, useSession } from '../session.ts';
import { agreementQuery } from './agreement-query.ts';
import { agreement as texts } from './agreement-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Prose } from '#web/ui/controls/prose.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Page } from '#web/ui/shell/page.tsx';

/** Shows the partner agreement. A partner accepts it here, and can read the version that they accepted before. */
export function AgreementPage() {
  const { portal } = useSession();
  const { data, error, refetch } = useQuery(agreementQuery(useApi()));
  const { current, accepted } = data ?? {};
  const isAccepted = accepted?.version === current?.version;
  return (
    <Page title={texts.title} description={texts.description(portal.name)} width="narrow">
      <Stack gap={4}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton height={240} />}
        {current === null && <Notice>{texts.none(portal.name)}</Notice>}
        {current !== undefined && current !== null && (
          <Card
            title={texts.version(current.version)}
            description={
              <>
                {texts.published} <Time at={current.publishedAt} as="date" />
              </>
            }
          >
            <Stack gap={5}>
              <Prose text={current.text} />
              {isAccepted ? <AcceptedAt at={accepted?.acceptedAt ?? ''} /> : <Accept version={current.version} />}
            </Stack>
          </Card>
        )}
        {accepted !== undefined && accepted !== null && !isAccepted && (
          <Card title={texts.earlier(accepted.version)} description={<AcceptedAt at={accepted.acceptedAt} />}>
            <Prose text={accepted.text} />
          </Card>
        )}
      </Stack>
    </Page>
  );
}

function AcceptedAt({ at }: { readonly at: string }) {
  return (
    <Text tone="muted">
      {texts.acceptedAt} <Time at={at} />
    </Text>
  );
}

function Accept({ version }: { readonly version: number }) {
  const api = useApi();
  const queries = useQueryClient();
  const { queryKey } = agreementQuery(api);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.portal.acceptAgreement({ version }),
    onSuccess: async (accepted) => {
      queries.setQueryData(queryKey, accepted);
      await queries.invalidateQueries({ queryKey: sessionQuery(api).queryKey });
      toast.success(texts.accepted);
    },
    onError: (error) => {
      toast.error(error);
      void queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <div>
      <Button variant="primary" busy={isPending} onClick={() => mutate()}>
        {texts.accept}
      </Button>
    </div>
  );
}
