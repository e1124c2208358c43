import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type TestService, startService } from '#test/support/service.ts';
import { letPass, openShop, type Shop, startBeside } from '#test/support/shop.ts';
import { MAX_ATTEMPTS } from '#platform/worker/jobs.ts';
import { verify } from '#verify/verify.ts';

describe('an event that can’t be decided', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
  });
  after(() => service.stop());

  it('is retried, then dead-lettered with its error without blocking other events, and can be retried manually', async (test) => {
    const good = await shop.program();
    await shop.collaborator('ada');
    const oid = await shop.visit('ada');
    const poisoned = await shop.visit('ada');
    const bad = await shop.program({ name: 'Broken' });
    await shop.visit('ada', { oid: poisoned });
    // No API call can create this state: a program version with an unknown type of reward.
    const breakIt = (reward: string) =>
      service.database.query('update program_versions set reward = $2 where program_id = $1', [bad, reward]);
    await breakIt('{"type": "per-moon"}');
    for (let n = 0; n < 40; n += 1) await shop.sell(`order-${n}`, n === 20 ? poisoned : oid);

    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    test.after(() => worker.stop());
    const waiting = async () => {
      const { rows } = await service.database.query<{ attempts: number; isDeadLettered: boolean; error: string }>(
        'select attempts, dead_lettered_at is not null as "isDeadLettered", error from jobs',
      );
      return rows;
    };
    // On a slow machine, a pass of the loop can include several attempts, because the next attempt may already be due.
    for (let tried = 0; tried < MAX_ATTEMPTS;) {
      await letPass(service, '1 hour');
      await worker.worker?.idle();
      const [job, ...others] = await waiting();
      assert.ok(job !== undefined && others.length === 0);
      assert.ok(job.attempts > tried && job.attempts <= MAX_ATTEMPTS, `${job.attempts} after ${tried}`);
      assert.equal(job.isDeadLettered, job.attempts === MAX_ATTEMPTS);
      assert.match(job.error, /Unknown reward/);
      tried = job.attempts;
    }
    assert.equal((await shop.earned('order-19'))[0]?.programId, good);
    assert.equal((await shop.get<unknown[]>('/v1/conversions?perPage=100')).length, 39);

    const parked = await shop.get<{ id: number; state: string; transactionId: number }[]>('/v1/events?state=parked');
    assert.equal(parked.length, 1);
    assert.deepEqual((await verify(service.database)).breaches, []);

    await breakIt('{"type": "percent", "ratePpm": 100000}');
    const retry = await service.request('POST', `/v1/events/${parked[0]?.id}/retry`, { key: service.secretKey });
    assert.equal(retry.status, 200, retry.text);
    await worker.worker?.idle();
    assert.deepEqual(
      (await shop.earned('order-20')).map((each) => each.programId),
      [good, bad],
    );
    assert.deepEqual((await verify(service.database)).breaches, []);
  });

  it('is retried immediately if a clock that was ahead scheduled its next attempt', async (test) => {
    await shop.program({ name: 'Ahead' });
    await shop.collaborator('bob');
    await shop.sell('ahead', await shop.visit('bob'));
    await service.database.query(`update jobs set attempts = 1, run_at = now() + interval '30 hours'`);
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    test.after(() => worker.stop());
    await worker.worker?.idle();
    assert.ok((await shop.earned('ahead')).length > 0);
  });
});

describe('an event whose decision loses its connection', () => {
  async function openPoisoned(test: TestContext) {
    const service = await startService({ WHENCE_ROLE: 'api' });
    test.after(() => service.stop());
    const shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    await shop.sell('first', await shop.visit('ada'));
    // A sequence counts the lost connections, because it keeps its value when a transaction is rolled back.
    await service.database.query(`
      create sequence losses;
      create function lose_connection() returns trigger language plpgsql as $$
      begin
        if exists (select from transactions t where t.id = new.transaction_id and t.external_id = 'poison')
          and nextval('losses') <= (select value from most_losses) then
          perform pg_terminate_backend(pg_backend_pid());
        end if;
        return new;
      end $$;
      create table most_losses as select 1000 as value;
      create trigger lose_connection before insert on conversions for each row execute function lose_connection()`);
    return { service, shop };
  }

  it('is dead-lettered after the maximum number of attempts, and other events are decided', async (test) => {
    const { service, shop } = await openPoisoned(test);
    for (const order of ['order-1', 'poison', 'order-2']) await shop.sell(order, await shop.visit('ada'));
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    test.after(() => worker.stop());
    for (let tried = 0; tried < MAX_ATTEMPTS;) {
      await letPass(service, '1 hour');
      await worker.worker?.idle();
      const { rows } = await service.database.query<{ attempts: number; isDead: boolean }>(
        'select attempts, dead_lettered_at is not null as "isDead" from jobs',
      );
      const [job, ...others] = rows;
      assert.ok(job !== undefined && others.length === 0 && job.attempts > tried);
      assert.equal(job.isDead, job.attempts === MAX_ATTEMPTS);
      tried = job.attempts;
    }
    assert.equal((await shop.get<unknown[]>('/v1/conversions?perPage=100')).length, 3);
    assert.deepEqual((await verify(service.database)).breaches, []);
  });

  it('is decided without a failed attempt if only two batches lose their connection', async (test) => {
    const { service, shop } = await openPoisoned(test);
    await service.database.query(`
      update most_losses set value = 2;
      create table counted (attempts integer);
      create function note_attempt() returns trigger language plpgsql as $$
      begin insert into counted values (new.attempts); return new; end $$;
      create trigger note_attempt before update of attempts on jobs for each row execute function note_attempt()`);
    await shop.sell('poison', await shop.visit('ada'));
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    test.after(() => worker.stop());
    await worker.worker?.idle();
    assert.equal((await shop.earned('poison')).length, 1);
    assert.deepEqual((await service.database.query('select attempts from counted')).rows, []);
  });
});

describe('an event whose decision exceeds the time limit of a statement', () => {
  it('is dead-lettered after the maximum number of attempts, and other events are decided', async (test) => {
    const service = await startService({ WHENCE_ROLE: 'api' });
    test.after(() => service.stop());
    const shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    // Raise the error that the server raises when it cancels a statement after the statement timeout.
    await service.database.query(`
      create function exceed_limit() returns trigger language plpgsql as $$
      begin
        if exists (select from transactions t where t.id = new.transaction_id and t.external_id = 'poison') then
          raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled';
        end if;
        return new;
      end $$;
      create trigger exceed_limit before insert on conversions for each row execute function exceed_limit()`);
    for (const order of ['order-1', 'poison', 'order-2']) await shop.sell(order, await shop.visit('ada'));
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    test.after(() => worker.stop());
    for (let tried = 0; tried < MAX_ATTEMPTS;) {
      await letPass(service, '1 hour');
      await worker.worker?.idle();
      const { rows } = await service.database.query<{ attempts: number; isDead: boolean; error: string }>(
        'select attempts, dead_lettered_at is not null as "isDead", error from jobs',
      );
      const [job, ...others] = rows;
      assert.ok(job !== undefined && others.length === 0 && job.attempts > tried);
      assert.equal(job.isDead, job.attempts === MAX_ATTEMPTS);
      assert.match(job.error, /statement timeout/);
      tried = job.attempts;
    }
    assert.equal((await shop.get<unknown[]>('/v1/conversions?perPage=100')).length, 2);
    assert.deepEqual((await verify(service.database)).breaches, []);
  });
});

describe('a table whose statistics can’t be updated', () => {
  // Autovacuum would update the statistics only after several seconds. Decisions must not wait for it.
  it('doesn’t stop decisions', { timeout: 10_000 }, async (test) => {
    const service = await startService();
    test.after(() => service.stop());
    const shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    const oid = await shop.visit('ada');
    await service.database.query('alter function take_statistics(regclass[]) rename to taken_away');
    // Add so many pages to a table that the worker tries to update its statistics.
    await service.database.query(
      `insert into visit_keys (organization_id, key, request_hash, opportunity_id)
       select organization_id, decode(md5(n::text), 'hex'), decode(md5(n::text), 'hex'), id
       from opportunities cross join generate_series(1, 5000) n`,
    );
    await shop.sell('order', oid);
    assert.equal((await shop.earned('order')).length, 1);
  });
});
