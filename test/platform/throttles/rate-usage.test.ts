import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createDatabase } from '../../support/database.ts';
import type { OrganizationId } from '#core/ids.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { exchangeUsage } from '#platform/throttles/rate-usage.ts';

describe('the exchange of rate limit counters between processes', () => {
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

  it('a process reads the newest counters of other processes for the same bucket', async () => {
    assert.deepEqual(await heard(here, used(1, 10), used(2, 20)), []);
    assert.deepEqual(await heard(there, used(1, 7)), [[1, 1, here, 10, 5]]);
    assert.deepEqual(await heard(here, used(1, 12), used(2, 21)), [[1, 1, there, 7, 5]]);
    assert.deepEqual(await heard(third, used(2, 1)), [[1, 2, here, 21, 5]]);
    assert.deepEqual(await heard(there, used(1, 8, 2)), [], 'another organization’s');
  });

  it('the counters of a process are deleted once none is left or it has ended', async () => {
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

  it('the exchange of counters waits for no lock and never fails with concurrent processes', async () => {
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

  it('the exchange of counters uses an unlogged table', async () => {
    const { rows } = await database.query<{ kind: string }>(
      `select relpersistence as kind from pg_class where relname = 'rate_usage'`,
    );
    assert.equal(rows[0]?.kind, 'u');
  });
});
