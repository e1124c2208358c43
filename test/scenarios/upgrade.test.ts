import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startBuyers } from '#test/support/buyers.ts';
import { createEmptyDatabase } from '#test/support/database.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { databaseOf, listReleases, unpackRelease } from '#test/support/release.ts';
import { settled } from '#test/support/service.ts';
import { replaySales } from '#pipeline/replay-sales.ts';
import { type Database, openDatabase } from '#store/database.ts';
import { migrate } from '#store/migrate.ts';
import { loadBackup } from '#store/restore.ts';
import { verify } from '#store/verify.ts';

const KEY = `sk_live_${'k'.repeat(43)}`;
/** Sales that have to be acknowledged in each part of the story: before the migration, beside it, and so on. */
const EACH = 20;
const LAST = listReleases().at(-1) as string;

describe(`an upgrade from ${LAST} while it is at work`, () => {
  let url: string;
  let database: Database;
  let release: Awaited<ReturnType<typeof unpackRelease>>;
  let drop: () => Promise<void>;
  const started: ServiceProcess[] = [];

  before(async () => {
    ({ url, drop } = await createEmptyDatabase());
    database = openDatabase(url, { connections: 4 });
    await loadBackup(database, databaseOf(LAST));
    release = await unpackRelease(LAST);
  });

  after(async () => {
    // Of a story that broke off.
    for (const { signal } of started) signal('SIGKILL');
    await Promise.all(started.map(({ exited }) => exited));
    await database.end();
    await release.remove();
    await drop();
  });

  it('refuses nothing and loses nothing: the old one goes on until the new one has taken over', async () => {
    const settings = { DATABASE_URL: url, WHENCE_SECRET_KEY: KEY };
    const old = await startProcess(settings, { folder: release.folder });
    started.push(old);
    const first = startBuyers(old.url, KEY, 'old');
    await first.until(EACH);
    await migrate(database);
    await first.until(2 * EACH);

    const young = await startProcess(settings);
    started.push(young);
    const second = startBuyers(young.url, KEY, 'young');
    await Promise.all([first.until(3 * EACH), second.until(EACH)]);
    await first.end();
    old.signal('SIGTERM');
    assert.equal(await old.exited, 0, old.printed());
    await second.until(2 * EACH);
    await second.end();
    await settled(database);
    young.signal('SIGTERM');
    assert.equal(await young.exited, 0, young.printed());
    assert.equal(`${old.printed()}${young.printed()}`.includes('"level":50'), false, 'neither met a fault of its own');

    assert.deepEqual((await verify(database)).breaches, []);
    assert.deepEqual((await replaySales(database)).differences, []);
    await hasAll([...first.sold, ...second.sold], [...first.refunded, ...second.refunded]);
  });

  async function hasAll(sold: readonly string[], refunded: readonly string[]): Promise<void> {
    const { rows } = await database.query<{ id: string; status: string; conversions: number }>(
      `select t.external_id as id, t.status, (select count(*) from conversions c where c.transaction_id = t.id) as conversions
       from transactions t where t.external_id ~ '^(old|young)-'`,
    );
    assert.deepEqual(rows.map(({ id }) => id).sort(), [...sold].sort(), 'each sale is there once');
    const refundedRows = rows.filter(({ status }) => status === 'refunded').map(({ id }) => id);
    assert.deepEqual(refundedRows.sort(), [...refunded].sort());
    assert.ok(
      rows.every(({ conversions }) => conversions > 0),
      'each is decided',
    );
  }
});
