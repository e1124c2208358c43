import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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

  it('is retried, then dead-lettered with its error without blocking others, and can be retried manually', async (test) => {
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
    // On a slow machine, the second attempt becomes due while the test waits for the worker.
    for (let tried = 0; tried < MAX_ATTEMPTS;) {
      await letPass(service, '1 hour');
      await worker.worker?.idle();
      const [job, ...others] = await waiting();
      assert.ok(job !== undefined && others.length === 0);
      assert.ok(job.attempts > tried && job.attempts <= MAX_ATTEMPTS, `${job.attempts} after ${tried}`);
      assert.equal(job.isDeadLettered, job.attempts === MAX_ATTEMPTS);
      assert.match(job.error, /unknown reward/);
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

describe('a table whose statistics can’t be updated', () => {
  // Without this time limit, decisions could wait for autovacuum, which runs after about twenty seconds.
  it('doesn’t stop decisions', { timeout: 10_000 }, async (test) => {
    const service = await startService();
    test.after(() => service.stop());
    const shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    const oid = await shop.visit('ada');
    await service.database.query('alter function take_statistics(regclass[]) rename to taken_away');
    // More pages than the last statistics contain.
    await service.database.query(
      `insert into visit_keys (organization_id, key, request_hash, opportunity_id)
       select organization_id, decode(md5(n::text), 'hex'), decode(md5(n::text), 'hex'), id
       from opportunities cross join generate_series(1, 5000) n`,
    );
    await shop.sell('order', oid);
    assert.equal((await shop.earned('order')).length, 1);
  });
});
