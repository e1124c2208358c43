import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { holdClock, type HeldClock } from '#tools/demo/clock.ts';
import { createDatabase } from '../../support/database.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';

const DAY = 86_400_000;

describe('the database clock', () => {
  let own: Awaited<ReturnType<typeof createDatabase>>;
  let hand: Database;
  let service: Database;
  let clock: HeldClock;
  before(async () => {
    own = await createDatabase();
    hand = openDatabase(own.url, { connections: 1 });
  });
  after(async () => {
    await Promise.all([hand.end(), service.end()]);
    await own.drop();
  });

  const times = async (of: Database): Promise<number[]> => {
    const { rows } = await of.query<Record<string, Date>>(
      'select now() as a, transaction_timestamp() as b, statement_timestamp() as c, clock_timestamp() as d',
    );
    return Object.values(rows[0] ?? {}).map(Number);
  };
  const founded = async (of: Database): Promise<number> => {
    const { rows } = await of.query<{ at: Date }>(
      `insert into organizations (name, opportunity_key) values ('O', '\\x00112233445566778899aabbccddeeff')
       returning created_at as at`,
    );
    return Number(rows[0]?.at);
  };
  const defaults = async (): Promise<unknown[]> => {
    const { rows } = await hand.query(
      `select adrelid::regclass::text, adnum, pg_get_expr(adbin, adrelid) from pg_attrdef order by 1, 2`,
    );
    return rows;
  };

  it('returns the set time from every function and column default', async () => {
    const honest = await defaults();
    const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    clock = await holdClock(hand, at);
    service = openDatabase(own.url, { connections: 2 });
    assert.deepEqual(await times(service), [at, at, at, at]);
    assert.equal(await founded(service), at);
    assert.equal(JSON.stringify(await defaults()).includes('public.now()'), true);
    assert.notDeepEqual(await defaults(), honest);
  });

  it('advances for new statements, but not for now() within a transaction', async () => {
    const [before = 0] = await times(service);
    const connection = await service.connect();
    await connection.query('begin');
    await connection.query('select now()');
    await clock.moveTo(before + DAY);
    const { rows } = await connection.query<{ at: Date; late: Date }>('select now() as at, clock_timestamp() as late');
    await connection.query('commit');
    connection.release();
    assert.deepEqual([Number(rows[0]?.at), Number(rows[0]?.late)], [before, before + DAY]);
    assert.deepEqual(await times(service), [before + DAY, before + DAY, before + DAY, before + DAY]);
  });

  it('lets new tables be created in the public schema while it is set', async () => {
    await service.query('create table later (id integer)');
    const { rows } = await service.query(`select 'public.later'::regclass::text as name`);
    assert.equal(rows.length, 1);
    await service.query('drop table later');
  });

  it('shows the true time once released, and leaves nothing in the database', async () => {
    await clock.release();
    for (const each of [service, hand]) {
      for (const time of await times(each)) assert.ok(Math.abs(time - Date.now()) < 60_000);
    }
    assert.ok(Math.abs((await founded(service)) - Date.now()) < 60_000);
    const { rows } = await hand.query(
      `select proname from pg_proc where proname in ('now', 'clock_timestamp') and pronamespace = 'public'::regnamespace
       union all select nspname from pg_namespace where nspname = 'demo_clock'
       union all select unnest(setconfig) from pg_db_role_setting
         where setdatabase = (select oid from pg_database where datname = current_database())`,
    );
    assert.deepEqual(rows, []);
    assert.equal(JSON.stringify(await defaults()).includes('public.'), false);
  });
});
