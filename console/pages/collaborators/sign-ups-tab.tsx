import { useQuery } from '@tanstack/react-query';
import type { Collaborator } from '@whence/sdk';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { StatusBadge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Row, Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';
import styles from './collaborators.module.css';

const words = texts.signUps;

/** What somebody has asked for by the portal. */
export function SignUpsTab({ collaborator: { id } }: { readonly collaborator: Collaborator }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['collaborators', id, 'sign-ups'],
    queryFn: async ({ signal }) => (await api.collaborators.listSignUps(id, {}, { signal }).page()).data,
  });
  if (data === undefined) {
    return error === null ? <Skeleton lines={4} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />;
  }
  if (data.length === 0) return <EmptyState title={words.none} />;
  return (
    <Stack gap={3}>
      <Text as="p" tone="muted">
        {words.help}
      </Text>
      {data.map((signUp) => (
        <Card
          key={signUp.id}
          title={<Link href={`/programs/${signUp.programId}`}>{signUp.programName}</Link>}
          actions={
            <Row gap={3}>
              <Text tone="muted">
                <Time at={signUp.createdAt} />
              </Text>
              <StatusBadge status={BADGES[signUp.status]} label={words.statuses[signUp.status]} />
            </Row>
          }
        >
          {signUp.question === null ? (
            <Text tone="muted">{words.noQuestion}</Text>
          ) : (
            <Stack gap={2}>
              <Text strong>{signUp.question}</Text>
              {signUp.application === null ? (
                <Text tone="muted">{words.noAnswer}</Text>
              ) : (
                <blockquote className={styles.quote}>{signUp.application}</blockquote>
              )}
            </Stack>
          )}
        </Card>
      ))}
    </Stack>
  );
}

const BADGES = { waiting: 'pending', accepted: 'active', 'turned-away': 'rejected' };
