import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnSession } from '@whence/sdk';
import { Monitor, Smartphone } from 'lucide-react';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Entry, EntryList } from '#ui/entry-list.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Row } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';
import { toast } from '#ui/toast.tsx';
import { browserOf } from './browser-names.ts';
import { sessions as words } from './session-texts.ts';

/** The calls of whose sessions these are: of a person, or of a collaborator. */
export type SessionCalls = {
  readonly list: (signal: AbortSignal) => Promise<{ readonly data: readonly OwnSession[] }>;
  readonly end: (id: number) => Promise<unknown>;
};

type Own = { readonly queryKey: QueryKey; readonly calls: SessionCalls };

/** The browsers in which somebody is signed in, each of which they may end from here. */
export function SessionsCard({ description, ...own }: Own & { readonly description: string }) {
  const { queryKey, calls } = own;
  const { data, error } = useQuery({ queryKey, queryFn: ({ signal }) => calls.list(signal) });
  return (
    <Card title={words.title} description={description}>
      {error !== null && <ErrorPanel error={error} />}
      {data === undefined && error === null && <Skeleton lines={3} />}
      {data !== undefined && (
        <EntryList>
          {data.data.map((session) => (
            <SessionEntry key={session.id} session={session} {...own} />
          ))}
        </EntryList>
      )}
    </Card>
  );
}

function SessionEntry({ session, queryKey, calls }: Own & { readonly session: OwnSession }) {
  const { id, createdAt, lastSeenAt, userAgent, current } = session;
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => calls.end(id),
    onSuccess: () => {
      toast.success(words.ended);
      return queryClient.invalidateQueries({ queryKey });
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
