import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '#contract/operation.ts';
import { operations } from '#contract/operations.ts';
import { makePerson } from '#test/support/people.ts';
import { startService, type TestService } from '#test/support/service.ts';

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

describe('another organization’s ids answer exactly as unknown ones', () => {
  let service: TestService;
  let ids: Readonly<Record<string, number>>;
  let theirKey: string;
  before(async () => {
    service = await startService();
    ids = await everyNoun(service);
    theirKey = await service.foundOrganization('Other');
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
    ] as const) {
      const { body } = await service.request('GET', path, { key });
      assert.equal((body as Record<string, unknown>)[field], value, path);
    }
  });
});

/** One of each noun in the first organization: noun → id. */
async function everyNoun(service: TestService): Promise<Record<string, number>> {
  const key = service.secretKey;
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const reply = await service.request(method, path, { key, body });
    assert.ok(reply.status < 300, reply.text);
    return reply.body as Body;
  };
  type Row = { id: number };
  const programs = (await call<Row>('POST', '/v1/programs', { name: 'P', reward: { type: 'per-sale', amount: 5 } })).id;
  const collaborators = (await call<Row>('POST', '/v1/collaborators', { name: 'Ada' })).id;
  const aliases = (await call<Row>('POST', `/v1/collaborators/${collaborators}/aliases`, { type: 'coupon', code: 'A' }))
    .id;
  const keys = (await call<Row>('POST', '/v1/api-keys', { label: 'Mine' })).id;
  await call('POST', `/v1/programs/${programs}/collaborators`, { collaboratorId: collaborators });
  const groups = (await call<Row>('POST', '/v1/program-groups', { name: 'G', rule: 'newest', programIds: [] })).id;
  const customEvents = (await call<Row>('POST', '/v1/custom-events', { slug: 'quiz-done', name: 'Quiz' })).id;
  const visit = await service.request('POST', '/v1/event/site-visited', {
    key,
    body: { collaboratorId: collaborators },
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
  const people = (await makePerson(service, 'viewer', 'ada@mugs.example')).id;
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
  };
}
