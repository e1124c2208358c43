import { NotFoundError } from '@whence/sdk';
import { Eye } from 'lucide-react';
import { collaborators as texts } from './collaborators-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { CopyId } from '#web/ui/controls/copy.tsx';
import { payoutFacts, payoutWords } from '#web/ui/formats/payout-words.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Facts } from '#web/ui/shell/page.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { RemindButton } from '../payouts/remind-button.tsx';
import { usePermission } from '../session.ts';

const words = texts.money;

/**
 * Shows a partner's payout details on request. The audit log records each request. If the partner has no payout
 * details, the user can send a reminder.
 */
export function PayoutDetailsCard({ collaboratorId }: { readonly collaboratorId: number }) {
  const may = usePermission('resources:write');
  // Use a mutation instead of a query, because payout details must be neither cached nor refetched automatically.
  const read = useCall((api) => api.collaborators.getPayoutDetails(collaboratorId));
  const { data, error } = read;
  return (
    <Card title={words.details} description={words.detailsHelp}>
      {data !== undefined ? (
        <Facts
          items={[
            { label: payoutWords.method, value: payoutWords.methods[data.method] },
            ...payoutFacts(data).map(({ label, text }) => ({ label, value: <CopyId text={text} /> })),
            { label: payoutWords.updatedAt, value: <Time at={data.updatedAt} as="date" /> },
          ]}
        />
      ) : error instanceof NotFoundError ? (
        <Stack gap={2} align="start">
          <Text tone="muted">{words.noDetails}</Text>
          {may && <RemindButton payees={() => Promise.resolve([collaboratorId])} />}
        </Stack>
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
