import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

const HOST = 'go.shop.example';
const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const FACEBOOK = 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)';

let service: TestService;
let shop: Shop;
let ada: number;
before(async () => {
  service = await startService({
    PUBLIC_URL: 'https://whence.example',
    CUSTOM_DOMAINS: `${HOST}, go2.shop.example=1, whence.example`,
  });
  shop = openShop(service);
  await shop.program();
  ada = await shop.collaborator('ada');
  await set({ landingUrl: 'https://shop.example/mugs', linkDomain: HOST });
});
after(() => service.stop());

const set = (body: object, key = service.secretKey) => service.request('PATCH', '/v1/portal-settings', { key, body });
let visitors = 0;
const follow = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> =>
  service.request(method, path, {
    headers: {
      host: HOST,
      'user-agent': CHROME,
      'x-forwarded-for': `10.1.${visitors >> 8}.${visitors++ & 255}`,
      ...headers,
    },
  });
const targetOf = ({ status, headers }: Reply): URL => {
  assert.equal(status, 302);
  assert.equal(headers.get('cache-control'), 'no-store');
  return new URL(headers.get('location') ?? '');
};
const visits = async (collaborator = ada): Promise<number> => {
  const engagements = await shop.get<{ score: number }[]>(`/v1/engagements?collaboratorId=${collaborator}`);
  return engagements.reduce((sum, { score }) => sum + score, 0);
};

describe('a short link', () => {
  it('records the visit and redirects to the landing page with the code and the tracking id', async () => {
    const target = targetOf(await follow('/ada?utm_source=mail'));
    assert.equal(target.origin + target.pathname, 'https://shop.example/mugs');
    assert.equal(target.searchParams.get('ref'), 'ada');
    assert.equal(target.searchParams.get('utm_source'), 'mail');
    const trackingId = Number(target.searchParams.get('trackingId'));
    const sale = { source: 'shop', externalId: 'short-1', total: '100.00', trackingId };
    assert.equal((await service.request('POST', '/v1/event/sale', { key: service.secretKey, body: sale })).status, 200);
    await service.settled();
    const conversions = await shop.get<{ collaboratorId: number }[]>('/v1/conversions');
    assert.deepEqual(
      conversions.map(({ collaboratorId }) => collaboratorId),
      [ada],
    );
  });

  it('counts once together with the snippet’s report of the same visit', async () => {
    const before = await visits();
    const target = targetOf(await follow('/ADA'));
    const repeated = await service.request('POST', '/v1/event/site-visited', {
      key: service.publishableKey,
      body: { collaboratorId: `tracking:${target.searchParams.get('ref')}` },
      headers: { 'Idempotency-Key': target.searchParams.get('whence_visit') ?? '' },
    });
    assert.equal(repeated.headers.get('x-service-oid'), target.searchParams.get('trackingId'));
    assert.equal(await visits(), before + 1);
  });

  it('continues the opportunity in the snippet’s cookie', async () => {
    const first = targetOf(await follow('/ada')).searchParams.get('trackingId') ?? '';
    const cookie = `a=b; whence_oid=${first}`;
    assert.equal(targetOf(await follow('/ada', { cookie })).searchParams.get('trackingId'), first);
  });

  it('with a sub-id redirects with the referral code that has the sub-id', async () => {
    await service.request('POST', `/v1/collaborators/${ada}/aliases`, {
      key: service.secretKey,
      body: { type: 'tracking', code: 'ada.news' },
    });
    const target = targetOf(await follow('/ada/news'));
    assert.equal(target.searchParams.get('ref'), 'ada.news');
    assert.ok(target.searchParams.has('trackingId'));
  });

  it('with a page of its own opens that page only while the merchant allows its site', async () => {
    const pageUrl = 'https://blog.shop.example/post#top';
    await service.database.query(
      `insert into aliases (organization_id, collaborator_id, type, code, code_key, from_version, page_url)
       select organization_id, id, 'tracking', 'ada.post', 'ada.post', 0, $2 from collaborators where id = $1`,
      [ada, pageUrl],
    );
    assert.equal(targetOf(await follow('/ada/post')).host, 'shop.example');
    await set({ linkOrigins: ['https://blog.shop.example'] });
    const { origin, pathname, hash, searchParams } = targetOf(await follow('/ada/post'));
    assert.deepEqual([origin + pathname + hash, searchParams.get('ref')], [pageUrl, 'ada.post']);
    await set({ linkOrigins: [] });
    assert.equal(targetOf(await follow('/ada/post')).host, 'shop.example');
  });

  it('redirects without recording a visit for a bot, HEAD, a prefetch, an embedded request, or a refusal of tracking', async () => {
    const before = await visits();
    const uncounted: [Record<string, string>, string?][] = [
      [{ 'user-agent': FACEBOOK }],
      [{ 'user-agent': 'curl/8.5.0' }],
      [{}, 'HEAD'],
      [{ 'sec-purpose': 'prefetch' }],
      [{ 'sec-fetch-dest': 'image' }],
      [{ 'sec-fetch-dest': 'iframe' }],
      [{ 'sec-gpc': '1' }],
      [{ dnt: '1' }],
    ];
    for (const [headers, method] of uncounted) {
      const target = targetOf(await follow('/ada', headers, method));
      assert.equal(target.href, 'https://shop.example/mugs?ref=ada', JSON.stringify(headers));
    }
    assert.equal(await visits(), before);
  });

  it('redirects to the landing page without a code if its partner is unknown or inactive, or after too many guesses', async () => {
    const eve = await shop.collaborator('eve');
    await shop.change(`/v1/collaborators/${eve}`, { status: 'inactive' });
    for (const path of ['/nobody', '/eve', '/']) {
      assert.equal(targetOf(await follow(path)).href, 'https://shop.example/mugs', path);
    }
    const address = { 'x-forwarded-for': '10.9.9.9' };
    for (let guess = 0; guess < 20; guess++) await follow(`/guess-${guess}`, address);
    assert.equal(targetOf(await follow('/ada', address)).href, 'https://shop.example/mugs');
  });

  it('never redirects to another site', async () => {
    for (const path of [
      '//evil.example',
      '/https:%2F%2Fevil.example',
      '/ada?ref=//evil.example',
      '/%5C%5Cevil.example',
    ]) {
      const { status, headers } = await follow(path);
      if (status === 302) assert.equal(new URL(headers.get('location') ?? '').host, 'shop.example', path);
      else assert.equal(status, 404, path);
    }
  });

  it('is the only content of its domain: reserved paths get 404, other methods get 405, and the console is hidden', async () => {
    for (const path of ['/favicon.ico', '/robots.txt', '/v1/organization/x']) {
      const reply = await follow(path);
      assert.deepEqual([reply.status, reply.text], [404, 'There is no such link.\n'], path);
    }
    assert.equal((await follow('/ada', {}, 'POST')).status, 405);
    assert.equal(targetOf(await follow('/console')).host, 'shop.example');
  });
});

describe('the link domain', () => {
  it('is refused if CUSTOM_DOMAINS does not list it for the organization, so that no organization can take another host name of the service', async () => {
    const other = await service.foundOrganization('Third');
    const landingUrl = 'https://third.example/';
    for (const linkDomain of ['track.whence.example', 'whence.example', 'go2.shop.example'])
      assert.deepEqual(faultCodes(await set({ landingUrl, linkDomain }, other)), { '/linkDomain': 'not-applicable' });
    const served = await follow('/whence.js', { host: 'track.whence.example' });
    assert.equal(served.status, 200);
  });

  it('isn’t served after the operator has removed it from CUSTOM_DOMAINS', async () => {
    await service.database.query(
      `with taken as (insert into domains (domain, organization_id) values ('track.whence.example', 1))
       update portals set link_domain = 'track.whence.example' where organization_id = 1`,
    );
    try {
      assert.equal((await follow('/ada', { host: 'track.whence.example' })).status, 404);
      assert.equal((await set({ refParameter: 'ref' })).status, 200, 'other settings can still be changed');
    } finally {
      await set({ linkDomain: HOST });
    }
  });

  it('belongs to one organization, requires a landing page, and is a valid domain name', async () => {
    const other = await service.foundOrganization('Other');
    const landingUrl = 'https://other.example/';
    assert.equal(problemCode(await set({ slug: 'other', landingUrl, linkDomain: HOST }, other)), 'domain-taken');
    const settings = (await service.request('GET', '/v1/portal-settings', { key: other })).body as { slug: unknown };
    assert.equal(settings.slug, null, 'a refused change has no effect');
    assert.deepEqual(faultCodes(await set({ linkDomain: HOST }, other)), { '/landingUrl': 'not-applicable' });
    for (const linkDomain of [
      'https://go.shop.example',
      'localhost',
      '10.0.0.1',
      'go.shop.example:80',
      'go_.example',
    ]) {
      assert.deepEqual(faultCodes(await set({ linkDomain }, other)), { '/linkDomain': 'invalid-format' }, linkDomain);
    }
  });

  it('changes as soon as the call returns, and the former domain can be given to another organization', async () => {
    assert.equal((await set({ linkDomain: 'GO2.shop.example' })).status, 200);
    assert.equal((await follow('/ada')).status, 404);
    assert.equal(targetOf(await follow('/ada', { host: 'go2.shop.example:443' })).host, 'shop.example');
    const other = await service.foundOrganization('Next');
    assert.equal((await set({ landingUrl: 'https://next.example/', linkDomain: HOST }, other)).status, 200);
    assert.equal(targetOf(await follow('/ada')).href, 'https://next.example/');
  });
});
