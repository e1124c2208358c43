import type { Socket } from 'node:net';
import { Client, type ClientBase, type Pool } from 'pg';

/** What the driver knows of a connection and doesn’t say by a method. */
type Wire = ClientBase & {
  readonly processID: number | null;
  /** False while it waits for the answer to a statement. */
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
};

/** A wire that waits: since when it has not heard anything. */
type Wait = { readonly bytesRead: number; readonly since: number };

const LOOK_EVERY_MS = 500;
const SUSPECT_AFTER_MS = 1_000;
const ASKED_WITHIN_MS = 1_000;

/**
 * Ends the connections of `pool` whose other end is gone without a word: a firewall has forgotten them, a machine was
 * replaced. TCP would find that out after a quarter of an hour, and a time limit has to leave the longest statement its
 * time. So whoever hears nothing for a second has the server asked, by another connection, whether it is at work for them.
 * Where it is not, the statement or its answer is lost: it fails as with any broken connection, and those that lie idle in
 * the pool, which came the same way, are made anew when they are needed.
 */
export function endLostConnections(pool: Pool, connectionString: string): void {
  const wires = new Set<Wire>();
  const taken = new Set<ClientBase>();
  const waits = new Map<Wire, Wait>();
  let looking: NodeJS.Timeout | undefined;
  let asking = false;

  pool.on('connect', (client) => wires.add(client as unknown as Wire));
  pool.on('acquire', (client) => {
    taken.add(client);
    looking ??= setInterval(look, LOOK_EVERY_MS).unref();
  });
  pool.on('release', (_error, client) => taken.delete(client));
  pool.on('remove', (client) => {
    taken.delete(client);
    wires.delete(client as unknown as Wire);
  });

  function look(): void {
    const now = performance.now();
    for (const wire of wires) {
      const { bytesRead } = wire.connection.stream;
      if (wire.readyForQuery) waits.delete(wire);
      else if (waits.get(wire)?.bytesRead !== bytesRead) waits.set(wire, { bytesRead, since: now });
    }
    for (const wire of waits.keys()) if (!wires.has(wire)) waits.delete(wire);
    if (taken.size === 0) {
      clearInterval(looking);
      looking = undefined;
    }
    const suspects = [...waits].filter(([, { since }]) => now - since >= SUSPECT_AFTER_MS);
    if (suspects.length === 0 || asking) return;
    asking = true;
    void askFor(suspects).finally(() => (asking = false));
  }

  async function askFor(suspects: readonly (readonly [Wire, Wait])[]): Promise<void> {
    await askServer(connectionString, async (server) => {
      const atWork = await findAtWork(
        server,
        suspects.map(([wire]) => wire.processID),
      );
      // The answer may have come meanwhile, to a process that was held up itself.
      const lost = suspects.filter(([wire, wait]) => !atWork.has(wire.processID) && isSame(wire, wait));
      if (lost.length === 0) return;
      const idle = [...wires].filter((wire) => !taken.has(wire));
      // The pool lets go of those at once, before whoever hears that theirs is lost takes the next.
      for (const wire of idle) wire.emit('error', new Error('Connection terminated: its other end has vanished'));
      const ended = [...idle, ...lost.map(([wire]) => wire)];
      for (const wire of ended) wire.connection.stream.destroy();
      await endProcesses(
        server,
        ended.map((wire) => wire.processID),
      );
    });
  }
}

function isSame(wire: Wire, { bytesRead }: Wait): boolean {
  return !wire.readyForQuery && wire.connection.stream.bytesRead === bytesRead;
}

/** Asks by a connection of its own. Where the server does not answer, or a pooler hides its processes, nothing is done. */
async function askServer(connectionString: string, ask: (server: Client) => Promise<void>): Promise<void> {
  const server = new Client({
    connectionString,
    connectionTimeoutMillis: ASKED_WITHIN_MS,
    query_timeout: ASKED_WITHIN_MS,
    application_name: 'whence',
  });
  server.on('error', () => {});
  const wire = server as unknown as Wire;
  try {
    await server.connect();
    const { rows } = await server.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (rows[0]?.pid === wire.processID) await ask(server);
  } catch {
    // What waits has a time limit as well.
  } finally {
    // Its own `end` would wait for an answer.
    wire.connection.stream.destroy();
  }
}

/** Those of these processes of the server that do something. What did until just now may have an answer on its way. */
async function findAtWork(server: Client, processIds: readonly (number | null)[]): Promise<Set<number | null>> {
  const { rows } = await server.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where pid = any ($1::int[]) and (
       state is null or state not like 'idle%' or state_change > clock_timestamp() - $2::float8 * interval '1 millisecond')`,
    [processIds, SUSPECT_AFTER_MS],
  );
  return new Set(rows.map(({ pid }) => pid));
}

/** With what they have locked, and the place that they take: the server would keep both until it finds out by itself. */
async function endProcesses(server: Client, processIds: readonly (number | null)[]): Promise<void> {
  await server.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where pid = any ($1::int[]) and state like 'idle%'`,
    [processIds],
  );
}
