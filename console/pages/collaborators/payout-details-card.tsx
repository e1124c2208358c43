import { useMutation } from '@tanstack/react-query';
import { NotFoundError } from '@whence/sdk';
import { Eye } from 'lucide-react';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CopyId } from '#ui/copy.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Facts } from '#ui/page.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Row } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';

const words = texts.money;

/** How somebody wants to be paid. It is read when it is asked for, and each time stands in the audit log. */
export function PayoutDetailsCard({ collaboratorId }: { readonly collaboratorId: number }) {
  const api = useApi();
  // No query: it is not kept, and not read again by itself.
  const read = useMutation({ mutationFn: () => api.collaborators.getPayoutDetails(collaboratorId) });
  const { data, error } = read;
  return (
    <Card title={words.details} description={words.detailsHelp}>
      {data !== undefined ? (
        <Facts
          items={[
            { label: words.method, value: words.methods[data.method] ?? data.method },
            { label: words.holder, value: <CopyId text={data.holder} /> },
            { label: words.account, value: <CopyId text={data.account} /> },
            { label: words.updated, value: <Time at={data.updatedAt} as="date" /> },
          ]}
        />
      ) : error instanceof NotFoundError ? (
        <Text tone="muted">{words.noDetails}</Text>
      ) : error !== null ? (
        <ErrorPanel error={error} onRetry={() => read.mutate()} />
      ) : (
        <Row>
          <Button icon={Eye} busy={read.isPending} onClick={() => read.mutate()}>
            {words.show}
          </Button>
        </Row>
      )}
    </Card>
  );
}
