import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnSession } from '@whence/sdk';
import { Monitor, Smartphone } from 'lucide-react';
import { settings } from '#portal/texts/settings.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Entry, EntryList } from '#ui/entry-list.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { browserOf } from '#ui/shell/browser-names.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { Row } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';
import { toast } from '#ui/toast.tsx';

const words = settings.sessions;
const KEY = ['portal', 'sessions'];

/** The browsers in which somebody is signed in, each of which they may end from here. */
export function SessionsCard() {
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.portal.listSessions({ perPage: 100 }, { signal }).page(),
  });
  return (
    <Card title={words.title} description={words.description}>
      {error !== null && <ErrorPanel error={error} />}
      {data === undefined && error === null && <Skeleton lines={3} />}
      {data !== undefined && (
        <EntryList>
          {data.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </EntryList>
      )}
    </Card>
  );
}

function SessionRow({ session: { id, createdAt, lastSeenAt, userAgent, current } }: { readonly session: OwnSession }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.portal.endSession(id),
    onSuccess: () => {
      toast.success(words.ended);
      return queryClient.invalidateQueries({ queryKey: KEY });
    },
    onError: toast.error,
  });
  const { browser = words.unknownBrowser, system = words.unknownSystem, isPhone } = browserOf(userAgent ?? '');
  const name = words.on(browser, system);
  const action = !current && (
    <Button size="small" busy={isPending} aria-label={words.endOf(name)} onClick={() => mutate()}>
      {words.end}
    </Button>
  );
  return (
    <Entry icon={isPhone ? Smartphone : Monitor} action={action}>
      <Row align="center">
        <span>{name}</span>
        {current && <Badge tone="good">{words.current}</Badge>}
      </Row>
      <Text tone="muted" size="small">
        {words.lastSeen} <Time at={lastSeenAt} />, {words.since} <Time at={createdAt} />
      </Text>
    </Entry>
  );
}
