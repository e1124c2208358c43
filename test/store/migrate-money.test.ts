import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { replaySales } from '#pipeline/replay-sales.ts';
import { makeKey } from '#operations/found-organization.ts';
import { type Database, openDatabase } from '#store/database.ts';
import { migrate } from '#store/migrate.ts';
import { verify } from '#store/verify.ts';
import { createDatabase } from '#test/support/database.ts';
import { ENCRYPTION_KEY } from '#test/support/encryption-key.ts';
import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/main.ts';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'src', 'store', 'migrations');
const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'version-1.json');

type Stored = {
  readonly tables: Readonly<Record<string, readonly object[]>>;
  readonly sequences: readonly { readonly name: string; readonly value: number }[];
};

describe('a database of version 1, with what its service had written', () => {
  let database: Database;
  let url: string;
  let drop: () => Promise<void>;

  before(async () => {
    ({ url, drop } = await createDatabase());
    database = openDatabase(url, { connections: 4 });
    await database.query('drop schema public cascade; create schema public');
    const first = await mkdtemp(join(tmpdir(), 'whence-migrations-'));
    await cp(join(MIGRATIONS, '0001_foundation.sql'), join(first, '0001_foundation.sql'));
    assert.deepEqual(await migrate(database, first), { from: 0, to: 1 });
    await rm(first, { recursive: true });
    await load(JSON.parse(await readFile(FIXTURE, 'utf8')) as Stored);
    assert.deepEqual(await migrate(database), { from: 1, to: (await readdir(MIGRATIONS)).length });
  });

  after(async () => {
    await database.end();
    await drop();
  });

  async function load({ tables, sequences }: Stored): Promise<void> {
    const connection = await database.connect();
    try {
      await connection.query('begin; set local session_replication_role = replica');
      for (const [table, rows] of Object.entries(tables)) {
        const read = `select * from json_populate_recordset(null::${table}, $1)`;
        await connection.query(`insert into ${table} overriding system value ${read}`, [JSON.stringify(rows)]);
      }
      for (const { name, value } of sequences) await connection.query('select setval($1, $2)', [name, value]);
      await connection.query('commit');
    } finally {
      connection.release();
    }
  }

  it('keeps every invariant; what was decided before ticks were kept is not decided again', async () => {
    assert.deepEqual((await verify(database)).breaches, []);
    assert.deepEqual(await replaySales(database), { decided: 0, leftOut: 0, differences: [] });
  });

  it('opens its ledger with what was owed', async () => {
    const { rows } = await database.query<{ owed: number; entered: number }>(
      `select (select sum(amount)::bigint from obligations where status in ('draft', 'pending')) as owed,
         (select sum(amount)::bigint from ledger_entries) as entered`,
    );
    assert.ok((rows[0]?.owed ?? 0) > 0);
    assert.equal(rows[0]?.owed, rows[0]?.entered);
  });

  it('goes on with partial refunds, renewals and runs of what was sold before', async () => {
    const config = readConfig({ DATABASE_URL: url, PORT: '0', WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY });
    const service = await startService(config, pino({ level: 'silent' }), () => {});
    const key = await makeKey(database, undefined, 'secret', 'test');
    const post = async (path: string, body: object): Promise<number> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return (await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    try {
      const sale = { source: 'shop', externalId: 'v1-4' };
      assert.equal(await post('/v1/event/refund', { ...sale, refundId: 'r', amount: 50 }), 200);
      assert.equal(await post('/v1/event/refund', { source: 'shop', externalId: 'v1-3' }), 200);
      const renewal = { source: 'shop', externalId: 'v1-4-r', saleExternalId: 'v1-4', total: 10 };
      assert.equal(await post('/v1/event/renewal', renewal), 200);
      await service.worker?.idle();
      assert.equal(await post('/v1/fulfillments', {}), 201);
    } finally {
      await service.stop();
    }
    assert.deepEqual((await verify(database)).breaches, []);
    assert.deepEqual(await replaySales(database), { decided: 1, leftOut: 0, differences: [] });
  });
});
