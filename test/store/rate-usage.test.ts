import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createDatabase } from '#test/support/database.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { type Database, openDatabase } from '#store/database.ts';
import { exchangeUsage } from '#store/rate-usage.ts';

describe('what processes tell each other of their limits', () => {
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createDatabase();
    database = openDatabase(created.url);
    drop = created.drop;
  });
  after(async () => {
    await database.end();
    await drop();
  });

  const [here, there, third] = [randomUUID(), randomUUID(), randomUUID()];
  const bucket = (byte: number) => Buffer.alloc(16, byte);
  const used = (byte: number, taken: number, organization = 1) => ({
    organizationId: organization as OrganizationId,
    bucket: bucket(byte),
    taken,
    lately: 5,
  });
  const heard = async (process: string, ...mine: ReturnType<typeof used>[]) => {
    const others = await exchangeUsage(database, process, mine);
    return others.map((row) => [row.organizationId, row.bucket[0], row.process, row.taken, row.lately]);
  };
  const count = async () => (await database.query('select from rate_usage')).rowCount;

  it('is heard by those who ask about the same bucket, and only what is the newest', async () => {
    assert.deepEqual(await heard(here, used(1, 10), used(2, 20)), []);
    assert.deepEqual(await heard(there, used(1, 7)), [[1, 1, here, 10, 5]]);
    assert.deepEqual(await heard(here, used(1, 12), used(2, 21)), [[1, 1, there, 7, 5]]);
    assert.deepEqual(await heard(third, used(2, 1)), [[1, 2, here, 21, 5]]);
    assert.deepEqual(await heard(there, used(1, 8, 2)), [], 'another organization’s');
  });

  it('goes when a process has no more of it to tell, and when one has ended without a word', async () => {
    await database.query('truncate rate_usage');
    await heard(here, used(1, 10), used(2, 20));
    await heard(there, used(2, 5));
    await heard(here, used(2, 21));
    assert.equal(await count(), 2);
    await database.query(`update rate_usage set told_at = now() - interval '6 seconds' where process = $1`, [there]);
    assert.deepEqual(await heard(here, used(2, 22)), [], 'it has not told for a while');
    await database.query(`update rate_usage set told_at = now() - interval '2 minutes' where process = $1`, [there]);
    await heard(here);
    assert.equal(await count(), 0);
  });

  it('waits for nobody and never fails, however many tell at once', async () => {
    const processes = Array.from({ length: 8 }, () => randomUUID());
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        processes.map((process, index) =>
          heard(process, ...Array.from({ length: 40 }, (_, n) => used((n * 7 * (index + 1) + round) % 251, round))),
        ),
      );
    }
    await Promise.all(processes.map((process) => heard(process)));
    assert.equal(await count(), 0);
  });

  it('is no part of what is written for a crash or a stand-by', async () => {
    const { rows } = await database.query<{ kind: string }>(
      `select relpersistence as kind from pg_class where relname = 'rate_usage'`,
    );
    assert.equal(rows[0]?.kind, 'u');
  });
});
