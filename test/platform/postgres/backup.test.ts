import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openCaller } from '../../support/caller.ts';
import { createEmptyDatabase } from '../../support/database.ts';
import { openShop, type Shop, startBeside } from '../../support/shop.ts';
import { startService, type TestService, waitUntilSettled } from '../../support/service.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { backUp } from '#platform/postgres/backup/backup.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { leavePartition } from '#platform/postgres/partitions.ts';
import { loadBackup, restore } from '#platform/postgres/backup/restore.ts';
import { skipIds } from '#platform/postgres/backup/skipped-ids.ts';
import { verify } from '#verify/verify.ts';

describe('a backup', () => {
  let service: TestService;
  let shop: Shop;
  let folder: string;
  let file: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whence-back-up-'));
    file = join(folder, 'first.whence');
    // The worker runs only during the setup, so that nothing changes in the background later.
    service = await startService({ WHENCE_ROLE: 'api' });
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    shop = openShop(service);
    await shop.program({ attribution: 'weighted', autoApprove: true });
    await shop.program({ creditsPer: 'opportunity', capPerPeriod: { period: 'year', amount: 4_500 } });
    await shop.collaborator('a', { name: 'Tab\tline\nend \\. "quoted" \\N ∑' });
    await shop.collaborator('b');
    for (let n = 0; n < 10; n += 1) await sell(`s-${n}`);
    await leavePartition(service.database);
    for (let n = 10; n < 20; n += 1) await sell(`s-${n}`);
    await shop.refund('s-3');
    await shop.refund('s-13');
    await service.settled();
    await worker.stop();
    await leavePartition(service.database);
    // Retention drops partitions in the same way. A replay then skips the sales of the dropped visits.
    await service.database.query('drop table visits_0');
    await service.database.query('delete from visit_partitions where number = 0');
    await backUp(service.database, file);
  });

  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  async function sell(id: string): Promise<void> {
    const visitor = await shop.visit('a', { userId: 7 });
    await shop.visit('b', { oid: visitor });
    await shop.sell(id, visitor);
  }

  async function elsewhere<Result>(work: (database: Database, url: string) => Promise<Result>): Promise<Result> {
    const { url, drop } = await createEmptyDatabase();
    const database = openDatabase(url, { connections: 4 });
    try {
      return await work(database, url);
    } finally {
      await database.end();
      await drop();
    }
  }

  it('restores every row, every sequence and the same schema', async () => {
    await elsewhere(async (database) => {
      await loadBackup(database, file);
      assert.deepEqual(await contentOf(database), await contentOf(service.database));
      assert.deepEqual(await schemaOf(database), await schemaOf(service.database));
      assert.deepEqual((await verify(database)).breaches, []);
      assert.deepEqual(await replaySales(database), await replaySales(service.database));
    });
  });

  it('is a consistent snapshot of a busy service, with every sale acknowledged before the backup', async () => {
    const path = join(folder, 'busy.whence');
    const before = await whileOthersSell('busy', () => backUp(service.database, path));
    await elsewhere(async (database, url) => {
      await restore(database, path);
      assert.deepEqual((await verify(database)).breaches, []);
      await assertComplete(database, url, before);
    });
  });

  it('replaces no file, is readable by its owner only, and leaves no partial file if it fails', async () => {
    await assert.rejects(backUp(service.database, file), { name: 'BackupExists' });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await assert.rejects(backUp(service.database, join(folder, 'nowhere', 'x.whence')), { code: 'ENOENT' });
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('unfinished')),
      [],
    );
  });

  it('is not restored into a database that is not empty', async () => {
    await elsewhere(async (database) => {
      await database.query('create table mine ()');
      await assert.rejects(restore(database, file), { name: 'DatabaseNotEmpty' });
    });
    await assert.rejects(restore(service.database, file), { name: 'DatabaseNotEmpty' });
  });

  it('that is damaged, truncated, from a newer release or not from Whence leaves the database empty', async () => {
    const whole = await readFile(file);
    const text = gunzipSync(whole).toString();
    const flipped = Buffer.from(whole);
    flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] as number) ^ 0xff;
    const wrong: readonly (readonly [Buffer, RegExp])[] = [
      [flipped, /damaged|have changed since|incomplete/],
      [whole.subarray(0, whole.length >> 1), /damaged/],
      [gzipSync(text.slice(0, text.lastIndexOf('{"end"'))), /incomplete/],
      [gzipSync(text.replace('Tab', 'Tub')), /contents have changed since it was written/],
      [gzipSync('{"kind":"a diary"}\n'), /isn’t a Whence backup/],
      [gzipSync('null\n'), /isn’t a Whence backup/],
      [Buffer.from('plain text'), /damaged/],
      [
        gzipSync(text.replace('"format":1', '"format":2')),
        /has format 2, but this release of Whence only reads format 1/,
      ],
      [
        gzipSync(text.replace(/\{"version":1,[^}]*\}/, '$&,$&')),
        /is at version \d+, but this release of Whence only supports versions up to/,
      ],
      [gzipSync(text.replace(/"checksum":"[0-9a-f]{4}/, '"checksum":"0000')), /Migration 1/],
      [gzipSync(text.replace('"name":"baseline"', '"name":"foundation"')), /development version before 1\.0/],
    ];
    const path = join(folder, 'wrong.whence');
    await elsewhere(async (database) => {
      for (const [bytes, message] of wrong) {
        await writeFile(path, bytes);
        await assert.rejects(restore(database, path), (error: Error) => {
          assert.equal(error.name, 'UnusableBackup', error.stack);
          assert.match(error.message, message);
          return true;
        });
      }
      await assert.rejects(restore(database, join(folder, 'nothing')), { code: 'ENOENT' });
      await restore(database, file);
    });
  });

  it('a restore skips the ids issued after the backup, so that none is issued twice', async () => {
    const lost = await shop.visit('a');
    await shop.sell('lost', lost);
    const given = await lastIds(service.database);
    await elsewhere(async (database, url) => {
      await restore(database, file);
      const begun = await lastIds(database);
      assert.deepEqual(
        Object.keys(given).filter((name) => !((begun[name] ?? 0) > (given[name] ?? 0))),
        [],
      );
      const again = await startBeside({ ...service, databaseUrl: url });
      const { send: request, leave } = openCaller(again.url);
      const late = openShop({ ...service, request, settled: () => waitUntilSettled(database) });
      try {
        await late.sell('late', lost);
        assert.equal((await late.explain('late')).reason, 'opportunity-removed');
        assert.notEqual(await late.visit('a', { oid: lost }), lost);
        const kept = await late.visit('b');
        await late.sell('kept', kept);
        assert.ok((await late.earned('kept')).length > 0);
      } finally {
        leave();
        await again.stop();
      }
      assert.deepEqual((await verify(database)).breaches, []);
    });
  });

  it('a dump by pg_dump, even of a busy service, restores every sale acknowledged before it, if ids are then skipped', async (t) => {
    const { rows } = await service.database.query<{ version: number }>(
      `select current_setting('server_version_num')::int / 10000 as version`,
    );
    const bin = `/usr/lib/postgresql/${rows[0]?.version}/bin`;
    if (!existsSync(join(bin, 'pg_dump'))) return t.skip(`there is no pg_dump of version ${rows[0]?.version}`);
    const run = promisify(execFile);
    const dump = async (path: string): Promise<void> => {
      await run(join(bin, 'pg_dump'), ['--format=custom', `--file=${path}`, service.databaseUrl]);
    };
    const [still, busy] = [join(folder, 'still.dump'), join(folder, 'busy.dump')];
    await dump(still);
    await elsewhere(async (database, url) => {
      await run(join(bin, 'pg_restore'), ['--no-owner', `--dbname=${url}`, still]);
      assert.deepEqual(await contentOf(database), await contentOf(service.database));
      await skipIds(database);
      assert.ok(((await lastIds(database))['opportunity_ids'] ?? 0) > 2 ** 32);
      assert.deepEqual((await verify(database)).breaches, []);
    });
    const before = await whileOthersSell('dumped', () => dump(busy));
    await elsewhere(async (database, url) => {
      await run(join(bin, 'pg_restore'), ['--no-owner', `--dbname=${url}`, busy]);
      await skipIds(database);
      assert.deepEqual((await verify(database)).breaches, []);
      await assertComplete(database, url, before);
    });
  });

  /** Runs `work` while callers report sales. Returns the sales that were acknowledged before `work` started. */
  async function whileOthersSell(name: string, work: () => Promise<unknown>): Promise<string[]> {
    const acknowledged: string[] = [];
    let ended = false;
    const { promise: underWay, resolve: begun } = Promise.withResolvers<void>();
    const callers = Promise.all(
      Array.from({ length: 4 }, async (_, caller) => {
        for (let turn = 0; !ended; turn += 1) {
          await sell(`${name}-${caller}-${turn}`);
          acknowledged.push(`${name}-${caller}-${turn}`);
          if (acknowledged.length === 8) begun();
        }
      }),
    );
    await Promise.race([underWay, callers]);
    const before = [...acknowledged];
    await work();
    ended = true;
    await callers;
    assert.ok(acknowledged.length > before.length, 'callers did not wait for the backup');
    return before;
  }

  /** Checks that the books balance once everything is decided, and that all of `sales` are in the database. */
  async function assertComplete(database: Database, databaseUrl: string, sales: readonly string[]): Promise<void> {
    const worker = await startBeside({ ...service, databaseUrl });
    await waitUntilSettled(database);
    await worker.stop();
    assert.deepEqual((await verify(database)).breaches, []);
    const { rows } = await database.query<{ id: string }>('select external_id as id from transactions');
    const there = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      sales.filter((id) => !there.has(id)),
      [],
    );
  }
});

/** Returns a hash of the rows of each table except `migrations`, and the last value of each sequence. */
async function contentOf(database: Database): Promise<object> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname <> 'migrations'
     order by 1`,
  );
  const hashes: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await database.query<object>(
      `select count(*) as rows, md5(string_agg(t::text, ',' order by t::text)) as hash from ${name} t`,
    );
    hashes[name] = rows[0];
  }
  return { hashes, sequences: await lastIds(database) };
}

async function lastIds(database: Database): Promise<Record<string, number>> {
  const { rows } = await database.query<{ name: string; last: number }>(
    'select sequencename as name, last_value as last from pg_sequences where last_value is not null order by 1',
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/**
 * Returns the definition of the schema, without the names of indexes, and without the names of a partition's
 * constraints and triggers.
 */
async function schemaOf(database: Database): Promise<unknown[]> {
  const { rows } = await database.query<object>(
    `select c.relname, c.relkind, c.reloptions, pg_get_expr(c.relpartbound, c.oid) as bound,
       (select json_agg(json_build_array(attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
          (select pg_get_expr(adbin, adrelid) from pg_attrdef d where d.adrelid = c.oid and d.adnum = a.attnum)) order by attname)
        from pg_attribute a where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
       (select json_agg(json_build_array(case when not c.relispartition then conname end, convalidated, pg_get_constraintdef(k.oid)) order by pg_get_constraintdef(k.oid))
        from pg_constraint k where conrelid = c.oid) as constraints,
       (select json_agg(regexp_replace(pg_get_indexdef(indexrelid), '^.* ON ', '') order by regexp_replace(pg_get_indexdef(indexrelid), '^.* ON ', ''))
        from pg_index where indrelid = c.oid) as indexes,
       (select json_agg(json_build_array(case when not c.relispartition then tgname end, tgenabled, regexp_replace(pg_get_triggerdef(t.oid), 'TRIGGER \\S+', '')) order by pg_get_triggerdef(t.oid))
        from pg_trigger t where tgrelid = c.oid and not tgisinternal) as triggers
     from pg_class c
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S') order by relname`,
  );
  return rows;
}
