import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { MAX_BACKTEST_DAYS, MAX_DRAFTS, MAX_ENROLLED, MAX_UNFINISHED } from '#backtest/domain/backtest-run.ts';
import { BACKTEST_COLUMNS } from '#backtest/domain/backtest-rows.ts';
import { readCsv } from '#test/support/csv.ts';
import { faultCodes, problemCode } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { type Backtest, type Calls, fingerprint, openCalls, THESE_YEARS } from './started.ts';

const percent = (value: number) => ({ type: 'percent', percent: value });
const doubled = { terms: { reward: percent(20) } };

describe('the calls of backtests', () => {
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
    key = await service.foundOrganization(`Calls ${(organizations += 1)}`);
    shop = openShop({ ...service, secretKey: key });
    calls = openCalls(service.request, key);
    program = await shop.program({ name: 'Friends' });
  });

  const send = (method: string, path: string, body?: unknown, by = key): Promise<Reply> =>
    service.request(method, path, { key: by, ...(body === undefined ? {} : { body }) });
  const backtest = (drafts: readonly object[], more: object = {}): Promise<Reply> =>
    send('POST', `/v1/programs/${program}/backtest`, { ...THESE_YEARS, drafts, ...more });

  async function sellTwice(): Promise<void> {
    await shop.collaborator('anna');
    await shop.collaborator('ben');
    await shop.sell('o-1', await shop.visit('anna'));
    await shop.sell('o-2', await shop.visit('ben'), { total: 50 });
    await service.settled();
  }

  /** Runs `work` while a running backtest waits before it copies anything. */
  async function whileBlocked<Result>(work: () => Promise<Result>): Promise<Result> {
    const connection = await service.database.connect();
    try {
      await connection.query('begin');
      await connection.query('lock table visits in access exclusive mode');
      return await work();
    } finally {
      await connection.query('rollback');
      connection.release();
    }
  }

  it('compare two drafts with the books by total, collaborator, month and line, explain differences, and change no books', async () => {
    await sellTwice();
    const before = await fingerprint(service.database);
    const queued = await calls.start(`/v1/programs/${program}/backtest`, [
      { ...doubled, name: 'Double' },
      { terms: { capPerOrder: 300 } },
    ]);
    assert.deepEqual([queued.status, queued.progress, queued.decided], ['queued', 0, null]);
    assert.deepEqual([queued.programId, queued.programVersion], [program, 1]);
    const ended = await calls.ended(queued.id);
    assert.deepEqual([ended.status, ended.progress, ended.failure], ['succeeded', 100, null]);
    assert.deepEqual([ended.decided, ended.leftOut], [2, 0]);
    assert.deepEqual(
      ended.drafts.map(({ name, result }) => [name, result?.totals]),
      [
        ['Double', [{ ...TOTAL, drafted: 3000, draftedPercent: 20, gaining: 2, losing: 0 }]],
        ['Draft 2', [{ ...TOTAL, drafted: 600, draftedPercent: 4, gaining: 0, losing: 2 }]],
      ],
    );
    const [double] = ended.drafts;
    assert.deepEqual(
      double?.result?.collaborators.map((row) => [row.collaboratorName, row.recorded, row.drafted]),
      [
        ['anna', 1000, 2000],
        ['ben', 500, 1000],
      ],
    );
    assert.equal(double?.result?.months.length, 1);
    assert.deepEqual(double?.result?.lines, [
      { name: 'Order', type: 'product', currency: 'USD', recorded: 1500, drafted: 3000 },
    ]);
    assert.deepEqual(
      double?.result?.differences.map(({ externalId }) => externalId),
      ['o-1', 'o-2'],
    );
    assert.match(double?.result?.differences[0]?.recordedText ?? '', /10% of 100\.00 USD/);
    assert.match(double?.result?.differences[0]?.draftedText ?? '', /20% of 100\.00 USD/);
    assert.deepEqual(await fingerprint(service.database), before);
  });

  const TOTAL = {
    currency: 'USD',
    recorded: 1500,
    revenue: 15_000,
    recordedPercent: 10,
    changingHands: 0,
  };

  it('list and export a sale that changes hands, with the names of its recorded and drafted earners', async () => {
    await shop.collaborator('anna');
    await shop.collaborator('ben');
    const visitor = await shop.visit('anna');
    await shop.sell('h-1', await shop.visit('ben', { oid: visitor }));
    await service.settled();
    const { id } = await calls.start(`/v1/programs/${program}/backtest`, [{ terms: { attribution: 'first-touch' } }]);
    const { drafts } = await calls.ended(id);
    assert.deepEqual(
      drafts[0]?.result?.changedHands.map(({ externalId, recordedEarners, draftedEarners }) => [
        externalId,
        recordedEarners.map(({ collaboratorName }) => collaboratorName),
        draftedEarners.map(({ collaboratorName }) => collaboratorName),
      ]),
      [['h-1', ['ben'], ['anna']]],
    );
    const rows = readCsv(await file(id));
    const hands = rows.find(([, table]) => table === 'changed-hands');
    assert.deepEqual([hands?.[3], hands?.[9], hands?.[10]], ['h-1', 'ben', 'anna']);
  });

  const file = async (id: number): Promise<string> => {
    const reply = await send('GET', `/v1/backtests/${id}/export`);
    assert.equal(reply.status, 200, reply.text);
    assert.match(reply.headers.get('content-disposition') ?? '', new RegExp(`filename="backtest-${id}\\.csv"`));
    return reply.text;
  };

  it('export all tables as CSV, with amounts in major units', async () => {
    await sellTwice();
    const { id } = await calls.start(`/v1/programs/${program}/backtest`, [{ ...doubled, name: 'Double' }]);
    await calls.ended(id);
    const [columns, ...rows] = readCsv(await file(id));
    assert.deepEqual(columns, [...BACKTEST_COLUMNS]);
    assert.deepEqual(
      rows.map(([draft, table, , name, currency, ...amounts]) => [
        draft,
        table,
        name,
        currency,
        ...amounts.slice(0, 4),
      ]),
      [
        ['Double', 'total', '', 'USD', '150.00', '15.00', '30.00', '15.00'],
        ['Double', 'collaborator', 'anna', 'USD', '', '10.00', '20.00', '10.00'],
        ['Double', 'collaborator', 'ben', 'USD', '', '5.00', '10.00', '5.00'],
        ['Double', 'month', '', 'USD', '150.00', '15.00', '30.00', '15.00'],
        ['Double', 'line', 'Order', 'USD', '', '15.00', '30.00', '15.00'],
        ['Double', 'difference', 'o-1', 'USD', '', '10.00', '20.00', '10.00'],
        ['Double', 'difference', 'o-2', 'USD', '', '5.00', '10.00', '5.00'],
      ],
    );
  });

  it('refuse to export a backtest without a result', async () => {
    const { id } = await whileBlocked(async () => {
      const queued = await calls.start(`/v1/programs/${program}/backtest`, [doubled]);
      assert.equal(problemCode(await send('GET', `/v1/backtests/${queued.id}/export`)), 'invalid-transition');
      return queued;
    });
    await calls.ended(id);
    assert.equal(problemCode(await send('GET', '/v1/backtests/4711/export')), 'not-found');
  });

  it('return the terms of a draft in a form that PATCH and POST of programs accept', async () => {
    const { id: group } = (await send('POST', '/v1/program-groups', { name: 'G', rule: 'newest', programIds: [] }))
      .body as { id: number };
    const anna = await shop.collaborator('anna');
    const terms = {
      name: 'Best friends',
      description: 'Twenty percent',
      reward: percent(12.5),
      windowDays: 60,
      attribution: 'linear',
      pays: ['sale', 'renewal'],
      approveAfterDays: 14,
      groupId: group,
      tiers: { period: 'month', by: 'sum', steps: [{ from: 10_000, reward: percent(15) }] },
      capPerOrder: 5000,
      capPerPeriod: { period: 'year', amount: 90_000 },
      lineFilter: { include: [{ name: 'Tea*' }], exclude: [{ externalId: 'gift' }, { type: 'shipping' }] },
      minimumOrder: 100,
      collaboratorRewards: [{ collaboratorId: anna, reward: percent(30) }],
      renewals: { months: 12, times: 6 },
      renewalRewards: [{ afterMonths: 6, reward: { type: 'per-sale', amount: 200 } }],
      holds: { selfReferral: true },
    };
    const reply = await backtest([{ terms: { ...terms, holds: undefined } }]);
    assert.equal(reply.status, 201, reply.text);
    const [draft] = (reply.body as Backtest).drafts;
    const changed = await send('PATCH', `/v1/programs/${program}`, draft?.terms);
    assert.equal(changed.status, 200, changed.text);
    const live = changed.body as Record<string, unknown>;
    assert.equal(live['version'], 2);
    for (const [name, value] of Object.entries(draft?.terms ?? {})) assert.deepEqual(live[name], value, name);
    for (const [name, value] of Object.entries({ ...terms, holds: null })) assert.deepEqual(live[name], value, name);
    // The same terms create a program.
    const created = await send('POST', '/v1/programs', draft?.terms);
    assert.equal(created.status, 201, created.text);
    await calls.ended((reply.body as Backtest).id);
  });

  it('decide a draft of an inactive program as active by default, and a draft with the status inactive as paying nothing', async () => {
    await sellTwice();
    await shop.change(`/v1/programs/${program}`, { status: 'inactive' });
    const { id } = await calls.start(`/v1/programs/${program}/backtest`, [
      { terms: {} },
      { terms: { status: 'inactive' } },
    ]);
    const { drafts } = await calls.ended(id);
    assert.deepEqual(
      drafts.map(({ terms, result }) => [terms['status'], result?.totals[0]?.drafted]),
      [
        ['active', 1500],
        ['inactive', 0],
      ],
    );
  });

  it('decide drafts of a new program in addition to the existing programs, with the enrolled collaborators', async () => {
    await sellTwice();
    const [{ id: anna } = { id: 0 }] =
      (await shop.get<{ id: number; name: string }[]>('/v1/collaborators?sort=id')) ?? [];
    const terms = { name: 'New', reward: percent(5), enrollment: 'selected' };
    const queued = await calls.start('/v1/backtests', [{ terms, collaboratorIds: [anna] }, { terms }]);
    assert.deepEqual([queued.programId, queued.programVersion], [null, null]);
    const { drafts } = await calls.ended(queued.id);
    assert.deepEqual(
      drafts.map(({ collaboratorIds, result }) => [collaboratorIds, result?.totals[0]?.drafted]),
      [
        [[anna], 2000],
        [null, 1500],
      ],
    );
    assert.equal((await shop.get<unknown[]>('/v1/programs')).length, 1);
  });

  it('refuse faulty terms, unknown references, an empty or too long period, and too many drafts', async () => {
    const faults = async (drafts: readonly object[], more: object = {}) => faultCodes(await backtest(drafts, more));
    assert.deepEqual(await faults([{ terms: {} }, { terms: { pays: ['lead'], groupId: 4711 } }]), {
      '/drafts/1/terms/pays': 'conflicting',
      '/drafts/1/terms/groupId': 'unknown-group',
    });
    assert.deepEqual(await faults([{ terms: {}, collaboratorIds: [4711] }]), {
      '/drafts/0/collaboratorIds/0': 'unknown-collaborator',
    });
    assert.deepEqual(await faults([{ terms: {} }], { from: '2026-01-01', until: '2026-01-01' }), {
      '/until': 'out-of-range',
    });
    const tooLong = new Date(Date.parse('2023-01-01') + (MAX_BACKTEST_DAYS + 1) * 86_400_000)
      .toISOString()
      .slice(0, 10);
    assert.deepEqual(await faults([{ terms: {} }], { from: '2023-01-01', until: tooLong }), {
      '/until': 'out-of-range',
    });
    for (const [from, until, path] of [
      ['1000-01-01', '1000-02-01', '/from'],
      ['2199-12-31', '9000-02-01', '/until'],
    ] as const)
      assert.deepEqual(await faults([{ terms: {} }], { from, until }), { [path]: 'out-of-range' });
    assert.deepEqual(await faults(Array.from({ length: MAX_DRAFTS + 1 }, () => doubled)), { '/drafts': 'too-many' });
    const many = Array.from({ length: MAX_ENROLLED + 1 }, (_, n) => n + 1);
    assert.deepEqual(await faults([{ terms: {}, collaboratorIds: many }]), { '/drafts/0/collaboratorIds': 'too-many' });
    assert.deepEqual(await faults([]), { '/drafts': 'too-few' });
    assert.equal(
      problemCode(await send('POST', '/v1/programs/4711/backtest', { ...THESE_YEARS, drafts: [doubled] })),
      'not-found',
    );
    await send('DELETE', `/v1/programs/${program}`);
    assert.equal(problemCode(await backtest([doubled])), 'invalid-transition');
    assert.deepEqual(await shop.get('/v1/backtests'), []);
  });

  it('allow at most three unfinished backtests, and start one backtest for a request that is repeated with its idempotency key', async () => {
    const started = await whileBlocked(async () => {
      const ids: number[] = [];
      for (let n = 0; n < MAX_UNFINISHED; n += 1) {
        ids.push((await calls.start(`/v1/programs/${program}/backtest`, [doubled])).id);
      }
      assert.equal(problemCode(await backtest([doubled])), 'too-many-backtests');
      assert.equal((await send('POST', `/v1/backtests/${ids.at(-1)}/cancel`, {})).status, 200);
      const headers = { 'idempotency-key': 'once' };
      const body = { ...THESE_YEARS, drafts: [doubled] };
      const path = `/v1/programs/${program}/backtest`;
      const first = await service.request('POST', path, { key, body, headers });
      const repeated = await service.request('POST', path, { key, body, headers });
      assert.equal(first.status, 201, first.text);
      assert.deepEqual(repeated.body, first.body);
      return [...ids, (first.body as Backtest).id];
    });
    const ended = await Promise.all(started.map((id) => calls.ended(id)));
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['succeeded', 'succeeded', 'canceled', 'succeeded'],
    );
    const listed = await shop.get<{ id: number; draftNames: string[] }[]>(
      `/v1/backtests?status=succeeded&programId=${program}`,
    );
    assert.deepEqual(
      listed.map(({ id, draftNames }) => [id, draftNames]),
      [started[3], started[1], started[0]].map((id) => [id, ['Draft 1']]),
    );
  });

  it('cancel a queued and a running backtest, change nothing when repeated, and refuse to cancel a backtest that succeeded', async () => {
    await sellTwice();
    const canceled = await whileBlocked(async () => {
      const running = await calls.start(`/v1/programs/${program}/backtest`, [doubled]);
      const queued = await calls.start(`/v1/programs/${program}/backtest`, [doubled]);
      await calls.until(running.id, ({ status }) => status === 'running');
      for (const { id } of [running, queued, running]) {
        const reply = await send('POST', `/v1/backtests/${id}/cancel`, {});
        assert.equal(reply.status, 200, reply.text);
        assert.equal((reply.body as Backtest).status, 'canceled');
      }
      return [running.id, queued.id];
    });
    // The next backtest can only run once the canceled one has stopped.
    const next = await calls.ended((await calls.start(`/v1/programs/${program}/backtest`, [doubled])).id);
    assert.equal(next.status, 'succeeded');
    for (const id of canceled) assert.equal((await calls.get(id)).status, 'canceled');
    assert.equal(problemCode(await send('POST', `/v1/backtests/${next.id}/cancel`, {})), 'invalid-transition');
    assert.equal(problemCode(await send('POST', '/v1/backtests/4711/cancel', {})), 'not-found');
  });
});
