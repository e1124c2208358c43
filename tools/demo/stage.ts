import type { Logger } from 'pino';
import { holdClock } from './clock.ts';
import { fillDemo, type DemoRun, OPENING } from './fill.ts';
import { keepPrinted } from './printed.ts';
import type { Span } from './traffic.ts';
import { readConfig } from '#app/config.ts';
import { type Service, startService } from '#app/main.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { migrate } from '#platform/postgres/migrate.ts';

export type Stage = {
  readonly databaseUrl: string;
  readonly span: Span;
  readonly log: Logger;
  /** Additional settings of the service. */
  readonly settings: Readonly<Record<string, string>>;
  /** Called at the end of each day with the time that the clock shows. */
  readonly onDay?: (at: number, span: Span) => void;
};

/** The API keys of the filled organization. */
export type DemoKeys = { readonly secretKey: string; readonly publishableKey: string };

/**
 * Fills an empty database with a separate service under a clock that is set back. Restores the true time at the end,
 * and returns the API keys.
 */
export async function fillDatabase({ databaseUrl, span, log, settings, onDay }: Stage): Promise<DemoKeys> {
  const hand = openDatabase(databaseUrl, { connections: 1 });
  try {
    await migrate(hand);
    const clock = await holdClock(hand, span.from - OPENING);
    const printed = keepPrinted();
    const config = readConfig({ ...settings, ...OF_FILL, DATABASE_URL: databaseUrl, PORT: '0' });
    const service = await startService(config, log, printed.print);
    let keys: DemoKeys;
    try {
      keys = await runFill(service, { clock, printed, hand, span, onDay: (at) => onDay?.(at, span) });
    } finally {
      await service.stop();
    }
    // The service has stopped, so no client sees the jump to the true time.
    await clock.release();
    await setCommits(hand, 'reset synchronous_commit');
    return keys;
  } finally {
    await hand.end();
  }
}

/**
 * Settings without rate limits, because all requests are sent by this computer with three keys, as fast as possible.
 * Requests can name the address of the visitor.
 */
const OF_FILL = { RATE_LIMIT_SECRET: '0', RATE_LIMIT_PUBLISHABLE: '0', TRUSTED_PROXIES: '127.0.0.1' };

type FillOptions = Pick<DemoRun, 'clock' | 'printed' | 'span' | 'onDay'> & { readonly hand: Database };

async function runFill(service: Service, { hand, ...options }: FillOptions): Promise<DemoKeys> {
  const { url, worker, deliveries } = service;
  const keys = {
    secretKey: await options.printed.next(/sk_live_\S+/),
    publishableKey: await options.printed.next(/pk_live_\S+/),
  };
  const settled = async (): Promise<void> => {
    await worker?.idle();
    await deliveries?.idle();
  };
  await hand.query('update organizations set demo = true');
  await settled();
  await hasten(hand);
  await fillDemo({ ...options, ...keys, url, settled });
  return keys;
}

/**
 * Makes commits faster: they don't wait for the disk, because a fill can be repeated. The service has already checked
 * that the database is durable, and the database is durable again at the next start. Existing connections are replaced
 * when they are next used. If each flush of the disk takes 4 ms, a report takes 6 ms with flushes and 2.9 ms without
 * flushes.
 */
async function hasten(hand: Database): Promise<void> {
  await setCommits(hand, 'set synchronous_commit = off');
  await hand.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state = 'idle'`,
  );
}

async function setCommits(hand: Database, change: string): Promise<void> {
  const { rows } = await hand.query<{ name: string }>(`select format('%I', current_database()) as name`);
  await hand.query(`alter database ${rows[0]?.name} ${change}`);
}
