import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOLDS_OFF, HOLDS_ON } from '#test/support/plain-terms.ts';
import { countVersions, faultCodes } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import type { OrganizationId } from '#core/ids.ts';
import { inTransaction } from '#platform/postgres/database.ts';
import { lockDecisionOrder } from '#programs/store/decision-order.ts';

type Program = { id: number; version: number; [field: string]: unknown };
const TEN_PERCENT = { type: 'percent', percent: 10 };
const PER_LEAD = { type: 'per-lead', amount: 2500 };
const TIERS = {
  period: 'month',
  by: 'sum',
  steps: [
    { from: 1, reward: { type: 'percent', percent: 12.5 } },
    { from: 9007199254740991, reward: { type: 'per-product', amount: 700 } },
  ],
};

/** SQL that finds waiting advisory locks of this database only. Other tests have databases on the same server. */
const WAITING = `select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

describe('a program’s terms', () => {
  let service: TestService;
  let [ada, bo, groupId] = [0, 0, 0];
  before(async () => {
    service = await startService();
    ada = await make('/v1/collaborators', { name: 'Ada' });
    bo = await make('/v1/collaborators', { name: 'Bo' });
    groupId = await make('/v1/program-groups', { name: 'One of them', rule: 'newest', programIds: [] });
    await make('/v1/custom-events', { slug: 'quiz-done', name: 'Finished the quiz' });
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { key: service.secretKey, body });
  const make = async (path: string, body: object): Promise<number> => {
    const reply = await call('POST', path, body);
    assert.equal(reply.status, 201, reply.text);
    return (reply.body as { id: number }).id;
  };
  const post = (terms: object) => call('POST', '/v1/programs', { name: 'P', reward: TEN_PERCENT, ...terms });
  const create = async (terms: object = {}): Promise<Program> => {
    const reply = await post(terms);
    assert.equal(reply.status, 201, reply.text);
    return reply.body as Program;
  };
  const patch = async (id: number, body: object): Promise<Program> => {
    const reply = await call('PATCH', `/v1/programs/${id}`, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Program;
  };
  const refused = (reply: Reply, faults: Record<string, string>, message?: string) =>
    assert.deepEqual([reply.status, reply.status === 422 && faultCodes(reply)], [422, faults], message);
  const every = () => ({
    triggers: { 'site-visit': 1, 'coupon-applied': 1_000_000, 'quiz-done': 5 },
    pays: ['sale', 'renewal'],
    groupId,
    tiers: TIERS,
    capPerOrder: 5_000,
    capPerPeriod: { period: 'quarter', amount: 9007199254740991 },
    lineFilter: {
      include: [{ externalId: 'sku-7' }, { name: 'Gift*' }],
      exclude: [{ type: 'fee' }],
    },
    minimumOrder: 2_000,
    collaboratorRewards: [
      { collaboratorId: ada, reward: { type: 'percent', percent: 20 } },
      { collaboratorId: bo, reward: { type: 'per-sale', amount: 900 } },
    ],
    renewals: { months: 12, times: 3 },
    renewalRewards: [
      { afterMonths: 0, reward: { type: 'percent', percent: 5 } },
      { afterMonths: 1_200, reward: { type: 'per-sale', amount: 100 } },
    ],
    holds: HOLDS_ON,
  });
  const shown = (program: Program, of: object) =>
    Object.fromEntries(Object.keys(of).map((name) => [name, program[name]]));

  it('are returned as they were submitted', async () => {
    const made = await create(every());
    assert.deepEqual(shown(made, every()), every());
    const { body } = await call('GET', `/v1/programs/${made.id}`);
    assert.deepEqual(body, made);
  });

  it('are shown in every version as they were at the time', async () => {
    const { id } = await create(every());
    await patch(id, { tiers: null, capPerOrder: 1 });
    const versions = (await call('GET', `/v1/programs/${id}/versions`)).body as Program[];
    assert.deepEqual(
      versions.map((version) => shown(version, every())),
      [{ ...every(), tiers: null, capPerOrder: 1 }, every()],
    );
  });

  it('treat null as absent in a new program', async () => {
    const none = Object.fromEntries(Object.keys(every()).map((name) => [name, null]));
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...made } = await create(none);
    const { id: _otherId, createdAt: _otherCreatedAt, updatedAt: _otherUpdatedAt, ...plain } = await create();
    assert.deepEqual(made, plain);
  });

  it('stay unchanged when an edit changes another field', async () => {
    const { id } = await create(every());
    const changed = await patch(id, { windowDays: 60 });
    assert.deepEqual([changed.version, shown(changed, every())], [2, every()]);
    const expected: Record<string, unknown> = every();
    for (const [field, value] of [
      ['tiers', { period: 'lifetime', by: 'count', steps: [{ from: 10, reward: TEN_PERCENT }] }],
      ['capPerOrder', 77],
      ['capPerPeriod', { period: 'day', amount: 88 }],
      ['lineFilter', { include: [], exclude: [{ name: '?' }] }],
      ['minimumOrder', 1],
      ['collaboratorRewards', [{ collaboratorId: bo, reward: TEN_PERCENT }]],
      ['renewals', { months: null, times: 2 }],
      ['renewalRewards', [{ afterMonths: 12, reward: TEN_PERCENT }]],
      ['triggers', { 'coupon-applied': 2 }],
      ['holds', { ...HOLDS_OFF, ownCoupon: true }],
    ] as const) {
      expected[field] = value;
      assert.deepEqual(shown(await patch(id, { [field]: value }), every()), expected, field);
    }
  });

  it('are removed by null if they are optional', async () => {
    const { id } = await create(every());
    const { triggers: _triggers, pays: _pays, ...optional } = every();
    const expected: Record<string, unknown> = optional;
    for (const field of Object.keys(optional)) {
      expected[field] = field === 'collaboratorRewards' || field === 'renewalRewards' ? [] : null;
      assert.deepEqual(shown(await patch(id, { [field]: null }), optional), expected, field);
    }
  });

  it('create no version if an edit repeats the current terms', async () => {
    const { id } = await create(every());
    const versions = await countVersions(service);
    const { collaboratorRewards, ...rest } = every();
    const again = await patch(id, { ...rest, collaboratorRewards: collaboratorRewards.toReversed() });
    assert.deepEqual([again.version, await countVersions(service)], [1, versions]);
  });

  it('list collaborator rewards sorted by collaborator id', async () => {
    const made = await create({ collaboratorRewards: every().collaboratorRewards.toReversed() });
    assert.deepEqual(made['collaboratorRewards'], every().collaboratorRewards);
  });

  it('omit a line filter that accepts every line', async () => {
    const { id, lineFilter } = await create({ lineFilter: {} });
    assert.equal(lineFilter, null);
    await patch(id, { lineFilter: every().lineFilter });
    assert.equal((await patch(id, { lineFilter: { include: [], exclude: null } }))['lineFilter'], null);
  });

  it('store null for fraud review if every fraud signal is off', async () => {
    const { id, holds } = await create({ holds: { ownCoupon: false } });
    assert.equal(holds, null);
    assert.notEqual((await patch(id, { holds: { ownCoupon: true } }))['holds'], null);
    assert.equal((await patch(id, { holds: {} }))['holds'], null);
  });

  it('are refused in one response that lists every invalid field', async () => {
    refused(
      await post({
        triggers: { 'site-visit': 0, 'coupon-applied': 1_000_001 },
        groupId: 'x',
        tiers: { period: 'hour', steps: [{ from: 0, reward: { type: 'per-sale' } }, {}] },
        capPerOrder: 0,
        capPerPeriod: { period: 'day' },
        lineFilter: { include: [{}, { name: '*', type: 'fee' }, { type: 'gift' }], exclude: 'fee' },
        minimumOrder: 1.5,
        collaboratorRewards: [{ collaboratorId: 0, reward: TEN_PERCENT }, 5],
        renewals: { months: 0 },
        renewalRewards: [{ afterMonths: -1, reward: TEN_PERCENT }, { afterMonths: 1_201 }],
        holds: { visitsFromAddress: 0, ownCoupon: 1, secondsToSale: 86_401, adReferrers: ['*'] },
      }),
      {
        '/triggers/site-visit': 'out-of-range',
        '/triggers/coupon-applied': 'out-of-range',
        '/groupId': 'invalid-format',
        '/tiers/period': 'unknown-value',
        '/tiers/by': 'required',
        '/tiers/steps/0/from': 'out-of-range',
        '/tiers/steps/0/reward/amount': 'required',
        '/tiers/steps/1/from': 'required',
        '/tiers/steps/1/reward': 'required',
        '/capPerOrder': 'out-of-range',
        '/capPerPeriod/amount': 'required',
        '/lineFilter/include/0': 'too-few',
        '/lineFilter/include/1': 'too-many',
        '/lineFilter/include/2/type': 'unknown-value',
        '/lineFilter/exclude': 'wrong-type',
        '/minimumOrder': 'wrong-type',
        '/collaboratorRewards/0/collaboratorId': 'out-of-range',
        '/collaboratorRewards/1': 'wrong-type',
        '/renewals/months': 'out-of-range',
        '/renewalRewards/0/afterMonths': 'out-of-range',
        '/renewalRewards/1/afterMonths': 'out-of-range',
        '/renewalRewards/1/reward': 'required',
        '/holds/visitsFromAddress': 'out-of-range',
        '/holds/ownCoupon': 'wrong-type',
        '/holds/secondsToSale': 'out-of-range',
        '/holds/adReferrers/0': 'invalid-format',
      },
    );
    for (const [body, faults] of [
      [{ renewals: {} }, { '/renewals': 'too-few' }],
      [{ holds: true }, { '/holds': 'wrong-type' }],
      [{ triggers: 5 }, { '/triggers': 'wrong-type' }],
      [
        { triggers: { 'Not-a-slug': 1, '/': 1 } },
        { '/triggers/Not-a-slug': 'unknown-trigger', '/triggers/~1': 'unknown-trigger' },
      ],
      [{ triggers: { 'a\u0000': 1 } }, { '/triggers/a\u0000': 'unknown-trigger' }],
    ] as const) {
      refused(await post(body), faults);
    }
  });

  it('have a maximum number of tiers, filters, collaborator rewards and triggers', async () => {
    const many = <Each>(count: number, each: (index: number) => Each) =>
      Array.from({ length: count }, (_, at) => each(at));
    const step = (index: number) => ({ from: index + 1, reward: TEN_PERCENT });
    const line = () => ({ type: 'fee' });
    const own = () => ({ collaboratorId: ada, reward: TEN_PERCENT });
    const aged = (index: number) => ({ afterMonths: index, reward: TEN_PERCENT });
    const trigger = (index: number) => [`t${index}`, 1] as const;
    refused(await post({ tiers: { ...TIERS, steps: [] } }), { '/tiers/steps': 'too-few' });
    refused(await post({ tiers: { ...TIERS, steps: many(21, step) } }), { '/tiers/steps': 'too-many' });
    refused(await post({ lineFilter: { include: many(101, line) } }), { '/lineFilter/include': 'too-many' });
    refused(await post({ collaboratorRewards: many(1_001, own) }), { '/collaboratorRewards': 'too-many' });
    refused(await post({ renewalRewards: many(21, aged) }), { '/renewalRewards': 'too-many' });
    refused(await post({ triggers: Object.fromEntries(many(101, trigger)) }), { '/triggers': 'too-many' });
    await create({ tiers: { ...TIERS, steps: many(20, step) }, lineFilter: { exclude: many(100, line) } });
  });

  it('are refused if the programs of an organization would have more than 20,000 custom rates together', async () => {
    const collaboratorRewards = [{ collaboratorId: ada, reward: TEN_PERCENT }];
    const { id } = await create({ collaboratorRewards });
    const setRewards = (count: number) =>
      service.database.query(
        `update program_versions set collaborator_rewards = (select jsonb_agg(v.collaborator_rewards -> 0)
           from program_versions v, generate_series(1, $2) where v.program_id = $1) where program_id = $1`,
        [id, count],
      );
    await setRewards(20_000);
    refused(await post({ collaboratorRewards }), { '/collaboratorRewards': 'too-many' });
    await setRewards(1);
    await create({ collaboratorRewards });
  });

  it('have a maximum length of all patterns of a line filter together', async () => {
    const patterns = Array.from({ length: 100 }, (_, at) => ({ name: `*abc${String(at).padStart(2, '0')}` }));
    const exact = { name: 'x'.repeat(255) };
    const longest = {
      include: [...patterns.slice(1), exact],
      exclude: [{ name: `*${'É'.repeat(405)}`.slice(0, 255) }],
    };
    const rest = (length: number) => ({ name: `*${'y'.repeat(length - 1)}` });
    const filter = (length: number) => ({ ...longest, exclude: [...longest.exclude, rest(length)] });
    await create({ lineFilter: filter(151) });
    refused(await post({ lineFilter: filter(152) }), { '/lineFilter': 'too-long' });
    // U+FB2C is one character in a request, and three after NFC normalization.
    const expanding = Array.from({ length: 2 }, () => ({ name: `*${'\ufb2c'.repeat(254)}` }));
    refused(await post({ lineFilter: { exclude: expanding } }), { '/lineFilter': 'too-long' });
  });

  it('have a maximum length of all patterns of an organization’s line filters together', async () => {
    const long = { exclude: [{ name: `*${'z'.repeat(249)}` }] };
    const found: number[] = [];
    let last = await post({ lineFilter: long });
    for (; last.status === 201; last = await post({ lineFilter: long })) found.push((last.body as Program).id);
    refused(last, { '/lineFilter': 'too-long' });
    assert.match(last.text, /At most 2000 characters .* are left/);
    const [first = 0] = found;
    // If a program's patterns are replaced, its old patterns don't count toward the limit.
    await patch(first, { lineFilter: { exclude: [{ name: `*${'y'.repeat(249)}` }] } });
    refused(
      await call('PATCH', `/v1/programs/${first}`, { lineFilter: { exclude: [...long.exclude, ...long.exclude] } }),
      {
        '/lineFilter': 'too-long',
      },
    );
    await call('DELETE', `/v1/programs/${first}`);
    found.push((await create({ lineFilter: long })).id);
    for (const id of found.slice(1)) await call('DELETE', `/v1/programs/${id}`);
  });

  it('are refused in one response that lists every conflict and unknown reference', async () => {
    const gone = await make('/v1/collaborators', { name: 'Cy' });
    await call('DELETE', `/v1/collaborators/${gone}`);
    const deletedGroup = await make('/v1/program-groups', { name: 'Gone', rule: 'oldest', programIds: [] });
    await call('DELETE', `/v1/program-groups/${deletedGroup}`);
    const faulty = {
      pays: ['sale', 'lead'],
      tiers: {
        ...TIERS,
        steps: [
          { from: 5, reward: TEN_PERCENT },
          { from: 5, reward: PER_LEAD },
        ],
      },
      collaboratorRewards: [bo, gone, ada, bo].map((collaboratorId) => ({ collaboratorId, reward: TEN_PERCENT })),
      renewals: { times: 1 },
      renewalRewards: [1, 1].map((afterMonths) => ({ afterMonths, reward: TEN_PERCENT })),
      autoApprove: true,
      approveAfterDays: 3,
      groupId: deletedGroup,
      triggers: { 'site-visit': 1, signup: 1 },
    };
    const faults = {
      '/pays': 'conflicting',
      '/tiers/steps/1/reward/type': 'conflicting',
      '/tiers/steps/1/from': 'not-rising',
      '/collaboratorRewards/3/collaboratorId': 'duplicate',
      '/collaboratorRewards/1/collaboratorId': 'unknown-collaborator',
      '/renewals': 'conflicting',
      '/renewalRewards': 'conflicting',
      '/renewalRewards/1/afterMonths': 'not-rising',
      '/approveAfterDays': 'conflicting',
      '/groupId': 'unknown-group',
      '/triggers/signup': 'unknown-trigger',
    };
    const versions = await countVersions(service);
    refused(await post(faulty), faults);
    const { id } = await create();
    refused(await call('PATCH', `/v1/programs/${id}`, faulty), faults);
    assert.equal(await countVersions(service), versions + 1);
  });

  it('refuse another organization’s group, trigger or collaborator as unknown', async () => {
    const key = await service.foundOrganization('Other');
    const body = {
      name: 'P',
      reward: TEN_PERCENT,
      groupId,
      triggers: { 'quiz-done': 1 },
      collaboratorRewards: every().collaboratorRewards,
    };
    refused(await service.request('POST', '/v1/programs', { key, body }), {
      '/groupId': 'unknown-group',
      '/triggers/quiz-done': 'unknown-trigger',
      '/collaboratorRewards/0/collaboratorId': 'unknown-collaborator',
      '/collaboratorRewards/1/collaboratorId': 'unknown-collaborator',
    });
  });

  it('pay leads by default if the reward is per lead, and sales otherwise', async () => {
    assert.deepEqual((await create({ reward: PER_LEAD }))['pays'], ['lead']);
    assert.deepEqual((await create())['pays'], ['sale']);
    refused(await post({ reward: PER_LEAD, pays: ['sale'] }), { '/pays': 'conflicting' });
  });

  it('are validated in full after an edit, including the unchanged fields', async () => {
    const { id } = await create({ pays: ['sale', 'renewal'], renewals: { months: 6 }, tiers: TIERS });
    refused(await call('PATCH', `/v1/programs/${id}`, { pays: ['sale'] }), { '/renewals': 'conflicting' });
    refused(await call('PATCH', `/v1/programs/${id}`, { reward: PER_LEAD }), {
      '/pays': 'conflicting',
      '/tiers/steps/0/reward/type': 'conflicting',
      '/tiers/steps/1/reward/type': 'conflicting',
    });
    const leads = await patch(id, { reward: PER_LEAD, pays: ['lead'], tiers: null, renewals: null });
    assert.deepEqual([leads.version, leads['reward'], leads['pays']], [2, PER_LEAD, ['lead']]);
  });

  it('prevent editing but not deleting the program if they break a newer rule', async () => {
    const { id } = await create();
    await service.database.query(`update program_versions set pays = '{lead}' where program_id = $1`, [id]);
    refused(await call('PATCH', `/v1/programs/${id}`, { name: 'Q' }), { '/pays': 'conflicting' });
    assert.equal((await call('DELETE', `/v1/programs/${id}`)).status, 200);
  });

  it('are saved after the decisions in progress if they newly depend on earlier decisions, and otherwise at once', async () => {
    const { database } = service;
    const { rows } = await database.query<{ id: OrganizationId }>('select min(id) as id from organizations');
    const organizationId = (rows[0] as { id: OrganizationId }).id;
    const plain = await create();
    const waiting = await inTransaction(database, async (connection) => {
      await lockDecisionOrder({ connection, organizationId });
      await create({ capPerOrder: 5 });
      await patch(plain.id, { capPerOrder: 5 });
      const creation = create({ creditsPer: 'opportunity' });
      const isWaiting = async () => (await database.query(WAITING)).rowCount === 1;
      while (!(await isWaiting()));
      return { creation };
    });
    const ordered = await waiting.creation;
    assert.equal(ordered.version, 1);
    await inTransaction(database, async (connection) => {
      await lockDecisionOrder({ connection, organizationId });
      // An edit doesn't wait for decisions in progress if the program's sales are already decided in order.
      assert.equal((await patch(ordered.id, { tiers: TIERS })).version, 2);
    });
  });
});
