import type { Socket } from 'node:net';
import { Client, type Pool, type PoolClient } from 'pg';

/** How often it is looked whether anybody waits for long, while anybody waits at all. */
const LOOK_MS = 250;
/** Who has waited for so long lets the server be asked for a sign of life. */
const LONG_MS = 500;
/** A server that gives none for so long is silent. Busy ones take some hundred milliseconds, frozen machines a second. */
export const SILENT_AFTER_MS = 3_000;
/** One that has answered, and one that is silent, is asked anew so much later. */
const ASK_AGAIN_MS = 1_000;

/** As `openDatabase` names its connections. */
const APPLICATION = 'whence';

/** As the errors of the system are: `isUnavailable` knows it by its code. */
class SilentServer extends Error {
  readonly code = 'ESILENT';
  override readonly message = 'the database has fallen silent';
}

/**
 * Ends what waits for a server that has fallen silent: a machine that is gone, or a line that is cut, ends no connection, so
 * that each statement would wait for as long as it may take, and the next one too. From then on until it gives a sign of
 * life everybody is refused at once, and with that sign ends what the server still does for those that were cut. As long as no statement takes long nothing is asked. Answers what ends it.
 */
export function watchForSilence(
  url: string,
  pools: readonly Pool[],
  silentAfterMs: number = SILENT_AFTER_MS,
): () => void {
  const lent = new Map<PoolClient, number>();
  /** The server's numbers of those that were cut: it knows nothing of that, and they hold what they have locked. */
  let abandoned: number[] = [];
  let asked: { readonly client: Client; since: number } | undefined;
  let isSilent = false;
  let answeredAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = 0;
  for (const pool of pools) follow(pool);
  return () => {
    clearInterval(timer);
    forget();
  };

  function follow(pool: Pool): void {
    pool.on('acquire', (client) => {
      lent.set(client, performance.now());
      begin();
    });
    pool.on('release', (_error, client) => lent.delete(client));
    const connect = pool.connect.bind(pool) as (callback?: unknown) => unknown;
    pool.connect = ((callback?: (error: Error) => void) => {
      if (!isSilent) return connect(callback);
      const error = new SilentServer();
      if (callback === undefined) return Promise.reject(error);
      process.nextTick(callback, error);
      return undefined;
    }) as typeof pool.connect;
  }

  function begin(): void {
    if (timer !== undefined) return;
    lookedAt = performance.now();
    timer = setInterval(look, LOOK_MS).unref();
  }

  function look(): void {
    const now = performance.now();
    // While this process stood still it heard nothing: that is no silence of the server.
    const blind = Math.max(0, now - lookedAt - LOOK_MS);
    lookedAt = now;
    if (asked !== undefined) asked.since += blind;
    if (asked !== undefined && now - asked.since > (isSilent ? ASK_AGAIN_MS : silentAfterMs)) fallSilent();
    if (asked === undefined && (isSilent || (now - answeredAt > ASK_AGAIN_MS && isLongAwaited(now)))) ask(now);
    if (lent.size > 0 || isSilent || asked !== undefined) return;
    clearInterval(timer);
    timer = undefined;
  }

  function isLongAwaited(now: number): boolean {
    return [...lent.values()].some((since) => now - since > LONG_MS);
  }

  /** By a connection of its own: those that there are may all be lost on the way, while the server is well. */
  function ask(since: number): void {
    const client = new Client({ connectionString: url, application_name: APPLICATION });
    const own = { client, since };
    asked = own;
    client.on('error', () => {});
    void hear(own);
  }

  async function hear(own: NonNullable<typeof asked>): Promise<void> {
    try {
      await own.client.connect();
      await endAbandoned(own.client);
    } catch {
      // One that refuses has answered too; whoever calls is told the reason.
    }
    if (asked !== own) return;
    isSilent = false;
    answeredAt = performance.now();
    forget();
  }

  async function endAbandoned(client: Client): Promise<void> {
    if (abandoned.length === 0) return;
    // Behind a pooler the numbers are its own.
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid = any ($1::int[]) and application_name = $2 and pg_backend_pid() = $3`,
      [abandoned, APPLICATION, numberOf(client)],
    );
    abandoned = [];
  }

  function fallSilent(): void {
    isSilent = true;
    forget();
    for (const client of lent.keys()) {
      abandoned.push(numberOf(client));
      cut(client);
    }
  }

  function forget(): void {
    if (asked !== undefined) cut(asked.client);
    asked = undefined;
  }
}

/** What the driver knows of a connection and doesn’t say by a method. */
type Wire = { readonly processID: number; readonly connection: { readonly stream: Socket } };

const numberOf = (client: Client | PoolClient): number => (client as unknown as Wire).processID;

/** No farewell: nobody hears it. */
function cut(client: Client | PoolClient): void {
  (client as unknown as Wire).connection.stream.destroy();
}
