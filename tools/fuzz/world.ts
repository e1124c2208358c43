import { scopesOf } from '#access/domain/person.ts';
import { newPasskey, type Passkey } from '#test/support/authenticator.ts';
import { makePerson, type Member, PASSWORD } from '#test/support/people.ts';
import { type Mailbox, newNetwork, openPortal, type Portal } from '#test/support/portal.ts';
import type { Reply, TestService } from '#test/support/service.ts';
import type { Credential } from './credential.ts';
import { Memory } from './memory.ts';

/** An organization with sample resources, and credentials with and without access to it. */
export type World = {
  readonly organizationId: string;
  readonly credentials: readonly Credential[];
  readonly memory: Memory;
};

const SCOPES = ['events:write', 'resources:read', 'resources:write', 'keys:write', 'people:write'] as const;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const ESSENTIALS = { hasEssentials: true };

/** Creates a world. `mark` is part of the names of its resources, and must not be visible to other organizations. */
export async function makeWorld(service: TestService, mailbox: Mailbox, mark: string): Promise<World> {
  const key = await service.foundOrganization(mark);
  const memory = new Memory();
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const reply = await service.request(method, path, { key, body });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    memory.keep(path, reply);
    return reply.body as Body;
  };
  const organization = await call<{ id: number }>('GET', '/v1/organization');
  const keys = await makeKeys(service, call, key);
  const roles = ['owner', 'manager', 'viewer'] as const;
  const members = await Promise.all(roles.map((role) => makePerson(service, role, `${role}@${mark}.example`, key)));
  const people = roles.map((role, at) =>
    session(role.toUpperCase(), 'personSession', scopesOf(role), members[at]?.cookie ?? ''),
  );
  const partner = await fill(call, service, key, mark, memory);
  const portal = await openPortal(service, mailbox, mark, key);
  const entered = await portal.enter(partner);
  const { cookie } = entered;
  for (const [who, path] of [
    [members[0], '/v1/account/passkeys'],
    [entered, '/v1/portal/passkeys'],
  ] as const) {
    const { id } = await addPasskey(service, who as Caller, path);
    memory.add('passkeyId', id);
  }
  for (const [who, path] of [
    [members[0], '/v1/account/sessions'],
    [entered, '/v1/portal/sessions'],
  ] as const)
    for (const { id } of await (who as Caller).must<{ id: number }[]>('GET', path)) memory.add('sessionId', id);
  memory.add('linkId', (await entered.must<{ id: number }>('POST', '/v1/portal/links', { subId: 'blog' })).id);
  await entered.must('PATCH', '/v1/portal/account', {
    payoutDetails: { method: 'iban', holder: mark, account: 'DE89 3704 0044 0532 0130 00' },
  });
  await keepMailed(service, mailbox, portal, { partner, viewer: `viewer@${mark}.example` }, memory);
  memory.add('slug', mark);
  memory.add('email', partner);
  memory.add('password', PASSWORD);
  memory.add('current', PASSWORD);
  const owner = people[0] as Credential;
  return {
    organizationId: String(organization.id),
    memory,
    credentials: [
      ...keys,
      ...people,
      session('COLLABORATOR', 'portalSession', [], cookie),
      {
        ...owner,
        name: 'OWNER_FROM_ELSEWHERE',
        scheme: 'none',
        headers: { ...owner.headers, 'sec-fetch-site': 'cross-site' },
      },
      {
        ...owner,
        name: 'OWNER_CUT_SHORT',
        scheme: 'none',
        headers: { ...SAME_ORIGIN, cookie: (owner.headers['cookie'] ?? '').slice(0, -1) },
      },
      {
        ...owner,
        name: 'COLLABORATOR_AS_PERSON',
        scheme: 'none',
        headers: { ...SAME_ORIGIN, cookie: cookie.replace('whence-portal=', 'whence=') },
      },
      { name: 'NOBODY', scheme: 'none', scopes: [], hasEssentials: false, headers: {} },
    ],
  };
}

type Caller = Pick<Member, 'must'>;

/** Adds a passkey, so that requests can list and delete a passkey. */
async function addPasskey({ url }: TestService, { must }: Caller, path: string): Promise<{ readonly id: number }> {
  const options = await must<Parameters<Passkey['create']>[0]>('POST', `${path}/challenge`);
  const response = newPasskey(`http://localhost:${new URL(url).port}`).create(options);
  return must('POST', path, { name: 'Phone', response });
}

/** Requests emails, and keeps the secrets in them: login links, and links that set a new password. */
async function keepMailed(
  service: TestService,
  mailbox: Mailbox,
  portal: Portal,
  { partner, viewer }: { readonly partner: string; readonly viewer: string },
  memory: Memory,
): Promise<void> {
  await portal.visit('POST', '/links', { email: partner });
  const { token, code } = await mailbox.entryOf(partner);
  memory.add('token', token);
  memory.add('code', code);
  const headers = { 'x-forwarded-for': newNetwork() };
  await service.request('POST', '/v1/password-resets', { body: { email: viewer }, headers });
  for (const { text } of await mailbox.mailsTo(viewer)) {
    const reset = /\/console\/reset#([\w-]{43})$/m.exec(text)?.[1];
    if (reset !== undefined) memory.add('token', reset);
  }
}

type Maker = <Body>(method: string, path: string, body?: object) => Promise<Body>;

async function makeKeys(service: TestService, call: Maker, key: string): Promise<Credential[]> {
  const make = async (label: string, more: object): Promise<{ id: number; rawKey: string }> =>
    call('POST', '/v1/api-keys', { label, ...more });
  const narrow = await Promise.all(
    SCOPES.map(async (scope) => {
      const { rawKey } = await make(scope, { scopes: [scope] });
      return keyed(`KEY_${scope.toUpperCase().replace(':', '_')}`, 'secretKey', [scope], rawKey);
    }),
  );
  const publishable = await make('browser', { kind: 'publishable' });
  const revoked = await make('revoked', {});
  await call('DELETE', `/v1/api-keys/${revoked.id}`);
  const expired = await make('expired', {});
  await service.database.query(`update api_keys set expires_at = now() - interval '1 day' where id = $1`, [expired.id]);
  const lite = await service.foundOrganization('Lite');
  await service.database.query(
    `update organizations set tier = 'lite'
     where id = (select organization_id from api_keys where hash = sha256(convert_to($1, 'UTF8')))`,
    [lite],
  );
  return [
    keyed('KEY', 'secretKey', SCOPES, key),
    ...narrow,
    keyed('PUBLISHABLE_KEY', 'publishableKey', [], publishable.rawKey),
    { ...keyed('LITE_KEY', 'secretKey', SCOPES, lite), hasEssentials: false },
    keyed('REVOKED_KEY', 'none', [], revoked.rawKey),
    keyed('EXPIRED_KEY', 'none', [], expired.rawKey),
    keyed('KEY_CUT_SHORT', 'none', [], key.slice(0, -1)),
    keyed('KEY_IN_ANOTHER_CASE', 'none', [], key.toUpperCase()),
    { ...keyed('KEY_AS_BASIC', 'none', [], ''), headers: { authorization: `Basic ${btoa(`${key}:`)}` } },
  ];
}

function keyed(name: string, scheme: Credential['scheme'], scopes: readonly string[], key: string): Credential {
  return { name, scheme, scopes, ...ESSENTIALS, headers: { authorization: `Bearer ${key}` } };
}

function session(name: string, scheme: Credential['scheme'], scopes: readonly string[], cookie: string): Credential {
  return { name, scheme, scopes, ...ESSENTIALS, headers: { ...SAME_ORIGIN, cookie } };
}

/** Creates sample resources, so that requests can find them. Returns the email address of a collaborator. */
async function fill(call: Maker, service: TestService, key: string, mark: string, memory: Memory): Promise<string> {
  type Row = { readonly id: number };
  const email = `partner@${mark}.example`;
  const aliases = [
    { type: 'tracking', code: `${mark}-t` },
    { type: 'coupon', code: `${mark}-c` },
  ];
  const { id: collaboratorId } = await call<Row>('POST', '/v1/collaborators', { name: mark, email, aliases });
  await call('POST', '/v1/custom-events', { slug: 'newsletter', name: mark });
  memory.add('event', 'newsletter');
  const reward = { type: 'percent', percent: 10 };
  const program = await call<Row>('POST', '/v1/programs', { name: mark, reward });
  await call('PATCH', `/v1/programs/${program.id}/sign-up`, { mode: 'approval' });
  const selected = await call<Row>('POST', '/v1/programs', {
    name: mark,
    reward,
    enrollment: 'selected',
    autoApprove: true,
  });
  await call('POST', `/v1/programs/${selected.id}/collaborators`, { collaboratorId });
  await call('POST', '/v1/program-groups', { name: mark, rule: 'newest', programIds: [program.id] });
  const webhook = await call<Row>('POST', '/v1/webhooks', { url: `https://${mark}.example/` });
  await call('POST', `/v1/webhooks/${webhook.id}/test`);
  await call('POST', '/v1/invitations', { email: `invited@${mark}.example`, role: 'viewer' });
  for (const externalId of ['1', '2', '3']) {
    const visit: Reply = await service.request('POST', '/v1/event/site-visited', { key, body: { collaboratorId } });
    const trackingId = Number(visit.headers.get('x-service-oid'));
    memory.add('trackingId', trackingId);
    memory.add('opportunityId', trackingId);
    await call('POST', '/v1/event/sale', { source: mark, externalId, total: 50, trackingId });
  }
  memory.add('source', mark);
  await call('POST', '/v1/event/refund', { source: mark, externalId: '3', refundId: 'r1', amount: 1 });
  memory.add('refundId', 'r1');
  for (const file of FILES) memory.add('file', file);
  await call('POST', '/v1/fraud-list-entries', { list: 'deny', kind: 'referrer', value: 'coupons.example' });
  for (const value of ['203.0.113.0/24', 'deals.example']) memory.add('value', value);
  await service.settled();
  const [first] = await call<Row[]>('GET', '/v1/conversions');
  await call('POST', `/v1/conversions/${first?.id}/approve`);
  await call('POST', '/v1/fulfillments', {});
  for (const list of LISTS) await call('GET', list);
  return email;
}

/** A result file of payouts, and a history file of the European Central Bank. */
const FILES = [
  'reference,amount,currency,status,reason\nPAYOUT-1,5.00,USD,paid,\n',
  'Date,USD,JPY,\n2026-09-01,1.0852,159.3,\n',
];

const LISTS = [
  'collaborators',
  `programs`,
  'opportunities',
  'engagements',
  'transactions',
  'conversions',
  'obligations',
  'fulfillments',
  'payouts',
  'events',
  'audit-entries',
  'people',
  'api-keys',
].map((noun) => `/v1/${noun}`);
