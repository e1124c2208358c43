import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertEndsWithinASecond, type Mailbox, openMailbox, openPortal } from '../support/portal.ts';
import { faultCodes, problemCode, statusesOf } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Settings = { slug: string | null; url: string | null; name: string; logo: string | null; embedOrigins: string[] };

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const LOGO = `data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')}`;

let service: TestService;
let mailbox: Mailbox;
let shop: Shop;
before(async () => {
  service = await startService({ PUBLIC_URL: 'http://partners.example' });
  mailbox = await openMailbox(service);
  shop = openShop(service);
});
after(() => service.stop());

const change = (body: object, key = service.secretKey) =>
  service.request('PATCH', '/v1/portal-settings', { key, body });
const settings = () => shop.get<Settings>('/v1/portal-settings');

describe('GET and PATCH /v1/portal-settings', () => {
  it('shows a closed portal with the organization’s name by default', async () => {
    const organization = await shop.get<{ name: string }>('/v1/organization');
    assert.deepEqual(await settings(), {
      slug: null,
      url: null,
      name: organization.name,
      accent: '#4f46e5',
      logo: null,
      supportEmail: null,
      termsUrl: null,
      landingUrl: null,
      refParameter: 'ref',
      embedOrigins: [],
      linkOrigins: [],
      linkDomain: null,
      portalDomain: null,
    });
  });

  it('opens the portal with a slug, which requires a landing URL', async () => {
    assert.deepEqual(faultCodes(await change({ slug: 'mugs' })), { '/landingUrl': 'not-applicable' });
    assert.deepEqual(faultCodes(await change({ slug: 'assets', landingUrl: 'https://shop.example' })), {
      '/slug': 'not-applicable',
    });
    const opened = await change({ slug: 'mugs', landingUrl: 'https://shop.example', accent: '#AABBCC' });
    const { slug, url, landingUrl, accent } = opened.body as Settings & { landingUrl: string; accent: string };
    assert.deepEqual(
      { slug, url, landingUrl, accent },
      {
        slug: 'mugs',
        url: 'http://partners.example/portal/mugs/',
        landingUrl: 'https://shop.example/',
        accent: '#aabbcc',
      },
    );
    assert.deepEqual(faultCodes(await change({ landingUrl: null })), { '/landingUrl': 'not-applicable' });
  });

  it('lists every invalid field in one response', async () => {
    const refused = await change({
      slug: 'Not a slug',
      name: '',
      accent: 'red',
      logo: 'data:text/html;base64,PGI+',
      supportEmail: 'nobody',
      termsUrl: 'javascript:alert(1)',
      landingUrl: 'https://user:secret@shop.example/',
      refParameter: 'a b',
      embedOrigins: ['https://shop.example/path'],
    });
    assert.deepEqual(faultCodes(refused), {
      '/slug': 'invalid-format',
      '/name': 'too-short',
      '/accent': 'invalid-format',
      '/logo': 'invalid-logo',
      '/supportEmail': 'invalid-format',
      '/termsUrl': 'invalid-format',
      '/landingUrl': 'invalid-format',
      '/refParameter': 'invalid-format',
      '/embedOrigins/0': 'invalid-format',
    });
    for (const origin of ['*', 'https://*.example', "https://a.example;script-src'none'", 'ftp://a.example']) {
      assert.deepEqual(faultCodes(await change({ embedOrigins: [origin] })), { '/embedOrigins/0': 'invalid-format' });
    }
  });

  it('gives a slug to only one of several organizations that request it concurrently', async () => {
    const keys = [service.secretKey, await service.foundOrganization('B'), await service.foundOrganization('C')];
    const body = { slug: 'wanted', landingUrl: 'https://shop.example/' };
    const replies = await Promise.all(keys.map((key) => change(body, key)));
    assert.deepEqual(statusesOf(replies), [200, 409, 409]);
    assert.deepEqual(replies.filter(({ status }) => status === 409).map(problemCode), ['portal-taken', 'portal-taken']);
    // Once an organization changes or deletes its slug, another organization can take the slug.
    await change({ slug: 'mugs', landingUrl: 'https://shop.example/' });
    const winner = replies.findIndex(({ status }) => status === 200);
    if (winner > 0) await change({ slug: null }, keys[winner]);
    assert.equal((await change(body, keys[1])).status, 200);
    assert.equal((await change({ slug: null }, keys[1])).status, 200);
  });

  it('supports ETags, and records changes in the audit log', async () => {
    const read = await service.request('GET', '/v1/portal-settings', { key: service.secretKey });
    const tag = read.headers.get('etag') ?? '';
    const name = { key: service.secretKey, body: { name: 'Ada’s Mugs' } };
    assert.equal(
      (await service.request('PATCH', '/v1/portal-settings', { ...name, headers: { 'If-Match': tag } })).status,
      200,
    );
    assert.equal(
      (await service.request('PATCH', '/v1/portal-settings', { ...name, headers: { 'If-Match': tag } })).status,
      412,
    );
    const entries = await shop.get<unknown[]>('/v1/audit-entries?operation=changePortalSettings');
    assert.ok(entries.length > 0);
  });

  it('serves the logo with its own content type and a sandbox policy', async () => {
    const none = await service.request('GET', '/portal/mugs/logo');
    assert.equal(none.status, 404);
    assert.equal((await change({ logo: LOGO })).status, 200);
    const logo = await service.request('GET', '/portal/mugs/logo');
    assert.deepEqual([logo.status, logo.text], [200, SVG]);
    assert.equal(logo.headers.get('content-type'), 'image/svg+xml');
    assert.equal(logo.headers.get('x-content-type-options'), 'nosniff');
    assert.match(logo.headers.get('content-security-policy') ?? '', /^default-src 'none';.* sandbox$/);
    const etag = logo.headers.get('etag') ?? '';
    const again = await service.request('GET', '/portal/mugs/logo', { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
    assert.equal((await service.request('GET', '/portal/nobody/logo')).status, 404);
    assert.equal((await service.request('POST', '/portal/mugs/logo')).status, 405);
    assert.equal((await settings()).logo, LOGO);
  });
});

describe('the sign-up of a program', () => {
  it('is closed by default, and the portal offers only active programs whose sign-up is not closed', async () => {
    const program = await shop.program({ name: 'Friends' });
    const path = `/v1/programs/${program}/sign-up`;
    const offered = async () =>
      ((await service.request('GET', '/v1/portals/mugs')).body as { programs: { id: number }[] }).programs;
    const rest = { fields: [], acceptedDomains: [], signUpsFromNetwork: 3 };
    assert.deepEqual(await shop.get(path), { mode: 'closed', headline: null, ...rest });
    assert.deepEqual(await offered(), []);
    await shop.change(path, { mode: 'open', headline: 'Ten percent', fields: [{ label: 'Where?', type: 'url' }] });
    await shop.change(path, { fields: [] });
    assert.deepEqual(await shop.get(path), { mode: 'open', headline: 'Ten percent', ...rest });
    const [shown] = (await offered()) as { id: number; mode: string; headline: string; words: string[] }[];
    assert.deepEqual([shown?.id, shown?.mode, shown?.headline], [program, 'open', 'Ten percent']);
    assert.match(shown?.words.join(' ') ?? '', /You earn 10/);
    await shop.change(`/v1/programs/${program}`, { status: 'inactive' });
    assert.deepEqual(await offered(), []);
  });

  it('can’t be opened for a deleted program', async () => {
    const program = await shop.program();
    const key = service.secretKey;
    await service.request('DELETE', `/v1/programs/${program}`, { key });
    const path = `/v1/programs/${program}/sign-up`;
    const refused = await service.request('PATCH', path, { key, body: { mode: 'open' } });
    assert.equal(problemCode(refused), 'invalid-transition');
    assert.equal((await service.request('PATCH', path, { key, body: {} })).status, 200);
  });
});

describe('payout details', () => {
  const account = 'DE89 3704 0044 0532 0130 00';
  const stored = 'DE89370400440532013000';
  const details = { method: 'iban', holder: 'Ada Lovelace', account };

  it('are set and masked in the portal, announced by email, and read in full with an audit record', async () => {
    const email = 'ada@paid.example';
    const portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    const id = await shop.collaborator('paid', { name: 'Ada', email });
    const path = `/v1/collaborators/${id}/payout-details`;
    const key = service.secretKey;
    assert.equal((await service.request('GET', path, { key })).status, 404);
    const ada = await portal.enter(email);
    const changed = await ada.must<{ payoutDetails: object }>('PATCH', '/v1/portal/account', {
      payoutDetails: details,
    });
    assert.partialDeepStrictEqual(changed.payoutDetails, { ...details, account: '••••3000' });
    const read = await service.request('GET', path, { key });
    assert.partialDeepStrictEqual(read.body, { ...details, account: stored });
    const notices = (await mailbox.mailsTo(email)).filter(({ subject }) => /payout details/.test(subject));
    assert.equal(notices.length, 1);
    // Sending the same payout details, or the masked payout details as shown, changes nothing.
    await ada.must('PATCH', '/v1/portal/account', changed);
    await ada.must('PATCH', '/v1/portal/account', { payoutDetails: details });
    assert.equal((await mailbox.mailsTo(email)).length, 2);
    // If a masked account is sent with another change, the stored account is kept.
    await ada.must('PATCH', '/v1/portal/account', {
      payoutDetails: { ...changed.payoutDetails, holder: 'Ada King', updatedAt: undefined },
    });
    assert.partialDeepStrictEqual((await service.request('GET', path, { key })).body, {
      holder: 'Ada King',
      account: stored,
    });
    const end = await ada.call('PATCH', '/v1/portal/account', { payoutDetails: { ...details, account: '••••4444' } });
    assert.deepEqual(faultCodes(end), { '/payoutDetails/account': 'masked' });

    const [reading] = await shop.get<{ author: string }[]>('/v1/audit-entries?operation=getPayoutDetails');
    assert.match(reading?.author ?? '', /^key \d+$/);
    const [entry] = await shop.get<{ author: string }[]>('/v1/audit-entries?operation=changePortalAccount');
    assert.equal(entry?.author, `collaborator ${id}`);
    const { rows } = await service.database.query<{ all: string }>(
      `select coalesce(string_agg(a::text, ''), '') || (select string_agg(encode(details, 'escape'), '') from payout_details)
         as all from audit_entries a`,
    );
    assert.ok(!rows[0]?.all.includes('05320130'), 'the account number is not stored in plain text');

    await ada.must('PATCH', '/v1/portal/account', { name: 'Ada King', payoutDetails: null });
    assert.equal((await service.request('GET', path, { key })).status, 404);
    assert.equal((await shop.get<{ name: string }>(`/v1/collaborators/${id}`)).name, 'Ada King');
  });

  it('can’t be read with a read-only key', async () => {
    const reader = (await service.request('POST', '/v1/api-keys', {
      key: service.secretKey,
      body: { label: 'Reader', scopes: ['resources:read'] },
    })) as { body: { rawKey: string } };
    const refused = await service.request('GET', '/v1/collaborators/1/payout-details', { key: reader.body.rawKey });
    assert.equal(problemCode(refused), 'scope-required');
  });
});

describe('closing the portal', () => {
  it('logs every collaborator out, and its endpoints then return 404', async () => {
    const portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    await shop.collaborator('bo', { email: 'bo@example.com' });
    const bo = await portal.enter('bo@example.com');
    assert.equal((await change({ slug: null })).status, 200);
    const { rows } = await service.database.query('select from sessions where collaborator_id is not null');
    assert.deepEqual(rows, []);
    assert.equal((await portal.visit('GET', '')).status, 404);
    assert.equal((await portal.visit('POST', '/links', { email: 'bo@example.com' })).status, 404);
    await assertEndsWithinASecond(bo);
  });
});
