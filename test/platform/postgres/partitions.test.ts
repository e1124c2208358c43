import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { type Database, inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { keepPartitions } from '#platform/postgres/partitions.ts';
import { dropOldVisits, longestWindowDays } from '#tracking/store/retention.ts';
import { createDatabase } from '../../support/database.ts';

const EACH = 2 ** 32;

async function openEmpty(): Promise<{ database: Database; end: () => Promise<void> }> {
  const { url, drop } = await createDatabase();
  const database = openDatabase(url, { connections: 8, steadyPlans: true });
  const end = async () => {
    await database.end();
    await drop();
  };
  return { database, end };
}

describe('the partitions of visits', () => {
  let database: Database;
  let end: () => Promise<void>;
  beforeEach(async () => {
    await end?.();
    ({ database, end } = await openEmpty());
  });
  after(() => end());

  const bounds = async () => {
    const { rows } = await database.query<{ name: string; bound: string }>(
      `select inhrelid::regclass::text as name, pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'visits'::regclass order by inhrelid`,
    );
    return rows.map(({ name, bound }) => [name, ...(bound.match(/\d+/g) ?? []).map(Number)]);
  };
  const draw = async (): Promise<number> => {
    const { rows } = await database.query<{ id: number }>(`select nextval('event_ids') as id`);
    return rows[0]?.id as number;
  };

  it('visits have two partitions at first: the current and the next partition', async () => {
    assert.deepEqual(await bounds(), [
      ['visits_0', 0, EACH],
      ['visits_1', EACH, 2 * EACH],
    ]);
    assert.equal(await keepPartitions(database, { daysEach: 1 }), false);
    assert.equal((await bounds()).length, 2);
  });

  it('the next partition is opened when a partition is full, and another is created in advance', async () => {
    for (let n = 0; n < 4; n += 1) await draw();
    assert.equal(await keepPartitions(database, { daysEach: null, fullAt: 5 }), false);
    await draw();
    assert.equal(await keepPartitions(database, { daysEach: null, fullAt: 5 }), true);
    assert.deepEqual((await bounds()).at(-1), ['visits_2', 2 * EACH, 3 * EACH]);
    assert.equal(await draw(), EACH + 1);
    assert.equal(await keepPartitions(database, { daysEach: null, fullAt: 5 }), false);
  });

  it('the next partition is opened after the set number of days, unless the current partition is empty', async () => {
    await draw();
    await database.query(`update visit_partitions set opened_at = opened_at - interval '3 days'`);
    assert.equal(await keepPartitions(database, { daysEach: null }), false);
    assert.equal(await keepPartitions(database, { daysEach: 4 }), false);
    assert.equal(await keepPartitions(database, { daysEach: 3 }), true);
    await database.query(`update visit_partitions set opened_at = opened_at - interval '3 days'`);
    assert.equal(await keepPartitions(database, { daysEach: 3 }), false, 'no id was drawn since the last partition');
    assert.equal(await draw(), EACH + 1);
  });

  it('the next partition is opened only once by concurrent callers', async () => {
    for (let round = 0; round < 5; round += 1) {
      await draw();
      const begun = await Promise.all(
        Array.from({ length: 8 }, () => keepPartitions(database, { daysEach: null, fullAt: 1 })),
      );
      assert.deepEqual(begun.filter((one) => one).length, 1);
    }
    assert.equal(await draw(), 5 * EACH + 1);
    assert.equal((await bounds()).length, 7);
  });

  it('partitions are repaired after a process died between two steps', async () => {
    await draw();
    // Simulate a process that died after it advanced the sequence, before it recorded or created a partition.
    await database.query(`select setval('event_ids', $1)`, [EACH]);
    await keepPartitions(database, { daysEach: null });
    assert.equal((await bounds()).length, 3);
    const { rows } = await database.query<{ opened: boolean }>(
      'select opened_at is not null as opened from visit_partitions order by number',
    );
    assert.deepEqual(
      rows.map(({ opened }) => opened),
      [true, true, false],
    );
  });

  it('missing partitions are created in a restored database whose sequence is ahead of its tables', async () => {
    await draw();
    // A dump reads all tables as of its start, but reads each sequence later. So a sequence can be ahead.
    await database.query(`select setval('event_ids', $1)`, [3 * EACH + 7]);
    assert.equal(await keepPartitions(database, { daysEach: 1 }), false);
    assert.deepEqual(
      (await bounds()).map(([name]) => name),
      ['visits_0', 'visits_1', 'visits_2', 'visits_3', 'visits_4'],
    );
    await database.query(
      `insert into visits (organization_id, id, opportunity_id, collaborator_id, config_version, occurred_at)
       values (1, nextval('event_ids'), 1, 1, 0, now())`,
    );
    await database.query(`update visit_partitions set opened_at = opened_at - interval '9 days'`);
    for (let dropped = 0; dropped < 3; dropped += 1) assert.equal(await dropOldVisits(database, 7), true);
    assert.equal(await dropOldVisits(database, 7), false, 'the current partition is never dropped');
    assert.equal(await keepPartitions(database, { daysEach: 1 }), true);
  });

  it('a new partition is not opened by the call that created it', async () => {
    await draw();
    await database.query('drop table visits_1; delete from visit_partitions where number = 1');
    assert.equal(await keepPartitions(database, { daysEach: null, fullAt: 1 }), false);
    assert.equal(await draw(), 2);
    assert.equal((await bounds()).length, 2);
    assert.equal(await keepPartitions(database, { daysEach: null, fullAt: 1 }), true);
    assert.equal(await draw(), EACH + 1);
    assert.equal((await bounds()).length, 3);
  });

  it('a partition is kept an hour longer than the retention, for sales that are being written', async () => {
    await draw();
    await keepPartitions(database, { daysEach: null, fullAt: 1 });
    const age = (interval: string) =>
      database.query(`update visit_partitions set opened_at = now() - $1::interval where number = 1`, [interval]);
    await age('7 days 59 minutes');
    assert.equal(await dropOldVisits(database, 7), false);
    await age('7 days 61 minutes');
    assert.equal(await dropOldVisits(database, 7), true);
    assert.equal((await bounds()).length, 2);
  });

  it('dropping a partition does not lock the table while it waits for another lock', async () => {
    await draw();
    await keepPartitions(database, { daysEach: null, fullAt: 1 });
    await database.query(`update visit_partitions set opened_at = now() - interval '9 days'`);
    const sweeper = await database.connect();
    await sweeper.query('begin; select from visit_partitions where number = 0 for update');
    let isOver = false;
    const dropping = dropOldVisits(database, 7).finally(() => (isOver = true));
    while (!isOver) {
      const { rowCount } = await database.query(
        `select from pg_locks where relation = 'visits'::regclass and mode = 'AccessExclusiveLock'
           and database = (select oid from pg_database where datname = current_database())`,
      );
      assert.equal(rowCount, 0);
    }
    assert.equal(await dropping, false);
    await sweeper.query('rollback');
    sweeper.release();
    assert.equal(await dropOldVisits(database, 7), true);
  });

  it('partitions have the same indexes, accept ids in any order, and reject a duplicate id', async () => {
    await draw();
    await keepPartitions(database, { daysEach: null, fullAt: 1 });
    const { rows } = await database.query<{ shape: string }>(
      `select distinct string_agg(regexp_replace(pg_get_indexdef(i.indexrelid), 'visits_\\d+\\w*', '', 'g'), '; '
           order by regexp_replace(pg_get_indexdef(i.indexrelid), 'visits_\\d+\\w*', '', 'g')) as shape
       from pg_inherits p join pg_index i on i.indrelid = p.inhrelid
       where p.inhparent = 'visits'::regclass group by p.inhrelid`,
    );
    assert.equal(rows.length, 1, JSON.stringify(rows));
    await database.query(
      `insert into visits (organization_id, id, opportunity_id, collaborator_id, config_version, occurred_at)
       select 1, id, 1, 1, 0, now() from unnest($1::bigint[]) as v (id)`,
      [[1, EACH + 1, 2 * EACH]],
    );
    const duplicate = database.query(
      `insert into visits (organization_id, id, opportunity_id, collaborator_id, config_version, occurred_at)
       values (1, $1, 1, 1, 0, now())`,
      [EACH + 1],
    );
    await assert.rejects(duplicate, /duplicate key/);
  });

  it('partitions are pruned for an id and for a range of ids, and a page is read without sorting', async () => {
    await draw();
    await keepPartitions(database, { daysEach: null, fullAt: 1 });
    const plan = async (condition: string) => {
      const { rows } = await database.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off, summary off)
         select * from visits where organization_id = 1 and ${condition}`,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const one = await plan('id = 7');
    assert.match(one, /visits_0/);
    assert.doesNotMatch(one, /visits_[12]/);
    const after = await plan(`opportunity_id = 1 and id >= ${EACH + 5}`);
    assert.doesNotMatch(after, /visits_0/);
    const page = await plan('true order by id limit 10');
    assert.doesNotMatch(page, /Sort/);
  });
});

describe('longestWindowDays: the longest attribution window of any program', () => {
  it('includes current versions of programs that aren’t deleted, and earlier versions that can still decide an event', async () => {
    const { database, end } = await openEmpty();
    const version = (program: number, number: number, days: number, status: string, age: string) =>
      database.query(
        `insert into program_versions (organization_id, program_id, version, config_version, name, status, currency,
           window_days, attribution, reward, counted_lines, triggers, pays, auto_approve, enrollment, credits_per, created_at)
         values (1, $1, $2::int, $2::int, 'p', $4, 'USD', $3, 'linear', '{}', '{}', '{}', '{}', true, 'everyone', 'sale',
           now() - $5::interval)`,
        [program, number, days, status, age],
      );
    try {
      assert.equal(await longestWindowDays(database), 0);
      await database.query(`insert into organizations (id, name, opportunity_key) overriding system value
        values (1, 'o', decode(repeat('00', 16), 'hex'))`);
      await database.query(
        'insert into programs (organization_id, id, version) overriding system value values (1, 1, 3), (1, 2, 1)',
      );
      await version(1, 1, 300, 'active', '50 days');
      await version(1, 2, 60, 'active', '40 days');
      await version(1, 3, 20, 'inactive', '2 hours');
      await version(2, 1, 999, 'deleted', '40 days');
      assert.equal(await longestWindowDays(database), 60, 'the previous version was in effect a day ago');
      await database.query(`update program_versions set created_at = now() - interval '2 days' where version = 3`);
      assert.equal(await longestWindowDays(database), 20);
      await database.query(`insert into events (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at)
        values (1, 1, 'SaleTriggered', 's', 1, 1, 1, now() - interval '45 days')`);
      await database.query(`insert into jobs (organization_id, event_id, transaction_id, type, dead_lettered_at, error)
        values (1, 1, 1, 'SaleTriggered', now(), 'x')`);
      assert.equal(await longestWindowDays(database), 300, 'a dead-lettered event may be retried');
    } finally {
      await end();
    }
  });

  it('compares each version with one earlier version of its program, not with all earlier versions', async () => {
    const { database, end } = await openEmpty();
    try {
      await database.query(`insert into organizations (id, name, opportunity_key) overriding system value
        values (1, 'o', decode(repeat('00', 16), 'hex'))`);
      await database.query(
        'insert into programs (organization_id, id, version) overriding system value values (1, 1, 12000)',
      );
      await database.query(
        `insert into program_versions (organization_id, program_id, version, config_version, name, status, currency,
           window_days, attribution, reward, counted_lines, triggers, pays, auto_approve, enrollment, credits_per, created_at)
         select 1, 1, n, n, 'p', 'active', 'USD', n % 30 + 1, 'linear', '{}', '{}', '{}', '{}', true, 'everyone', 'sale',
           now() - case when n <= 6000 then interval '3 days' else interval '1 hour' end
         from generate_series(1, 12000) n`,
      );
      // A query that compares each recent version with each older version would take ten times as long as the timeout.
      const days = await inTransaction(database, async (connection) => {
        await connection.query(`set local statement_timeout = '1s'`);
        return longestWindowDays(connection);
      });
      assert.equal(days, 30);
    } finally {
      await end();
    }
  });
});
