import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from 'pg';
import { runLoad } from '#tools/bench/load.ts';
import { COLLABORATORS } from '#tools/bench/processes.ts';
import { workload } from '#tools/bench/workload.ts';
import { createDatabase } from '#test/support/database.ts';
import { ENCRYPTION_KEY } from '#test/support/encryption-key.ts';
import { runCommand } from '#test/support/process.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop } from '#test/support/shop.ts';
import { startPoller } from '#platform/worker/poller.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('an idle service', () => {
  let service: TestService;
  let recorder: Recorder;
  before(async () => {
    recorder = recordStatements();
    service = await startService();
  });
  after(async () => {
    recorder.stop();
    await service.stop();
  });

  it('sends one query a second and nothing else', async () => {
    const asked = await recorder.until((statements) => statements.filter(isLook).length === 5);
    // Ignore the first poll, because queries from startup may run between the first two polls.
    const quiet = asked.slice(asked.findIndex(isLook) + 1);
    const looks = quiet.slice(quiet.findIndex(isLook));
    assert.deepEqual(
      looks.map(({ name }) => name),
      ['look-for-work', 'look-for-work', 'look-for-work', 'look-for-work'],
    );
    const [first, , , last] = looks as [Statement, Statement, Statement, Statement];
    // Timers may fire a millisecond early.
    assert.ok(last.at - first.at > 2_990, `the poller looked three times within ${last.at - first.at} ms`);

    // The query of the poller must read only a few database pages.
    const { rows } = await service.database.query<{ 'QUERY PLAN': [{ Plan: Readonly<Record<string, number>> }] }>(
      `explain (analyze, buffers, format json) ${last.text}`,
    );
    const { Plan: plan } = (rows[0] as (typeof rows)[0])['QUERY PLAN'][0];
    const pages = (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
    assert.ok(pages < 30, `${pages} pages`);
  });
});

describe('the poller', () => {
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url, { steadyPlans: true });
  });
  after(async () => {
    await database.end();
    await drop();
  });

  const ROUNDS = 20;

  it('polls immediately when notified of a change', async () => {
    await database.query(`insert into webhook_outbox (organization_id, type, resource_id)
      values (1, 'program.created', 1)`);
    let found = Promise.withResolvers<'work' | 'outbox'>();
    const poller = startPoller(database, {
      onWork: () => found.resolve('work'),
      onOutbox: () => found.resolve('outbox'),
      onEmail: () => {},
    });
    const started = performance.now();
    for (let round = 0; round < ROUNDS; round += 1) {
      poller.look();
      assert.equal(await found.promise, 'outbox');
      found = Promise.withResolvers();
    }
    await poller.stop();
    const took = performance.now() - started;
    assert.ok(took < (ROUNDS * 1_000) / 2, `${took} ms, while the timer alone would take ${ROUNDS} s`);
  });
});

describe('the ways to start the service', () => {
  const flagsIn = (file: string, line: RegExp): string[] =>
    (line.exec(readFileSync(join(ROOT, file), 'utf8'))?.[0] ?? '').match(/--[a-z-]+=\d+/g) ?? [];
  const flags = flagsIn('package.json', /"start": .*/);

  it('set the same memory limits', () => {
    assert.equal(flags.length, 3);
    assert.deepEqual(flagsIn('Dockerfile', /^ENTRYPOINT .*/m), flags);
    assert.deepEqual(flagsIn('docs/reference/operating.md', /^ExecStart=.*/m), flags);
    assert.deepEqual(flagsIn('docs/reference/operating.md', /^`npm start`, the image .*/m), flags);
  });

  it('load neither Node’s built-in TypeScript compiler nor its HTTP client undici', async () => {
    const onExit = 'process.on("exit", () => process._rawDebug(process.moduleLoadList.join("\\n")))';
    const settings = {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(onExit)}`,
      // At an address without a database, startup fails after all modules are loaded.
      DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
      WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY,
    };
    await runCommand(['start'], settings);
    const { printed } = await runCommand(['start'], settings);
    assert.match(printed, /ECONNREFUSED 127\.0\.0\.1:1\b/);
    assert.match(printed, /^NativeModule https$/m);
    assert.doesNotMatch(printed, /^NativeModule internal\/deps\/(amaro|undici)/m);
  });
});

describe('a service under load', () => {
  const SECONDS = 0.7;
  /** The minimum number of reports in a round. With fewer reports, one-time allocations would distort the result. */
  const LEAST_REPORTS = 2_000;
  /** The number of measured rounds. Caches, plans and buffers can grow in the first rounds without a leak. */
  const ROUNDS = 4;
  /** The maximum number of bytes per report that may stay in memory. */
  const BYTES_EACH = 100;

  it('retains less than 100 bytes of memory per report', async () => {
    const service = await startService();
    try {
      const shop = workload(service.secretKey);
      const load = { port: Number(new URL(service.url).port), callers: 32, onAnswer: shop.keep };
      const send = async (seconds: number): Promise<number> => {
        let total = 0;
        while (total < LEAST_REPORTS) {
          for (const next of [shop.newVisit, shop.mix]) {
            const sent = await runLoad({ ...load, seconds, next });
            assert.equal(sent.failures, 0);
            total += sent.total;
          }
        }
        await service.settled();
        return total;
      };
      const merchant = openShop(service);
      await merchant.program({ autoApprove: true });
      for (let n = 0; n < COLLABORATORS; n += 1) await merchant.collaborator(`c${n}`);
      const grown: number[] = [];
      await send(SECONDS);
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = heapUsed();
        const reports = await send(SECONDS);
        grown.push((heapUsed() - before) / reports);
      }
      // A leak grows in every round, so check the round with the smallest growth.
      assert.ok(Math.min(...grown) < BYTES_EACH, `additional bytes after each report: ${grown.join(', ')}`);
    } finally {
      await service.stop();
    }
  });
});

type Statement = { readonly name: string | undefined; readonly text: string; readonly at: number };

function isLook({ name }: Statement): boolean {
  return name === 'look-for-work';
}

type Recorder = {
  /** Resolves with the statements that start after this call, once `isEnough` returns true for them. */
  readonly until: (isEnough: (statements: readonly Statement[]) => boolean) => Promise<readonly Statement[]>;
  readonly stop: () => void;
};

/** Records the statements of all database connections of this process, until `stop` is called. */
function recordStatements(): Recorder {
  let hear: (statement: Statement) => void = () => {};
  const query = Reflect.get(Client.prototype, 'query') as (...call: unknown[]) => unknown;
  Reflect.set(Client.prototype, 'query', function recording(this: Client, ...call: unknown[]) {
    const [asked] = call as [string | { readonly name?: string; readonly text: string }];
    const { name, text } = typeof asked === 'string' ? { name: undefined, text: asked } : { name: undefined, ...asked };
    hear({ name, text, at: performance.now() });
    return Reflect.apply(query, this, call);
  });
  return {
    until: (isEnough) => {
      const statements: Statement[] = [];
      return new Promise((resolve) => {
        hear = (statement) => {
          statements.push(statement);
          if (isEnough(statements)) resolve(statements);
        };
      });
    },
    stop: () => Reflect.set(Client.prototype, 'query', query),
  };
}

/** Returns the used heap in bytes after garbage collection. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
