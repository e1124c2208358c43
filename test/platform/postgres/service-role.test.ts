import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { openCaller } from '../../support/caller.ts';
import { createEmptyDatabase } from '../../support/database.ts';
import { ENCRYPTION_KEY } from '../../support/encryption-key.ts';
import { openTill } from '../../support/payouts.ts';
import { extendAllChains } from '../../support/chain.ts';
import { type TestService, waitUntilSettled } from '../../support/service.ts';
import { openShop } from '../../support/shop.ts';
import { readConfig } from '#app/config.ts';
import { migrate as migrateByCommand } from '#app/database-commands.ts';
import { type Service, startService } from '#app/main.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { startEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { keepPartitions, leavePartition } from '#platform/postgres/partitions.ts';
import { dropOldVisits } from '#tracking/store/retention.ts';
import { grantServicePrivileges, roleOf } from '#platform/postgres/service-role.ts';
import { followGrowth } from '#platform/postgres/statistics.ts';
import { verify } from '#verify/verify.ts';

const SILENT = pino({ level: 'silent' });
const INSUFFICIENT_PRIVILEGE = '42501';

type Started = Pick<TestService, 'request' | 'secretKey' | 'settled'> & {
  readonly database: Database;
  readonly stop: () => Promise<void>;
};

async function start(
  settings: Record<string, string>,
  embedded?: Parameters<typeof startService>[3],
): Promise<Started> {
  const printed: string[] = [];
  const config = readConfig({ PORT: '0', WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY, ...settings });
  const service: Service = await startService(config, SILENT, (...lines) => printed.push(...lines), embedded);
  const caller = openCaller(service.url);
  return {
    database: service.database,
    request: (method, path, options) => caller.send(method, path, options),
    secretKey: /sk_live_\S+/.exec(printed.join('\n'))?.[0] as string,
    settled: () => waitUntilSettled(service.database),
    stop: async () => {
      caller.leave();
      await service.stop();
    },
  };
}

/** Statements that must fail for an attacker who can run SQL as the service. */
const FORBIDDEN: readonly string[] = [
  'create table mine (id int)',
  'create schema mine',
  'create function mine() returns int language sql as $$ select 1 $$',
  'alter table people add mine text',
  'alter table ledger_entries disable trigger all',
  'alter table audit_entries disable trigger audit_entries_not_rewritten',
  'drop trigger ledger_entries_append_only on ledger_entries',
  'drop table visits',
  'drop index visits_opportunity',
  'truncate visits',
  'truncate ledger_entries',
  'delete from ledger_entries',
  `update ledger_entries set amount = 1`,
  'delete from ledger_blocks',
  `update ledger_blocks set hash = '\\x00'`,
  'delete from audit_entries',
  `update audit_entries set author = 'nobody'`,
  'update audit_entries set at = now()',
  'delete from erasures',
  'delete from obligations',
  'delete from payouts',
  'delete from transactions',
  'delete from migrations',
  `insert into migrations (version, name, checksum) values (999, 'mine', '')`,
  `alter role current_user superuser`,
  'create role mine',
  `copy (select 1) to program 'true'`,
  `select pg_read_file('/etc/passwd')`,
  'set session_replication_role = replica',
];

describe('a service whose role does not own the database', () => {
  const names = { owner: `owner_${suffix()}`, service: `service_${suffix()}` };
  let admin: Database;
  let urls: { readonly owner: string; readonly service: string };
  let drop: () => Promise<void>;
  let service: Started;
  before(async () => {
    const own = await createEmptyDatabase();
    admin = openDatabase(own.url, { connections: 1 });
    for (const name of Object.values(names)) await admin.query(`create role ${name} login password 'given'`);
    const { rows } = await admin.query<{ name: string }>('select current_database() as name');
    await admin.query(`alter database ${rows[0]?.name} owner to ${names.owner}`);
    const as = (name: string) => Object.assign(new URL(own.url), { username: name, password: 'given' }).href;
    urls = { owner: as(names.owner), service: as(names.service) };
    drop = async () => {
      await admin.end();
      await own.drop();
      const server = openDatabase(process.env['WHENCE_TEST_ADMIN_URL'] as string, { connections: 1 });
      for (const name of Object.values(names)) await server.query(`drop role ${name}`);
      await server.end();
    };
    service = await start({ DATABASE_URL: urls.service, DATABASE_OWNER_URL: urls.owner });
  });
  after(async () => {
    await service?.stop();
    await drop();
  });

  it('can record sales and refunds, run payouts, extend the ledger chain, erase people and drop partitions', async () => {
    const { database } = service;
    assert.equal(await roleOf(database), names.service);
    const shop = openShop(service);
    const till = openTill(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
    for (const sale of ['one', 'two', 'three']) await shop.sell(sale, await shop.visit('ada'), { total: 100 });
    await service.settled();
    const { id } = await till.runOne();
    await till.move(id, 'process');
    await shop.refund('two');
    await service.settled();
    const key = service.secretKey;
    const erase = { collaboratorId: await shop.collaborator('bob') };
    const erased = await service.request('POST', '/v1/collaborators/erase', { key, body: erase });
    assert.equal(erased.status, 200, erased.text);
    // Ignore how many ledger entries are added, because the service's chain writer may already have extended the chain.
    await extendAllChains(database);
    assert.ok(((await admin.query('select from ledger_blocks')).rowCount ?? 0) > 0);
    await followGrowth(database);
    await keepPartitions(database, { daysEach: 1 });
    await leavePartition(database);
    await admin.query(`update visit_partitions set opened_at = opened_at - interval '9 days'`);
    assert.equal(await dropOldVisits(database, 1), true);
    assert.deepEqual((await verify(admin)).breaches, []);
  });

  for (const statement of FORBIDDEN)
    it(`is refused the statement: ${statement}`, async () => {
      await assert.rejects(service.database.query(statement), { code: INSUFFICIENT_PRIVILEGE });
    });

  it('can drop neither a partition in use nor a partition with a negative number', async () => {
    const { rows } = await admin.query<{ current: number }>(
      `select pg_sequence_last_value('event_ids'::regclass) >> 32 as current`,
    );
    for (const number of [rows[0]?.current as number, (rows[0]?.current as number) + 1, -1])
      await assert.rejects(service.database.query('select drop_visit_partition($1)', [number]), /in use/);
  });

  it('starts without the owner’s URL if no migration is pending, or else names the command to run', async () => {
    const alone = await start({ DATABASE_URL: urls.service });
    await alone.stop();
    await admin.query('alter table migrations rename to kept');
    await admin.query(`create table migrations as select * from kept where false`);
    await admin.query(`grant select on migrations to ${names.service}`);
    await assert.rejects(
      start({ DATABASE_URL: urls.service }),
      /Set DATABASE_OWNER_URL to the owner’s URL and run "whence migrate"/,
    );
    await admin.query('drop table migrations');
    await admin.query('alter table kept rename to migrations');
  });

  it('receives missing rights through whence migrate', async () => {
    await admin.query(`revoke all on table people from ${names.service}`);
    const said: string[] = [];
    const config = readConfig({ DATABASE_URL: urls.service, DATABASE_OWNER_URL: urls.owner });
    assert.equal(await migrateByCommand(config, (...lines) => said.push(...lines)), 0);
    await service.database.query('select from people limit 1');
  });
});

it('concurrent callers can grant the service’s rights, and a repeated grant or a grant to the owner changes nothing', async () => {
  const { url, drop } = await createEmptyDatabase();
  const owner = openDatabase(url, { connections: 8 });
  const role = `service_${suffix()}`;
  try {
    await migrate(owner);
    await owner.query(`create role ${role}`);
    const rights = async () => {
      const { rows } = await owner.query<{ rights: string }>(
        `select string_agg(concat(relname, relacl), ' ' order by relname) as rights from pg_class
         where relnamespace = 'public'::regnamespace`,
      );
      return rows[0]?.rights as string;
    };
    const before = await rights();
    await grantServicePrivileges(owner, await roleOf(owner));
    assert.equal(await rights(), before);
    await Promise.all(Array.from({ length: 6 }, () => grantServicePrivileges(owner, role)));
    const given = await rights();
    assert.notEqual(given, before);
    await grantServicePrivileges(owner, role);
    assert.equal(await rights(), given);
    await owner.query(`drop owned by ${role}`);
    await owner.query(`drop role ${role}`);
  } finally {
    await owner.end();
    await drop();
  }
});

it('on the embedded database, the service’s role cannot create tables, drop tables or run programs', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'whence-role-'));
  const embedded = startEmbedded({ dataDir, log: () => {} });
  try {
    const service = await start({ WHENCE_DATA_DIR: dataDir }, embedded);
    assert.equal(await roleOf(service.database), 'whence_service');
    for (const statement of ['create table mine (id int)', `copy (select 1) to program 'true'`, 'drop table visits_1'])
      await assert.rejects(service.database.query(statement), { code: INSUFFICIENT_PRIVILEGE }, statement);
    await service.stop();
  } finally {
    await (await embedded).stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

function suffix(): string {
  return randomUUID().slice(0, 8);
}
