import assert from 'node:assert/strict';
import { pino } from 'pino';
import { openCaller, type Request } from '#test/support/caller.ts';
import { createDatabase } from '#test/support/database.ts';
import { documentedAnswers } from '#test/support/documented-answers.ts';
import { ENCRYPTION_KEY } from '#test/support/encryption-key.ts';
import { readConfig } from '../../src/config.ts';
import { startService as startWhole } from '../../src/main.ts';
import { foundOrganization } from '#operations/found-organization.ts';
import type { Database } from '#store/database.ts';

export type { Reply, RequestOptions, Request } from '#test/support/caller.ts';

export type TestService = {
  readonly url: string;
  readonly request: Request;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** All that whoever starts it is told: keys, links, mails where no server is set. */
  readonly printed: readonly string[];
  readonly database: Database;
  /** For other processes over the same database. */
  readonly databaseUrl: string;
  /** Founds another organization and answers its secret key. */
  readonly foundOrganization: (name: string) => Promise<string>;
  /** Resolves once the pipeline has decided all that was reported. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * The whole service on a port and a database of its own. Each answer is checked against what the OpenAPI document
 * promises of the call: its status, its headers, the schema of its body. `prepare` gets the database before the service, and may
 * answer further settings.
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
    ...settings,
    ...prepared,
  });
  const service = await startWhole(config, pino({ level: 'silent' }), (...lines) => printed.push(...lines));
  const { url, database } = service;
  const isDocumented = documentedAnswers(config.HEADER_PREFIX);
  const caller = openCaller(url);
  return {
    url,
    database,
    printed,
    databaseUrl: config.DATABASE_URL as string,
    request: async (method, path, options) => {
      const reply = await caller.send(method, path, options);
      isDocumented(method, path, reply);
      return reply;
    },
    secretKey: keyIn(printed, /sk_live_\S+/),
    publishableKey: keyIn(printed, /pk_live_\S+/),
    foundOrganization: async (name) => (await foundOrganization(database, name)).newKeys.secret as string,
    settled: async () => {
      // The process that is asked first knows of its own work when it is done; another one’s is seen in the database.
      await service.worker?.idle();
      await settled(database);
    },
    stop: async () => {
      caller.leave();
      await service.stop();
      await own.drop();
    },
  };
}

function keyIn(printed: readonly string[], pattern: RegExp): string {
  const found = printed.map((line) => pattern.exec(line)?.[0]).find((key) => key !== undefined);
  assert.ok(found, 'the first keys are printed');
  return found;
}

const SETTLING_LIMIT_MS = 60_000;
const SETTLING_POLL_MS = 10;

/** Asks the database itself, so that it also holds for several processes. */
export async function settled(database: Database): Promise<void> {
  const deadline = performance.now() + SETTLING_LIMIT_MS;
  for (;;) {
    const { rows } = await database.query<{ waiting: number }>(
      'select count(*) as waiting from jobs where parked_at is null',
    );
    if (rows[0]?.waiting === 0) return;
    assert.ok(performance.now() < deadline, 'the pipeline settles within a minute');
    // Counting without a pause would take from the pipeline what it waits for.
    await new Promise((resolve) => setTimeout(resolve, SETTLING_POLL_MS));
  }
}
