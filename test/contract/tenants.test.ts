import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '#contract/operation.ts';
import { operations } from '#contract/operations.ts';
import { servedDocument } from '#test/support/documented-answers.ts';
import { makePerson } from '#test/support/people.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { type Call as InterfaceCall, interfaceOf, type Schema } from '../../fuzz/interface.ts';

const served = interfaceOf(servedDocument('X-Service'));

type Call = { readonly id: string; readonly method: string; readonly path: string };

const document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
/**
 * Every call that names something by its id: a new one can't be forgotten here. Those that take no key are about who has
 * logged in, and have tests of their own: people's in session.test.ts and passkey.test.ts, collaborators' in portal-pages.test.ts.
 */
const calls: readonly Call[] = Object.entries(document.paths)
  .filter(([path]) => path.includes('{'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
    })),
  )
  .filter(({ id }) => (operations as Readonly<Record<string, Operation>>)[id]?.keys.length !== 0);

/** The id that stands in a path, by what comes before it. */
const NOUNS = /\/(\w[\w-]*)\/\{(\w+)\}/g;

/** What a call with a body needs to get past its fields. */
const BODIES: Readonly<Record<string, object>> = {
  changeCollaborator: { name: 'x' },
  createAlias: { type: 'tracking', code: 'x' },
  changeProgram: { name: 'x' },
  changeProgramGroup: { name: 'x' },
  changeProgramSignUp: { mode: 'open' },
  enrollCollaborator: { collaboratorId: 1 },
  creditTransaction: { collaboratorId: 1, programId: 1, amount: 1 },
  rejectConversion: { reason: 'x' },
  changeApiKey: { label: 'x' },
  changePerson: { name: 'x' },
  rotateApiKey: {},
  reviewPayout: { resolution: 'keep', note: 'x' },
  changeWebhook: { description: 'x' },
  rotateWebhookSecret: {},
  redeliver: { deliveryIds: [1] },
};
const UNKNOWN = 8_999_999;
/** A number that the first organization alone has for one of its users. */
const USER = 4_242;

/** What a field of ids names, where its name does not say so; what is not here and ends in no noun of ours fails. */
const NOUN_OF: Readonly<Record<string, string>> = {
  trackingId: 'opportunities',
  opportunityId: 'opportunities',
  groupId: 'program-groups',
  userId: 'users',
  renewsTransactionId: 'transactions',
};
/**
 * Numbers of the shop’s own, which name nothing of ours: of lines, orders and refunds, the user of somebody who is made, an
 * imagined collaborator.
 */
const OF_THE_SHOP =
  /externalId|saleExternalId|refundId|^(reportVisit|createCollaborator|changeCollaborator) \/userId$|^exampleProgram \/touches/i;

const REWARD = { type: 'percent', percent: 10 };

/** What is asked with an id in a body: all else in it is right. */
const ASKED: Readonly<Record<string, (id: number, own: Readonly<Record<string, number>>) => object>> = {
  'reportVisit /collaboratorId': (id) => ({ collaboratorId: id }),
  'reportSale /trackingId': (id) => ({ source: 's', externalId: 'z', total: 1, trackingId: id }),
  'reportCouponApplied /trackingId': (id) => ({ trackingId: id, code: 'A' }),
  'reportCustomEvent /trackingId': (id) => ({ trackingId: id, event: 'quiz-done' }),
  'reportCustomEvent /collaboratorId': (id, own) => ({
    trackingId: own['opportunities'],
    event: 'quiz-done',
    collaboratorId: id,
  }),
  'reportLead /trackingId': (id) => ({ trackingId: id }),
  'moveCollaborators /ids': (id) => ({ action: 'deactivate', ids: [id] }),
  'createProgram /groupId': (id) => ({ name: 'x', reward: REWARD, groupId: id }),
  'createProgram /collaboratorRewards/collaboratorId': (id) => ({ name: 'x', reward: REWARD, ...rewarding(id) }),
  'exampleProgram /groupId': (id) => ({ name: 'x', reward: REWARD, groupId: id }),
  'exampleProgram /collaboratorRewards/collaboratorId': (id) => ({ name: 'x', reward: REWARD, ...rewarding(id) }),
  'changeProgram /groupId': (id) => ({ groupId: id }),
  'changeProgram /collaboratorRewards/collaboratorId': rewarding,
  'enrollCollaborator /collaboratorId': (id) => ({ collaboratorId: id }),
  'createProgramGroup /programIds': (id) => ({ name: 'x', rule: 'newest', programIds: [id] }),
  'changeProgramGroup /programIds': (id) => ({ programIds: [id] }),
  'creditTransaction /collaboratorId': (id, own) => ({ collaboratorId: id, programId: own['programs'], amount: 1 }),
  'creditTransaction /programId': (id, own) => ({ collaboratorId: own['collaborators'], programId: id, amount: 1 }),
  'reviewConversions /ids': (id) => ({ action: 'approve', ids: [id] }),
  'createFulfillments /obligationIds': (id) => ({ obligationIds: [id] }),
  'previewFulfillments /obligationIds': (id) => ({ obligationIds: [id] }),
  'reviewManyPayouts /ids': (id) => ({ resolution: 'keep', note: 'x', ids: [id] }),
  'reviewManyPayouts /seen/id': (id) => ({ resolution: 'keep', note: 'x', ids: [id], seen: [{ id, reasons: 1 }] }),
  'markPayouts /ids': (id) => ({ action: 'mark-paid', ids: [id] }),
  'exportPayouts /fulfillmentId': (id) => ({ fulfillmentId: id }),
  'redeliver /deliveryIds': (id) => ({ deliveryIds: [id] }),
  'exportVisitor /userId': (id) => ({ userId: id }),
  'eraseVisitor /userId': (id) => ({ userId: id }),
  'eraseCollaborator /collaboratorId': (id) => ({ collaboratorId: id }),
};
/** What figures need beside a filter. */
const QUERIES: Readonly<Record<string, string>> = { getFigures: `&by=total&from=${dayIn(-1)}&until=${dayIn(2)}` };

function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

function rewarding(collaboratorId: number): object {
  return { collaboratorRewards: [{ collaboratorId, reward: REWARD }] };
}

type Field = {
  readonly call: InterfaceCall;
  readonly in: 'body' | 'query';
  readonly name: string;
  readonly at: string;
};

/** Every field of a body and every filter that is an id or a list of them, of the calls that keys can make. */
const FIELDS: readonly Field[] = served.calls
  .filter(({ security }) => security.some((door) => door['secretKey'] !== undefined))
  .flatMap((call): Field[] => [
    ...call.parameters
      .filter(({ in: where }) => where === 'query')
      .map(({ name }): Field => ({ call, in: 'query', name, at: `${call.id} ?${name}` })),
    ...fieldsIn(call.body ?? {}, '').map(([name, at]): Field => ({ call, in: 'body', name, at: `${call.id} ${at}` })),
  ])
  .filter(({ name, at }) => /^ids?$|Ids?$/.test(name) && !OF_THE_SHOP.test(at));

function fieldsIn(given: Schema, at: string): (readonly [name: string, at: string])[] {
  const { anyOf = [], oneOf = [], properties = {}, items = {} } = served.resolve(given);
  const inner = [...anyOf, ...oneOf, ...(Object.keys(items).length > 0 ? [items] : [])];
  return [
    ...inner.flatMap((schema) => fieldsIn(schema, at)),
    ...Object.entries(properties).flatMap(([name, schema]) => [
      [name, `${at}/${name}`] as const,
      ...fieldsIn(schema, `${at}/${name}`),
    ]),
  ];
}

/** By its name, or, for `ids`, by what the path is about. */
function nounOf({ name, call }: Field): string {
  const one = name.replace(/Ids?$/, '');
  if (name === 'id' || name === 'ids') return call.path.split('/')[2] ?? '';
  return NOUN_OF[name.replace(/s$/, '')] ?? (one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`);
}

describe('another organization’s ids answer exactly as unknown ones', () => {
  let service: TestService;
  let ids: Readonly<Record<string, number>>;
  let theirKey: string;
  let own: Readonly<Record<string, number>>;
  before(async () => {
    service = await startService();
    ids = await everyNoun(service);
    theirKey = await service.foundOrganization('Other');
    own = await everyNoun(service, theirKey);
  });
  after(() => service.stop());

  for (const { id, method, path } of calls) {
    it(`${method} ${path}`, async () => {
      const fill = (idOf: (noun: string) => number) =>
        path.replaceAll(NOUNS, (_, noun: string) => `/${noun}/${idOf(noun)}`);
      const mine = (noun: string) => {
        const known = ids[noun];
        assert.ok(known !== undefined, `this test makes a ${noun}`);
        return known;
      };
      const options = { key: theirKey, body: BODIES[id] };
      const seen = await service.request(method, fill(mine), options);
      const unknown = await service.request(
        method,
        fill(() => UNKNOWN),
        options,
      );
      assert.deepEqual([seen.status, seen.text], [404, unknown.text]);
    });
  }

  it('in a body or a filter are asked about, each of them', () => {
    const inBodies = FIELDS.filter((field) => field.in === 'body').map(({ at }) => at);
    assert.deepEqual([...new Set(inBodies)].sort(), Object.keys(ASKED).sort());
  });

  for (const field of FIELDS)
    it(`in ${field.at}`, async () => {
      const foreign = ids[nounOf(field)];
      assert.ok(foreign !== undefined, `this test makes one of ${nounOf(field)}`);
      const { method, id: call, path } = field.call;
      const at = path.replaceAll(NOUNS, (_, noun: string) => `/${noun}/${own[noun]}`);
      const ask = (id: number) =>
        field.in === 'query'
          ? service.request(method, `${at}?${field.name}=${id}${QUERIES[call] ?? ''}`, { key: theirKey })
          : service.request(method, at, { key: theirKey, body: ASKED[field.at]?.(id, own) });
      const [seen, unknown] = [await ask(foreign), await ask(UNKNOWN)];
      const masked = (text: string, id: number) =>
        text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#').replace(/"computedAt":"[^"]+"/, '');
      assert.deepEqual([seen.status, masked(seen.text, foreign)], [unknown.status, masked(unknown.text, UNKNOWN)]);
      if (field.in === 'query') assert.equal(seen.status, 200, seen.text);
    });

  it('so that a user whom both have is told of, and erased, by each for itself', async () => {
    const body = { collaboratorId: own['collaborators'], userId: USER };
    const asked = { key: theirKey, body: { userId: USER } };
    const visit = await service.request('POST', '/v1/event/site-visited', { key: theirKey, body });
    const sale = { source: 's', externalId: 'kept', total: 1, trackingId: Number(visit.headers.get('x-service-oid')) };
    assert.equal((await service.request('POST', '/v1/event/sale', { key: theirKey, body: sale })).status, 200);
    await service.settled();
    const traces = async () => {
      const tables = ['opportunities', 'collaborator_versions', 'erased_selves'].map(
        (table) => `select to_jsonb(t) as row from ${table} t where organization_id = 1`,
      );
      return (await service.database.query(`select row from (${tables.join(' union all ')}) t order by row`)).rows;
    };
    const earlier = await traces();
    const told = (await service.request('POST', '/v1/visitors/export', asked)).text;
    assert.match(told, /"userId":4242/);
    assert.doesNotMatch(told, new RegExp(`\\b${ids['opportunities']}\\b`));
    assert.equal((await service.request('POST', '/v1/visitors/erase', asked)).status, 200);
    assert.deepEqual(await traces(), earlier);
  });

  it('and nothing of it has changed', async () => {
    const key = service.secretKey;
    for (const [path, field, value] of [
      [`/v1/collaborators/${ids['collaborators']}`, 'status', 'active'],
      [`/v1/programs/${ids['programs']}`, 'version', 1],
      [`/v1/program-groups/${ids['program-groups']}`, 'status', 'active'],
      [`/v1/custom-events/${ids['custom-events']}`, 'status', 'active'],
      [`/v1/conversions/${ids['conversions']}`, 'status', 'pending'],
      [`/v1/fulfillments/${ids['fulfillments']}`, 'status', 'pending'],
      [`/v1/payouts/${ids['payouts']}`, 'status', 'unpaid'],
      [`/v1/api-keys/${ids['api-keys']}`, 'revokedAt', null],
      [`/v1/webhooks/${ids['webhooks']}`, 'description', null],
      [`/v1/people/${ids['people']}`, 'status', 'active'],
      [`/v1/opportunities/${ids['opportunities']}`, 'userId', USER],
    ] as const) {
      const { body } = await service.request('GET', path, { key });
      assert.equal((body as Record<string, unknown>)[field], value, path);
    }
  });
});

/** One of each noun in the first organization: noun → id. */
async function everyNoun(service: TestService, key = service.secretKey): Promise<Record<string, number>> {
  const mine = key === service.secretKey;
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const reply = await service.request(method, path, { key, body });
    assert.ok(reply.status < 300, reply.text);
    return reply.body as Body;
  };
  type Row = { id: number };
  const programs = (await call<Row>('POST', '/v1/programs', { name: 'P', reward: { type: 'per-sale', amount: 5 } })).id;
  const collaborators = (await call<Row>('POST', '/v1/collaborators', { name: 'Ada' })).id;
  await call('POST', '/v1/collaborators', { name: 'Self', userId: mine ? USER : USER + 1 });
  const aliases = (await call<Row>('POST', `/v1/collaborators/${collaborators}/aliases`, { type: 'coupon', code: 'A' }))
    .id;
  const keys = (await call<Row>('POST', '/v1/api-keys', { label: 'Mine' })).id;
  await call('POST', `/v1/programs/${programs}/collaborators`, { collaboratorId: collaborators });
  const groups = (await call<Row>('POST', '/v1/program-groups', { name: 'G', rule: 'newest', programIds: [] })).id;
  const customEvents = (await call<Row>('POST', '/v1/custom-events', { slug: 'quiz-done', name: 'Quiz' })).id;
  const visit = await service.request('POST', '/v1/event/site-visited', {
    key,
    body: { collaboratorId: collaborators, userId: mine ? USER : USER + 1 },
  });
  const opportunities = Number(visit.headers.get('x-service-oid'));
  await call('POST', '/v1/event/sale', { source: 's', externalId: 'paid', total: 1, trackingId: opportunities });
  await service.settled();
  const [paid] = await call<Row[]>('GET', '/v1/conversions');
  await call('POST', `/v1/conversions/${paid?.id}/approve`);
  const [fulfillment] = await call<Row[]>('POST', '/v1/fulfillments', {});
  const [payout] = await call<Row[]>('GET', '/v1/payouts');
  await call('POST', '/v1/event/sale', { source: 's', externalId: '1', total: 1, trackingId: opportunities });
  await service.settled();
  const [conversion] = await call<(Row & Record<'transactionId' | 'engagementId' | 'obligationId', number>)[]>(
    'GET',
    '/v1/conversions',
  );
  assert.ok(conversion);
  const [event] = await call<Row[]>('GET', '/v1/events');
  const webhooks = (await call<Row>('POST', '/v1/webhooks', { url: 'https://mine.example/' })).id;
  const deliveries = (await call<Row>('POST', `/v1/webhooks/${webhooks}/test`)).id;
  const [entry] = await call<Row[]>('GET', '/v1/audit-entries');
  const people = (await makePerson(service, 'viewer', `ada-${mine}@mugs.example`, key)).id;
  const invitations = (await call<Row>('POST', '/v1/invitations', { email: 'bo@mugs.example', role: 'viewer' })).id;
  return {
    programs,
    collaborators,
    aliases,
    'api-keys': keys,
    'program-groups': groups,
    'custom-events': customEvents,
    opportunities,
    conversions: conversion.id,
    transactions: conversion.transactionId,
    engagements: conversion.engagementId,
    obligations: conversion.obligationId,
    fulfillments: fulfillment?.id ?? 0,
    payouts: payout?.id ?? 0,
    events: event?.id ?? 0,
    webhooks,
    deliveries,
    'audit-entries': entry?.id ?? 0,
    people,
    invitations,
    users: mine ? USER : USER + 1,
  };
}
