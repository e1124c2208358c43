import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { MAX_ENDED } from '#backtest/domain/backtest-run.ts';
import { makePerson } from '#test/support/people.ts';
import { problemCode } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { type Backtest, type Calls, openCalls, THESE_YEARS } from './started.ts';

const percent = (value: number) => ({ type: 'percent', percent: value });
const doubled = { terms: { reward: percent(20) } };

describe('stored backtests', () => {
  let service: TestService;
  let shop: Shop;
  let key: string;
  let calls: Calls;
  let program: number;
  let organizations = 0;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  beforeEach(async () => {
    key = await service.foundOrganization(`Stored ${(organizations += 1)}`);
    shop = openShop({ ...service, secretKey: key });
    calls = openCalls(service.request, key);
    program = await shop.program({ name: 'Friends' });
  });

  const send = (method: string, path: string, body?: unknown, by = key): Promise<Reply> =>
    service.request(method, path, { key: by, ...(body === undefined ? {} : { body }) });

  async function sellTwice(): Promise<void> {
    await shop.collaborator('anna');
    await shop.collaborator('ben');
    await shop.sell('o-1', await shop.visit('anna'));
    await shop.sell('o-2', await shop.visit('ben'), { total: 50 });
    await service.settled();
  }

  it('an ended backtest is deleted when another one is started and 19 newer ones have ended', async () => {
    await service.database.query(
      `insert into backtests (organization_id, drafts, from_day, until_day, status, author, ended_at)
       select o.id, '[]', '2026-01-01', '2026-02-01', 'canceled', 'key 1', now()
       from (select max(id) as id from organizations) o, generate_series(1, $1)`,
      [MAX_ENDED + 5],
    );
    const before = (await shop.get<{ id: number }[]>('/v1/backtests?perPage=100')).map(({ id }) => id);
    const { id } = await calls.start(`/v1/programs/${program}/backtest`, [doubled]);
    await calls.ended(id);
    const kept = (await shop.get<{ id: number }[]>('/v1/backtests?perPage=100')).map((each) => each.id);
    assert.deepEqual(kept, [id, ...before.slice(0, MAX_ENDED - 1)]);
  });

  it('viewers can read backtests but not start or cancel them, and other organizations can’t access them', async () => {
    const { id } = await calls.start(`/v1/programs/${program}/backtest`, [doubled]);
    await calls.ended(id);
    const viewer = await makePerson(service, 'viewer', `viewer-${organizations}@mugs.example`, key);
    const manager = await makePerson(service, 'manager', `manager-${organizations}@mugs.example`, key);
    const body = { ...THESE_YEARS, drafts: [doubled] };
    const path = `/v1/programs/${program}/backtest`;
    assert.equal((await viewer.call('GET', `/v1/backtests/${id}`)).status, 200);
    assert.equal((await viewer.call('GET', '/v1/backtests')).status, 200);
    assert.equal((await viewer.call('GET', `/v1/backtests/${id}/export`)).status, 200);
    assert.equal(problemCode(await viewer.call('POST', path, body)), 'scope-required');
    assert.equal(problemCode(await viewer.call('POST', '/v1/backtests', body)), 'scope-required');
    assert.equal(problemCode(await viewer.call('POST', `/v1/backtests/${id}/cancel`, {})), 'scope-required');
    const started = await manager.must<Backtest>('POST', path, body);
    await calls.ended(started.id);
    const other = await service.foundOrganization(`Other ${organizations}`);
    assert.equal(problemCode(await send('GET', `/v1/backtests/${id}`, undefined, other)), 'not-found');
    assert.equal(problemCode(await send('GET', `/v1/backtests/${id}/export`, undefined, other)), 'not-found');
    assert.equal(problemCode(await send('POST', `/v1/backtests/${id}/cancel`, {}, other)), 'not-found');
    assert.equal(problemCode(await send('POST', path, body, other)), 'not-found');
    assert.deepEqual((await send('GET', '/v1/backtests', undefined, other)).body, []);
  });

  it('are deleted when a collaborator whose name is in an explanation is erased, and otherwise show present names', async () => {
    await sellTwice();
    const named = await calls.start(`/v1/programs/${program}/backtest`, [doubled]);
    await calls.ended(named.id);
    // Without differences, there are no texts with names.
    const unnamed = await calls.start(`/v1/programs/${program}/backtest`, [{ terms: {} }]);
    await calls.ended(unnamed.id);
    const { drafts } = await calls.get(unnamed.id);
    const anna = drafts[0]?.result?.collaborators.find(({ collaboratorName }) => collaboratorName === 'anna');
    assert.equal((await shop.reject('o-1')).status, 200);
    const erased = await send('POST', '/v1/collaborators/erase', { collaboratorId: anna?.collaboratorId });
    assert.equal(erased.status, 200, erased.text);
    assert.equal(problemCode(await send('GET', `/v1/backtests/${named.id}`)), 'not-found');
    const after = await send('GET', `/v1/backtests/${unnamed.id}`);
    assert.equal(after.status, 200);
    assert.doesNotMatch(after.text, /anna/);
  });
});

describe('backtests behind a pooler in transaction mode', () => {
  it('are refused with the reason', async () => {
    const service = await startService({ DATABASE_POOLER: 'transaction' });
    try {
      const shop = openShop(service);
      const program = await shop.program();
      for (const path of [`/v1/programs/${program}/backtest`, '/v1/backtests']) {
        const terms = { name: 'Friends', reward: percent(20) };
        const reply = await service.request('POST', path, {
          key: service.secretKey,
          body: { ...THESE_YEARS, drafts: [{ terms }] },
        });
        assert.equal(problemCode(reply), 'backtests-unavailable');
        assert.match(reply.text, /connect the service to PostgreSQL directly, without DATABASE_POOLER=transaction/);
      }
    } finally {
      await service.stop();
    }
  });
});
