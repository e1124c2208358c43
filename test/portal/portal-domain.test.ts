import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openCaller } from '../support/caller.ts';
import { type Mailbox, newNetwork, openMailbox } from '../support/portal.ts';
import { faultCodes, problemCode, statusesOf } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

const HOST = 'partners.mugs.example';
const ORIGIN = `https://${HOST}`;
const OTHER_HOST = 'partners.cups.example';
const SERVICE = 'whence.example';

let service: TestService;
let mailbox: Mailbox;
let shop: Shop;
let otherKey: string;
before(async () => {
  service = await startService({
    PUBLIC_URL: `https://${SERVICE}`,
    CUSTOM_DOMAINS: `${HOST},${OTHER_HOST},go.mugs.example`,
  });
  mailbox = await openMailbox(service);
  shop = openShop(service);
  await shop.program({ name: 'Friends' });
  await shop.collaborator('ada', { email: 'ada@mugs.example' });
  otherKey = await service.foundOrganization('Cups');
  await ok(set({ slug: 'mugs', landingUrl: 'https://mugs.example/', portalDomain: HOST }));
  await ok(set({ slug: 'cups', landingUrl: 'https://cups.example/', portalDomain: OTHER_HOST }, otherKey));
  const body = { name: 'Bo', email: 'bo@cups.example' };
  assert.equal((await service.request('POST', '/v1/collaborators', { key: otherKey, body })).status, 201);
});
after(() => service.stop());

const set = (body: object, key = service.secretKey) => service.request('PATCH', '/v1/portal-settings', { key, body });
const ok = async (call: Promise<Reply>): Promise<Reply> => {
  const reply = await call;
  assert.ok(reply.status < 300, reply.text);
  return reply;
};
type Call = { readonly host?: string; readonly body?: unknown; readonly headers?: Record<string, string> };
const send = (method: string, path: string, { host = HOST, body, headers = {} }: Call = {}): Promise<Reply> =>
  service.request(method, path, { body, headers: { host, 'x-forwarded-for': newNetwork(), ...headers } });

/** Requests a login link on a host and returns the text of its email. */
const emailOf = async (slug: string, email: string, host: string): Promise<string> => {
  await ok(send('POST', `/v1/portals/${slug}/links`, { host, body: { email } }));
  return (await mailbox.mailsTo(email)).at(-1)?.text ?? '';
};
/** Logs in on a host and returns the response. */
const logIn = async (slug: string, email: string, host: string): Promise<Reply> => {
  await emailOf(slug, email, host);
  const { token } = await mailbox.entryOf(email);
  return ok(send('POST', `/v1/portals/${slug}/sessions`, { host, body: { token } }));
};
const cookieOf = ({ headers }: Reply): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

describe('a portal on a domain of its own', () => {
  it('serves its pages at the root of the domain, and its assets below /assets/', async () => {
    for (const path of ['/', '/links', '/sign-up/5', '/enter']) {
      const page = await send('GET', path);
      assert.equal(page.status, 200, path);
      assert.match(page.text, /data-base="" data-root="" data-header-prefix="X-Service" data-slug="mugs"/);
    }
    const asset = /src="(\/assets\/[\w-]+\.js)"/.exec((await send('GET', '/')).text)?.[1] ?? assert.fail('no script');
    const script = await send('GET', asset);
    assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal((await send('GET', '/assets/missing.js')).status, 404);
    assert.equal((await send('POST', '/')).status, 405);
    const settings = await shop.get<{ url: string }>('/v1/portal-settings');
    assert.equal(settings.url, `${ORIGIN}/`);
  });

  it('limits page requests per network', async () => {
    const headers = { 'x-forwarded-for': newNetwork() };
    const flood = await Promise.all(Array.from({ length: 200 }, () => send('GET', '/links', { headers })));
    assert.deepEqual(new Set(flood.map(({ status }) => status)), new Set([200, 429]));
    assert.equal((await send('GET', '/links')).status, 200);
  });

  it('stays available below /portal/{slug}/ on the host of the service', async () => {
    const page = await send('GET', '/portal/mugs/', { host: SERVICE });
    assert.equal(page.status, 200);
    assert.match(page.text, /data-root="\/portal\/mugs" .*data-slug="mugs"/);
  });

  it('serves health checks, files and calls with an API key, but neither the console nor calls with a person’s session', async () => {
    assert.match((await send('GET', '/console/')).text, /data-slug="mugs"/, 'this is a page of the portal');
    // On this host, these calls return 404, which the OpenAPI document doesn’t describe. So don’t check the responses.
    const { send: sendUnchecked } = openCaller(service.url);
    const headers = { host: HOST };
    for (const path of ['/v1/session', '/v1/account', '/v1/programs']) {
      assert.deepEqual([path, (await sendUnchecked('GET', path, { headers })).status], [path, 404]);
    }
    const body = { email: 'owner@mugs.example', password: 'copper kettle under snow' };
    assert.equal((await sendUnchecked('POST', '/v1/sessions', { headers, body })).status, 404);
    const withKey = { ...headers, authorization: `Bearer ${service.secretKey}` };
    assert.equal((await sendUnchecked('POST', '/v1/sessions', { headers: withKey, body })).status, 404);
    assert.equal((await send('GET', '/metrics')).text.includes('data-slug'), true);
    for (const path of ['/healthz', '/readyz']) assert.equal((await send('GET', path)).status, 200);
    const authorization = `Bearer ${service.secretKey}`;
    assert.equal((await send('GET', '/v1/programs', { headers: { authorization } })).status, 200);
    const preflight = { origin: 'https://mugs.example', 'access-control-request-method': 'POST' };
    assert.equal((await send('OPTIONS', '/v1/event/site-visited', { headers: preflight })).status, 204);
    const file = { name: 'a.svg', data: Buffer.from('<svg></svg>').toString('base64') };
    const made = await ok(
      service.request('POST', '/v1/materials', { key: service.secretKey, body: { title: 'A', file } }),
    );
    const { url } = (made.body as { file: { url: string } }).file;
    assert.equal((await send('GET', new URL(url).pathname)).text, '<svg></svg>');
  });

  it('is for one organization: another organization’s portal can’t be opened on its domain', async () => {
    assert.equal((await send('GET', '/v1/portals/mugs')).status, 200);
    assert.equal((await send('GET', '/v1/portals/cups')).status, 404);
    const authorization = 'Bearer x';
    assert.equal((await send('GET', '/v1/portals/cups', { headers: { authorization } })).status, 404);
    assert.equal((await send('POST', '/v1/portals/cups/links', { body: { email: 'bo@cups.example' } })).status, 404);
    assert.equal((await send('GET', '/v1/portals/mugs/../cups')).status, 404);
    assert.equal((await send('GET', '/v1/portals/%6dugs')).status, 404);
    assert.equal((await send('GET', '/v1/portals/cups', { host: `${HOST}.` })).status, 404, 'with a final dot');
  });

  it('has sessions with a cookie for this host alone, which other organizations’ domains refuse', async () => {
    const opened = await logIn('mugs', 'ada@mugs.example', HOST);
    assert.match(
      opened.headers.get('set-cookie') ?? '',
      /^__Host-whence-portal=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=None; Secure; Partitioned$/,
    );
    const headers = { cookie: cookieOf(opened), 'sec-fetch-site': 'same-origin' };
    assert.equal((await send('GET', '/v1/portal/session', { headers })).status, 200);
    const elsewhere = await send('GET', '/v1/portal/session', { host: OTHER_HOST, headers });
    assert.equal(problemCode(elsewhere), 'unauthenticated');
    const theirs = await logIn('cups', 'bo@cups.example', OTHER_HOST);
    const strange = { cookie: cookieOf(theirs), 'sec-fetch-site': 'same-origin' };
    assert.equal((await send('GET', '/v1/portal/session', { headers: strange })).status, 401);
    assert.equal((await send('GET', '/v1/portal/session', { host: OTHER_HOST, headers: strange })).status, 200);
  });

  it('accepts a session only from pages of exactly its origin', async () => {
    const cookie = cookieOf(await logIn('mugs', 'ada@mugs.example', HOST));
    const withOrigin = async (origin: string, host = HOST) =>
      (await send('PATCH', '/v1/portal/emails', { host, body: { muted: [] }, headers: { cookie, origin } })).status;
    assert.equal(await withOrigin(ORIGIN), 200);
    for (const origin of [`https://${SERVICE}`, `http://${HOST}`, `${ORIGIN}:8443`, 'https://mugs.example', 'null']) {
      assert.equal(await withOrigin(origin), 401, origin);
    }
    assert.equal(await withOrigin(ORIGIN, SERVICE), 401, 'on the host of the service, its own origin is required');
  });

  it('is the target of links in emails to partners', async () => {
    const text = await emailOf('mugs', 'ada@mugs.example', SERVICE);
    assert.match(text, /^https:\/\/partners\.mugs\.example\/enter#[\w-]{43}$/m);
    const id = await shop.collaborator('cy', { email: 'cy@mugs.example' });
    const key = service.secretKey;
    await ok(service.request('POST', `/v1/collaborators/${id}/invitation`, { key }));
    assert.ok((await mailbox.mailsTo('cy@mugs.example'))[0]?.text.includes(`${ORIGIN}/`));
  });

  it('uses its own host for passkeys', async () => {
    const challenge = async (host: string) =>
      (await ok(send('POST', '/v1/portals/mugs/sessions/challenge', { host }))).body as { rpId: string };
    assert.equal((await challenge(HOST)).rpId, HOST);
    assert.equal((await challenge(SERVICE)).rpId, SERVICE);
  });

  it('returns 404 while it is closed', async () => {
    await ok(set({ slug: null }, otherKey));
    const page = await send('GET', '/', { host: OTHER_HOST });
    assert.equal(page.status, 404);
    assert.match(page.text, /data-slug=""/);
    assert.equal((await send('GET', '/v1/portals/null', { host: OTHER_HOST })).status, 404);
    await ok(set({ slug: 'cups' }, otherKey));
    assert.equal((await send('GET', '/', { host: OTHER_HOST })).status, 200);
  });
});

describe('the domain of a portal', () => {
  it('must be listed by the operator, differ from the domain of short links, and not be a host of the service', async () => {
    const wrong = { '/portalDomain': 'not-applicable' };
    for (const portalDomain of [SERVICE, 'console.whence.example', 'unlisted.example']) {
      assert.deepEqual(faultCodes(await set({ portalDomain })), wrong, portalDomain);
    }
    assert.deepEqual(faultCodes(await set({ linkDomain: HOST })), wrong);
    assert.deepEqual(faultCodes(await set({ portalDomain: 'https://mugs.example' })), {
      '/portalDomain': 'invalid-format',
    });
  });

  it('belongs to one organization, as a domain of the portal or of short links', async () => {
    assert.equal(problemCode(await set({ portalDomain: HOST }, otherKey)), 'domain-taken');
    assert.equal(problemCode(await set({ linkDomain: HOST }, otherKey)), 'domain-taken');
    await ok(set({ linkDomain: 'go.mugs.example' }));
    assert.equal(problemCode(await set({ portalDomain: 'go.mugs.example' }, otherKey)), 'domain-taken');
    assert.equal((await send('GET', '/', { host: 'go.mugs.example' })).status, 302);
    assert.equal((await send('GET', '/')).status, 200, 'both domains work');
    await ok(set({ linkDomain: null }));
  });

  it('is given to only one of two organizations that set it concurrently', async () => {
    await ok(set({ portalDomain: null }));
    const replies = await Promise.all([set({ portalDomain: HOST }), set({ portalDomain: HOST }, otherKey)]);
    assert.deepEqual(statusesOf(replies), [200, 409]);
    await ok(set({ portalDomain: null }));
    await ok(set({ portalDomain: OTHER_HOST }, otherKey));
    await ok(set({ portalDomain: HOST }));
  });

  it('stops being served as soon as the setting is removed', async () => {
    const cookie = cookieOf(await logIn('mugs', 'ada@mugs.example', HOST));
    const headers = { cookie, origin: ORIGIN };
    assert.equal((await send('GET', '/v1/portal/session', { headers })).status, 200);
    await ok(set({ portalDomain: null }));
    assert.equal((await send('GET', '/v1/portal/session', { headers })).status, 401);
    const settings = await shop.get<{ url: string }>('/v1/portal-settings');
    assert.equal(settings.url, `https://${SERVICE}/portal/mugs/`);
    await ok(set({ portalDomain: HOST }));
  });
});
