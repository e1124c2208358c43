import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keysOf } from '#core/contract/operation.ts';
import { type Operations, operations } from '#app/operations.ts';
import { servedDocument } from '../support/documented-answers.ts';
import { makePerson } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Call as InterfaceCall, interfaceOf, type Schema } from '../../tools/fuzz/interface.ts';

const served = interfaceOf(servedDocument('X-Service'));

type Call = { readonly id: string; readonly method: string; readonly path: string };

const document = servedDocument('X-Service') as unknown as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
/**
 * The calls that have an id in their path and accept an API key. They are read from the OpenAPI document, so that no new
 * call is missed. Calls that accept no key concern the logged-in person or collaborator. They are tested in
 * session.test.ts, passkey.test.ts and portal-pages.test.ts.
 */
const calls: readonly Call[] = Object.entries(document.paths)
  // Custom events of several organizations can have the same slug. Slugs of custom events are tested in
  // report-custom-event.test.ts.
  .filter(([path]) => /\{(?!slug\})/.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
    })),
  )
  .filter(({ id }) => keysOf(operations[id as keyof Operations]).length > 0);

/** Matches each id in a path with the noun before it. */
const NOUNS = /\/(\w[\w-]*)\/\{(\w+)\}/g;

const PERIOD = { from: '2026-01-01', until: '2026-02-01' };

/** Bodies with valid fields, for the calls that need a body. */
const BODIES: Readonly<Record<string, object>> = {
  changeCollaborator: { name: 'x' },
  addCollaboratorNote: { text: 'x' },
  changeTaxDetails: { taxDetails: null },
  createAlias: { type: 'tracking', code: 'x' },
  moveAlias: { fromCollaboratorId: 1, toCollaboratorId: 2 },
  changeProgram: { name: 'x' },
  backtestProgram: { ...PERIOD, drafts: [{ terms: {} }] },
  changeProgramGroup: { name: 'x' },
  changeProgramSignUp: { mode: 'open' },
  enrollCollaborator: { collaboratorId: 1 },
  creditTransaction: { collaboratorId: 1, programId: 1, amount: 1 },
  rejectConversion: { reason: 'x' },
  changeApiKey: { label: 'x' },
  changeMaterial: { title: 'x' },
  changePerson: { name: 'x' },
  rotateApiKey: {},
  failPayout: { reason: 'x' },
  downloadPaymentFile: { format: 'all', first: 1, last: 1 },
  reviewPayout: { resolution: 'keep', note: 'x' },
  changeWebhook: { description: 'x' },
  rotateWebhookSecret: {},
  redeliver: { deliveryIds: [1] },
  changeConnector: { name: 'x' },
  rotateConnectorSecret: { secret: 'whsec_other' },
  dismissConnectorEvent: { note: 'x' },
  reconcileConnector: { csv: 'order_id' },
  recordListedOrders: { csv: 'order_id', externalIds: ['1'] },
};
const UNKNOWN = 8_999_999;
/** The user id of the first organization’s visitor. The visitor of the other organization has the next number. */
const USER = 4_242;

/** The nouns of id fields whose noun `nounOf` can’t derive from the name. List each new field with such a name here. */
const NOUN_OF: Readonly<Record<string, string>> = {
  fromCollaboratorId: 'collaborators',
  toCollaboratorId: 'collaborators',
  trackingId: 'opportunities',
  opportunityId: 'opportunities',
  groupId: 'program-groups',
  userId: 'users',
  renewsTransactionId: 'transactions',
};
/**
 * Matches id fields that refer to no resource of the service. The shop assigns the ids of its lines, orders, refunds,
 * corrections and users. The collaborators in an example are hypothetical.
 */
const OF_THE_SHOP =
  /externalId|saleExternalId|refundId|correctionId|^(reportVisit|createCollaborator|changeCollaborator) \/userId$|^exampleProgram \/touches/i;

const REWARD = { type: 'percent', percent: 10 };

function drafting(terms: object, draft: object = {}): object {
  return { ...PERIOD, drafts: [{ terms, ...draft }] };
}

/** Functions that return a body with the given id in one field. All other fields are valid. */
const ASKED: Readonly<Record<string, (id: number, own: Readonly<Record<string, number>>) => object>> = {
  'reportVisit /collaboratorId': (id) => ({ collaboratorId: id }),
  'reportSale /trackingId': (id) => ({ source: 's', externalId: 'z', total: 1, trackingId: id }),
  'reportSale /userId': (id) => ({ source: 's', externalId: 'y', total: 1, trackingId: null, userId: id }),
  'reportCouponApplied /trackingId': (id) => ({ trackingId: id, code: 'A' }),
  'reportCustomEvent /trackingId': (id) => ({ trackingId: id, event: 'quiz-done' }),
  'reportCustomEvent /collaboratorId': (id, own) => ({
    trackingId: own['opportunities'],
    event: 'quiz-done',
    collaboratorId: id,
  }),
  'reportEvent /trackingId': (id) => ({ trackingId: id }),
  'reportEvent /userId': (id) => ({ userId: id }),
  'reportEvent /collaboratorId': (id, own) => ({ trackingId: own['opportunities'], collaboratorId: id }),
  'reportLead /trackingId': (id) => ({ trackingId: id }),
  'sendAnnouncement /programId': (id) => ({ subject: 'x', text: 'x', programId: id }),
  'testTransaction /collaboratorId': (id) => ({ collaboratorId: id }),
  'remindPayoutDetails /ids': (id) => ({ ids: [id] }),
  'moveCollaborators /ids': (id) => ({ action: 'deactivate', ids: [id] }),
  'createProgram /groupId': (id) => ({ name: 'x', reward: REWARD, groupId: id }),
  'createProgram /collaboratorRewards/collaboratorId': (id) => ({ name: 'x', reward: REWARD, ...rewarding(id) }),
  'exampleProgram /groupId': (id) => ({ name: 'x', reward: REWARD, groupId: id }),
  'exampleProgram /collaboratorRewards/collaboratorId': (id) => ({ name: 'x', reward: REWARD, ...rewarding(id) }),
  'changeProgram /groupId': (id) => ({ groupId: id }),
  'changeProgram /collaboratorRewards/collaboratorId': rewarding,
  'backtestProgram /drafts/terms/groupId': (id) => drafting({ groupId: id }),
  'backtestProgram /drafts/terms/collaboratorRewards/collaboratorId': (id) => drafting(rewarding(id)),
  'backtestProgram /drafts/collaboratorIds': (id) => drafting({}, { collaboratorIds: [id] }),
  'createBacktest /drafts/terms/groupId': (id) => drafting({ name: 'x', reward: REWARD, groupId: id }),
  'createBacktest /drafts/terms/collaboratorRewards/collaboratorId': (id) =>
    drafting({ name: 'x', reward: REWARD, ...rewarding(id) }),
  'createBacktest /drafts/collaboratorIds': (id) => drafting({ name: 'x', reward: REWARD }, { collaboratorIds: [id] }),
  'createMaterial /programId': (id) => ({ title: 'x', text: 'x', programId: id }),
  'changeMaterial /programId': (id) => ({ programId: id }),
  'createInvitationLink /programId': (id) => ({ programId: id }),
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
  'moveAlias /fromCollaboratorId': (id, own) => ({ fromCollaboratorId: id, toCollaboratorId: own['collaborators'] }),
  'moveAlias /toCollaboratorId': (id, own) => ({ fromCollaboratorId: own['collaborators'], toCollaboratorId: id }),
  'eraseVisitor /userId': (id) => ({ userId: id }),
  'eraseCollaborator /collaboratorId': (id) => ({ collaboratorId: id }),
};
/** Additional query parameters that some calls require. */
const QUERIES: Readonly<Record<string, string>> = {
  getFigures: `&by=total&from=${dayIn(-1)}&until=${dayIn(2)}`,
  listFiguresByCollaborator: `&currency=USD&from=${dayIn(-1)}&until=${dayIn(2)}`,
};

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

/**
 * Every id or list of ids in a body or filter of the calls that accept a secret key, except the fields in OF_THE_SHOP.
 */
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

/** Returns the resource noun of an id field. It is derived from the name, or from the path for `id` and `ids`. */
function nounOf({ name, call }: Field): string {
  const one = name.replace(/Ids?$/, '');
  if (name === 'id' || name === 'ids') return call.path.split('/')[2] ?? '';
  return NOUN_OF[name.replace(/s$/, '')] ?? (one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`);
}

describe('ids of another organization get the same response as unknown ids', () => {
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
    it(`${method} ${path} returns the same 404`, async () => {
      const fill = (idOf: (noun: string) => number) =>
        path.replaceAll(NOUNS, (_, noun: string) => `/${noun}/${idOf(noun)}`);
      const mine = (noun: string) => {
        const known = ids[noun];
        assert.ok(known !== undefined, `this test creates a resource of ${noun}`);
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

  it('the tests include every id field of a request body', () => {
    const inBodies = FIELDS.filter((field) => field.in === 'body').map(({ at }) => at);
    assert.deepEqual([...new Set(inBodies)].sort(), Object.keys(ASKED).sort());
  });

  for (const field of FIELDS)
    it(`${field.at}: returns the same response for foreign and unknown ids`, async () => {
      const foreign = ids[nounOf(field)];
      assert.ok(foreign !== undefined, `this test creates a resource of ${nounOf(field)}`);
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

  it('each of two organizations with the same user id exports and erases only its own data', async () => {
    const body = { collaboratorId: own['collaborators'], userId: USER };
    const asked = { key: theirKey, body: { userId: USER } };
    const visit = await service.request('POST', '/v1/event/site-visited', { key: theirKey, body });
    const sale = { source: 's', externalId: 'kept', total: 1, trackingId: Number(visit.headers.get('x-service-oid')) };
    assert.equal((await service.request('POST', '/v1/event/sale', { key: theirKey, body: sale })).status, 200);
    await service.settled();
    const traces = async () => {
      const tables = ['opportunities', 'collaborator_versions', 'self_referral_tombstones'].map(
        (table) => `select to_jsonb(t) as row from ${table} t where organization_id = 1`,
      );
      return (await service.database.query(`select row from (${tables.join(' union all ')}) t order by row`)).rows;
    };
    const earlier = await traces();
    const exported = (await service.request('POST', '/v1/visitors/export', asked)).text;
    assert.match(exported, /"userId":4242/);
    assert.doesNotMatch(exported, new RegExp(`\\b${ids['opportunities']}\\b`));
    assert.equal((await service.request('POST', '/v1/visitors/erase', asked)).status, 200);
    assert.deepEqual(await traces(), earlier);
  });

  it('the calls of these tests leave the resources of the other organization unchanged', async () => {
    const key = service.secretKey;
    for (const [path, field, value] of [
      [`/v1/collaborators/${ids['collaborators']}`, 'status', 'active'],
      [`/v1/programs/${ids['programs']}`, 'version', 1],
      [`/v1/program-groups/${ids['program-groups']}`, 'status', 'active'],
      [`/v1/custom-events/${ids['custom-events']}`, 'status', 'active'],
      [`/v1/fraud-list-entries/${ids['fraud-list-entries']}`, 'status', 'active'],
      [`/v1/conversions/${ids['conversions']}`, 'status', 'pending'],
      [`/v1/fulfillments/${ids['fulfillments']}`, 'status', 'pending'],
      [`/v1/payouts/${ids['payouts']}`, 'status', 'unpaid'],
      [`/v1/api-keys/${ids['api-keys']}`, 'revokedAt', null],
      [`/v1/webhooks/${ids['webhooks']}`, 'description', null],
      [`/v1/connectors/${ids['connectors']}`, 'name', 'Mine'],
      [`/v1/people/${ids['people']}`, 'status', 'active'],
      [`/v1/opportunities/${ids['opportunities']}`, 'userId', USER],
    ] as const) {
      const { body } = await service.request('GET', path, { key });
      assert.equal((body as Record<string, unknown>)[field], value, path);
    }
  });
});

/** Creates one resource of each noun in the key’s organization and returns their ids by noun. */
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
  const notes = (await call<Row>('POST', `/v1/collaborators/${collaborators}/notes`, { text: 'Note' })).id;
  const links = (await call<Row>('POST', '/v1/invitation-links', { programId: programs })).id;
  const materials = (await call<Row>('POST', '/v1/materials', { title: 'T', text: 'T' })).id;
  const backtests = (
    await call<Row>('POST', `/v1/programs/${programs}/backtest`, { ...PERIOD, drafts: [{ terms: {} }] })
  ).id;
  const aliases = (await call<Row>('POST', `/v1/collaborators/${collaborators}/aliases`, { type: 'coupon', code: 'A' }))
    .id;
  const keys = (await call<Row>('POST', '/v1/api-keys', { label: 'Mine' })).id;
  await call('POST', `/v1/programs/${programs}/collaborators`, { collaboratorId: collaborators });
  const groups = (await call<Row>('POST', '/v1/program-groups', { name: 'G', rule: 'newest', programIds: [] })).id;
  const customEvents = (await call<Row>('POST', '/v1/custom-events', { slug: 'quiz-done', name: 'Quiz' })).id;
  const entry = { list: 'deny', kind: 'email-domain', value: 'farm.example' };
  const fraudListEntries = (await call<Row>('POST', '/v1/fraud-list-entries', entry)).id;
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
  const connector = { kind: 'stripe', name: 'Mine', secret: 'whsec_mine' };
  const connectors = (await call<Row>('POST', '/v1/connectors', connector)).id;
  const [audited] = await call<Row[]>('GET', '/v1/audit-entries');
  const people = (await makePerson(service, 'viewer', `ada-${mine}@mugs.example`, key)).id;
  const invitations = (await call<Row>('POST', '/v1/invitations', { email: 'bo@mugs.example', role: 'viewer' })).id;
  return {
    programs,
    collaborators,
    notes,
    backtests,
    materials,
    aliases,
    'api-keys': keys,
    'program-groups': groups,
    'custom-events': customEvents,
    'fraud-list-entries': fraudListEntries,
    'invitation-links': links,
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
    connectors,
    'audit-entries': audited?.id ?? 0,
    people,
    invitations,
    users: mine ? USER : USER + 1,
  };
}
