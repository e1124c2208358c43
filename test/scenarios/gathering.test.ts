import assert from 'node:assert/strict';
import { after, before, beforeEach, afterEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { startWorker, type Worker, type WorkerOptions } from '#app/worker/worker.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';

/** A gathering time, in milliseconds, above the tests' time limit. A test that waits this long fails. */
const FOR_EVER_MS = 600_000;

describe('a worker with a gathering time', () => {
  let service: TestService;
  let shop: Shop;
  let database: Database;
  let worker: Worker | undefined;
  let oid: string;
  let sales = 0;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    database = openDatabase(service.databaseUrl, { steadyPlans: true });
    shop = openShop(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
  });
  beforeEach(async () => {
    oid = await shop.visit('ada');
  });
  afterEach(() => worker?.stop());
  after(async () => {
    await database.end();
    await service.stop();
  });
  const sell = (): Promise<unknown> => shop.sell(`order-${(sales += 1)}`, oid);
  const start = (options: WorkerOptions): Worker => (worker = startWorker(database, options));
  const decided = async (): Promise<void> => {
    for (;;) {
      const { rows } = await database.query<{ waits: boolean }>('select exists (select from jobs) as waits');
      if (rows[0]?.waits !== true) return;
      await pause(5);
    }
  };

  it('decides the first report after an idle time immediately', async () => {
    const { wake } = start({ gatheringMs: FOR_EVER_MS });
    await sell();
    wake();
    await decided();
  });

  it('continues without a pause while batches are full', async () => {
    for (let n = 0; n < 5; n += 1) await sell();
    start({ gatheringMs: FOR_EVER_MS, batchSize: 2 });
    await decided();
  });

  it('gathers later reports into one batch, and decides the batch immediately when idle is called', async () => {
    const { wake, idle } = start({ gatheringMs: FOR_EVER_MS });
    await sell();
    wake();
    await decided();
    for (let n = 0; n < 3; n += 1) {
      await sell();
      wake();
    }
    await idle();
    const { rows } = await database.query<{ decidedAt: Date }>(
      'select created_at as "decidedAt" from conversions order by id desc limit 3',
    );
    assert.equal(new Set(rows.map(({ decidedAt }) => decidedAt.getTime())).size, 1, 'decided in one transaction');
  });

  it('stops immediately while it gathers reports', async () => {
    const { wake, stop } = start({ gatheringMs: FOR_EVER_MS });
    await sell();
    wake();
    await decided();
    await sell();
    wake();
    await stop();
    assert.equal(worker?.isRunning(), false);
  });
});
