import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { OwnSession } from '@whence/sdk';
import { Monitor, Smartphone } from 'lucide-react';
import { Badge } from '../controls/badge.tsx';
import { Button } from '../controls/button.tsx';
import { Card } from './card.tsx';
import { csvFile } from '../table/csv.ts';
import { type Column, DataTable } from '../table/data-table.tsx';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import type { Filter } from '../table/filter-bar.tsx';
import { IconWords } from '../controls/icon-words.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { Time } from '../controls/time.tsx';
import { toast } from '../feedback/toast.tsx';
import { browserOf } from './browser-names.ts';
import { useNamedListState } from './list-state.ts';
import { sessions as words } from './session-texts.ts';
import { type RowReader, wholeList } from '../table/whole-list.ts';
import { useCall } from './call.ts';

/** The calls for the sessions of a user or of a partner. */
export type SessionCalls = {
  /** Lists all sessions, at most 20. */
  readonly list: (signal: AbortSignal) => Promise<{ readonly data: readonly OwnSession[] }>;
  readonly end: (id: number) => Promise<unknown>;
};

type Own = { readonly queryKey: QueryKey; readonly calls: SessionCalls };

const STATE = ['search', 'from', 'until', 'sort'];

const FILTERS: readonly Filter[] = [
  { id: 'lastSeen', kind: 'period', label: words.lastSeen, from: 'from', until: 'until' },
];

const COLUMNS: readonly Column<OwnSession>[] = [
  { id: 'browser', header: words.browser, sort: 'browser', cell: (session) => <Browser session={session} /> },
  {
    id: 'lastSeen',
    header: words.lastSeen,
    sort: 'lastSeenAt',
    cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
  },
  { id: 'since', header: words.since, sort: 'createdAt', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const ROWS: RowReader<OwnSession> = {
  text: nameOf,
  at: ({ lastSeenAt }) => lastSeenAt,
  sorts: { browser: nameOf, lastSeenAt: ({ lastSeenAt }) => lastSeenAt, createdAt: ({ createdAt }) => createdAt },
};

/** Shows the sessions of the logged-in user or partner. The user can end every session except the current session. */
export function SessionsCard({ description, ...own }: Own & { readonly description: string }) {
  const { queryKey, calls } = own;
  const [state, change] = useNamedListState('sessions', STATE);
  const { data, error, dataUpdatedAt } = useQuery({ queryKey, queryFn: ({ signal }) => calls.list(signal) });
  return (
    <Card title={words.title} description={description} padded={data === undefined}>
      {data === undefined && error !== null && <ErrorPanel error={error} />}
      {data === undefined && error === null && <Skeleton lines={3} />}
      {data !== undefined && (
        <DataTable<OwnSession>
          framed={false}
          label={words.title}
          queryKey={[...queryKey, 'shown', dataUpdatedAt]}
          load={(query) => Promise.resolve(wholeList(data.data, query, ROWS))}
          columns={COLUMNS}
          rowId={({ id }) => id}
          rowLabel={nameOf}
          rowActions={(session) => !session.current && <End session={session} {...own} />}
          state={state}
          onChange={change}
          filters={FILTERS}
          search={{ name: 'search', label: words.search }}
          csv={(query) => Promise.resolve(csvOfSessions(wholeList(data.data, query, ROWS).rows))}
          csvName="sessions"
          hotkeys={false}
        />
      )}
    </Card>
  );
}

function nameOf({ userAgent }: OwnSession): string {
  const { browser = words.unknownBrowser, system = words.unknownSystem } = browserOf(userAgent ?? '');
  return words.on(browser, system);
}

function Browser({ session }: { readonly session: OwnSession }) {
  const { isPhone } = browserOf(session.userAgent ?? '');
  return (
    <IconWords icon={isPhone ? Smartphone : Monitor}>
      {nameOf(session)}
      {session.current && <Badge tone="good">{words.current}</Badge>}
    </IconWords>
  );
}

function End({ session, queryKey, calls }: Own & { readonly session: OwnSession }) {
  const { mutate, isPending } = useCall(() => calls.end(session.id), {
    reloads: [queryKey],
    done: words.ended,
    onError: toast.error,
  });
  return (
    <Button size="small" busy={isPending} aria-label={words.endOf(nameOf(session))} onClick={() => mutate()}>
      {words.end}
    </Button>
  );
}

/** Returns the sessions as CSV, including the raw user agent, for investigating a login. */
function csvOfSessions(sessions: readonly OwnSession[]): Blob {
  const lines = sessions.map((session) => {
    const { browser = '', system = '' } = browserOf(session.userAgent ?? '');
    const { current, lastSeenAt, createdAt, userAgent } = session;
    return [browser, system, String(current), lastSeenAt, createdAt, userAgent ?? ''];
  });
  return csvFile([['browser', 'system', 'current', 'lastSeenAt', 'createdAt', 'userAgent'], ...lines]);
}
