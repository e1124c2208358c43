import { useQuery } from '@tanstack/react-query';
import { NotFoundError } from '@whence/sdk';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { payouts as texts } from '#console/texts/payouts.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CopyLine } from '#ui/copy.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Facts } from '#ui/page.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Text } from '#ui/text.tsx';

/** How the collaborator wants to be paid. It is asked for only when somebody wants to see it, since that is noted. */
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
    // Not kept once it is out of sight.
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
