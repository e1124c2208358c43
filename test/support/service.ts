import assert from 'node:assert/strict';
import { pino } from 'pino';
import { openCaller, type Request } from '#test/support/caller.ts';
import { createDatabase } from '#test/support/database.ts';
import { documentedAnswers } from '#test/support/documented-answers.ts';
import { ENCRYPTION_KEY } from '#test/support/encryption-key.ts';
import { headerPrefixesOf, readConfig } from '#app/config.ts';
import { startService as startWhole } from '#app/main.ts';
import { foundOrganization } from '#access/commands/found-organization.ts';
import type { Mode } from '#core/mode.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';

export type { Reply, RequestOptions, Request } from '#test/support/caller.ts';

export type TestService = {
  readonly url: string;
  readonly request: Request;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** The output for operators: keys, links, and emails if no mail server is configured. */
  readonly printed: readonly string[];
  /** The test's own connections, without the service's time limits. */
  readonly database: Database;
  /** The database URL, for other processes on the same database. */
  readonly databaseUrl: string;
  /** Creates another organization, live by default, and returns its secret key. */
  readonly foundOrganization: (name: string, mode?: Mode) => Promise<string>;
  /** Resolves once the pipeline has decided all reports. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the complete service on its own port and database.
 *
 * Each answer's status, headers and body are checked against the OpenAPI document. `prepare` receives the URL of the
 * database before the service starts, and may return further settings.
 */
export async function startService(
  settings: Readonly<Record<string, string>> = {},
  prepare: (databaseUrl: string) => Promise<Readonly<Record<string, string>> | void> = async () => {},
): Promise<TestService> {
  const own = await createDatabase();
  const prepared = await prepare(own.url);
  const printed: string[] = [];
  const config = readConfig({
    DATABASE_URL: own.url,
    PORT: '0',
    WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY,
    // Trust this machine as a proxy, so that calls can have addresses in many networks. On a fast machine, calls from a
    // single network would exceed the limits of a network.
    TRUSTED_PROXIES: '127.0.0.1',
    ...settings,
    ...prepared,
  });
  const service = await startWhole(config, pino({ level: 'silent' }), (...lines) => printed.push(...lines));
  const { url } = service;
  const databaseUrl = config.DATABASE_URL as string;
  const database = openDatabase(databaseUrl, { pooler: config.DATABASE_POOLER });
  const [prefix, ...otherPrefixes] = headerPrefixesOf(config);
  const isDocumented = documentedAnswers(prefix);
  const caller = openCaller(url);
  return {
    url,
    database,
    printed,
    databaseUrl,
    request: async (method, path, options) => {
      const reply = await caller.send(method, path, options);
      isDocumented(method, path, { ...reply, headers: withoutPrefixes(reply.headers, otherPrefixes) });
      return reply;
    },
    secretKey: keyIn(printed, /sk_live_\S+/),
    publishableKey: keyIn(printed, /pk_live_\S+/),
    foundOrganization: async (name, mode) => (await foundOrganization(database, name, mode)).newKeys.secret as string,
    settled: async () => {
      // Wait for this process's own work first. Then poll the database for the work of other processes.
      await service.worker?.idle();
      await waitUntilSettled(database);
    },
    stop: async () => {
      caller.leave();
      await database.end();
      await service.stop();
      await own.drop();
    },
  };
}

/**
 * Returns the headers whose names begin with none of `prefixes`. Pass all configured header prefixes except the first,
 * because the OpenAPI document describes only headers with the first prefix.
 */
function withoutPrefixes(headers: Headers, prefixes: readonly string[]): Headers {
  const starts = prefixes.map((prefix) => `${prefix.toLowerCase()}-`);
  return new Headers([...headers].filter(([name]) => !starts.some((start) => name.startsWith(start))));
}

function keyIn(printed: readonly string[], pattern: RegExp): string {
  const found = printed.map((line) => pattern.exec(line)?.[0]).find((key) => key !== undefined);
  assert.ok(found, 'the first keys are printed');
  return found;
}

/** The maximum time without progress in the pipeline, in milliseconds. */
const SETTLING_LIMIT_MS = 60_000;
const SETTLING_POLL_MS = 10;

/** Waits until no job is pending and no connector event is due. Polls the database, so it covers several processes. */
export async function waitUntilSettled(database: Database): Promise<void> {
  let fewest = Infinity;
  let deadline = 0;
  for (;;) {
    const { rows } = await database.query<{ waits: number }>(
      `select (select count(*) from jobs where dead_lettered_at is null) +
         (select count(*) from connector_events where due_at <= now()) as waits`,
    );
    const waits = rows[0]?.waits ?? 0;
    if (waits === 0) return;
    if (waits < fewest) {
      fewest = waits;
      deadline = performance.now() + SETTLING_LIMIT_MS;
    }
    assert.ok(performance.now() < deadline, 'the pipeline finishes some work each minute');
    // Counting without a pause would take resources from the pipeline.
    await new Promise((resolve) => setTimeout(resolve, SETTLING_POLL_MS));
  }
}
