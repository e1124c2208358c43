import { useQuery } from '@tanstack/react-query';
import { NotFoundError } from '@whence/sdk';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { payouts as texts } from './payouts-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { CopyLine } from '#web/ui/controls/copy.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Facts } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Text } from '#web/ui/controls/text.tsx';

/** Shows the partner's payout details on request. The audit log records each request. */
export function PayTo({ collaboratorId }: { readonly collaboratorId: number }) {
  const [shown, setShown] = useState(false);
  return (
    <Card
      title={texts.one.payTo}
      description={texts.one.payToHelp}
      {...(shown
        ? {
            actions: (
              <Button size="small" variant="ghost" onClick={() => setShown(false)}>
                {texts.one.hidePayTo}
              </Button>
            ),
          }
        : {})}
    >
      {shown ? (
        <Details collaboratorId={collaboratorId} />
      ) : (
        <Button icon={Eye} onClick={() => setShown(true)}>
          {texts.one.showPayTo}
        </Button>
      )}
    </Card>
  );
}

function Details({ collaboratorId }: { readonly collaboratorId: number }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['collaborators', 'payout-details', collaboratorId],
    queryFn: ({ signal }) => api.collaborators.getPayoutDetails(collaboratorId, { signal }),
    // Remove payout details from the cache as soon as they are hidden.
    gcTime: 0,
  });
  if (error instanceof NotFoundError) return <Text tone="muted">{texts.one.noPayTo}</Text>;
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={3} />;
  return (
    <Facts
      items={[
        { label: texts.one.method, value: texts.one.methods[data.method] },
        { label: texts.one.holder, value: data.holder },
        { label: texts.one.account, value: <CopyLine text={data.account} wrap /> },
      ]}
    />
  );
}
