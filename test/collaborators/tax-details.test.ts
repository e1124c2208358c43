import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THROTTLES } from '#platform/throttles/throttle.ts';
import { type Collaborator, type Mailbox, openMailbox, openPortal, type Portal } from '../support/portal.ts';
import { TAX_DETAILS } from '../support/payouts.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { countTries, forgetTries } from '../support/throttles.ts';

type Shown = { setting?: string; taxDetails: Record<string, string | null> | null };

describe('tax details', () => {
  let service: TestService;
  let shop: Shop;
  let mailbox: Mailbox;
  let portal: Portal;
  let partners = 0;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    mailbox = await openMailbox(service);
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
  });
  after(() => service.stop());

  const ask = (taxDetails: string) => shop.change('/v1/payout-settings', { taxDetails });
  const partner = async (): Promise<{ id: number; email: string; page: Collaborator }> => {
    partners += 1;
    const email = `partner-${partners}@tax.example`;
    const id = await shop.collaborator(`partner-${partners}`, { email });
    return { id, email, page: await portal.enter(email) };
  };
  const noticesTo = async (email: string): Promise<string[]> =>
    (await mailbox.mailsTo(email)).filter(({ subject }) => /tax details/.test(subject)).map(({ text }) => text);
  const change = (id: number, taxDetails: object | null, key = service.secretKey): Promise<Reply> =>
    service.request('PATCH', `/v1/collaborators/${id}/tax-details`, { key, body: { taxDetails } });

  it('can be entered in the portal only if the merchant asks for them', async () => {
    const { page } = await partner();
    assert.deepEqual(await page.must('GET', '/v1/portal/tax-details'), { setting: 'not-asked', taxDetails: null });
    const refused = await page.call('PATCH', '/v1/portal/tax-details', { taxDetails: TAX_DETAILS });
    assert.equal(problemCode(refused), 'invalid-transition');
    await ask('asked');
    const entered = await page.must<Shown>('PATCH', '/v1/portal/tax-details', { taxDetails: TAX_DETAILS });
    assert.deepEqual([entered.setting, entered.taxDetails?.['tin']], ['asked', '••••1809']);
    const removal = await page.call('PATCH', '/v1/portal/tax-details', { taxDetails: null });
    assert.deepEqual(
      [removal.status, (await page.must<Shown>('GET', '/v1/portal/tax-details')).taxDetails === null],
      [422, false],
    );
  });

  it('are shown masked except in an export, and each change sends one email to the collaborator', async () => {
    await ask('asked');
    const { id, email, page } = await partner();
    await page.must('PATCH', '/v1/portal/tax-details', { taxDetails: TAX_DETAILS });
    const path = `/v1/collaborators/${id}/tax-details`;
    const shown = await shop.get<Shown>(path);
    assert.partialDeepStrictEqual(shown.taxDetails, { firstName: 'Ada', tin: '••••1809', dateOfBirth: '••••' });
    const [notice, ...others] = await noticesTo(email);
    assert.deepEqual(others, []);
    assert.doesNotMatch(notice ?? '', /1809|Torstra/, 'the email contains no tax details');
    // Sending the masked details back unchanged changes nothing. Changing another field keeps the numbers that are sent
    // masked.
    assert.equal((await change(id, shown.taxDetails)).status, 200);
    assert.equal((await noticesTo(email)).length, 1);
    assert.equal((await change(id, { ...shown.taxDetails, city: 'Bonn' })).status, 200);
    assert.equal((await noticesTo(email)).length, 2);
    const { taxDetails } = await shop.get<Shown>(`/v1/collaborators/${id}/export`);
    assert.partialDeepStrictEqual(taxDetails, { ...TAX_DETAILS, city: 'Bonn' });
    const masked = await change(id, { ...TAX_DETAILS, tin: '••••9999' });
    assert.deepEqual(faultCodes(masked), { '/taxDetails/tin': 'masked' });
    const faulty = await change(id, { ...TAX_DETAILS, country: 'XK', tin: null });
    assert.deepEqual(faultCodes(faulty), { '/taxDetails/country': 'unknown-value' });
    const incomplete = await change(id, { ...TAX_DETAILS, tin: null, dateOfBirth: null });
    assert.deepEqual(faultCodes(incomplete), { '/taxDetails/tin': 'required', '/taxDetails/dateOfBirth': 'required' });
    assert.equal((await change(id, null)).status, 200);
    assert.deepEqual(await shop.get<Shown>(path), { taxDetails: null });
  });

  it('are stored encrypted, and the audit log has the author of each change but not the values', async () => {
    await ask('asked');
    const { id, page } = await partner();
    await page.must('PATCH', '/v1/portal/tax-details', { taxDetails: TAX_DETAILS });
    await change(id, { ...TAX_DETAILS, street: 'Torstraße 2' });
    const authors = async (operation: string) =>
      (await shop.get<{ author: string }[]>(`/v1/audit-entries?operation=${operation}`)).map(({ author }) => author);
    assert.ok((await authors('changePortalTaxDetails')).includes(`collaborator ${id}`));
    assert.match((await authors('changeTaxDetails'))[0] ?? '', /^key \d+$/);
    const { rows } = await service.database.query<{ all: string }>(
      `select coalesce(string_agg(a::text, ''), '') || (select string_agg(encode(details, 'escape'), '') from tax_details)
         as all from audit_entries a where operation like '%TaxDetails' or operation like '%Settings'`,
    );
    assert.doesNotMatch(rows[0]?.all ?? '', /Torstra|Lovelace|1809|1990/);
  });

  it('require the scope resources:write, and can’t be changed from another organization', async () => {
    const { id } = await partner();
    const created = await service.request('POST', '/v1/api-keys', {
      key: service.secretKey,
      body: { label: 'Reader', scopes: ['resources:read'] },
    });
    const { rawKey } = created.body as { rawKey: string };
    const read = await service.request('GET', `/v1/collaborators/${id}/tax-details`, { key: rawKey });
    assert.equal(problemCode(read), 'scope-required');
    assert.equal(problemCode(await change(id, TAX_DETAILS, rawKey)), 'scope-required');
    const other = await service.foundOrganization('Other');
    assert.equal((await change(id, TAX_DETAILS, other)).status, 404);
  });

  it('can be changed at most 10 times a day, by the collaborator and the merchant together', async () => {
    await ask('asked');
    const { tries } = THROTTLES['tax details of a collaborator'];
    const { id, email, page } = await partner();
    for (let n = 0; n < tries; n += 1) {
      const taxDetails = { ...TAX_DETAILS, street: `Torstraße ${n}` };
      if (n % 2 === 0) await page.must('PATCH', '/v1/portal/tax-details', { taxDetails });
      else assert.equal((await change(id, taxDetails)).status, 200);
    }
    assert.equal((await change(id, TAX_DETAILS)).status, 429);
    assert.equal((await page.call('PATCH', '/v1/portal/tax-details', { taxDetails: TAX_DETAILS })).status, 429);
    assert.equal((await noticesTo(email)).length, tries);
  });

  it('can be changed a limited number of times per mailbox and organization, except for collaborators without an email address', async () => {
    const ofMailbox = 'tax details of a mailbox';
    const { id, email } = await partner();
    const twin = await shop.collaborator('twin', { email: email.replace('@', '+twin@') });
    await countTries(service, ofMailbox, `1 ${email}`, THROTTLES[ofMailbox].tries - 1);
    assert.equal((await change(twin, TAX_DETAILS)).status, 200);
    assert.equal((await change(id, TAX_DETAILS)).status, 429);
    const ofOrganization = 'tax details of an organization';
    await countTries(service, ofOrganization, '1', THROTTLES[ofOrganization].tries);
    assert.equal((await change((await partner()).id, TAX_DETAILS)).status, 429);
    assert.equal((await change(await shop.collaborator('silent', { email: null }), TAX_DETAILS)).status, 200);
    await forgetTries(service);
  });

  it('never mix the fields of concurrent changes', async () => {
    const { id } = await partner();
    const streets = Array.from({ length: 8 }, (_, n) => `Torstraße ${n}`);
    const replies = await Promise.all(
      streets.map((street, n) => change(id, { ...TAX_DETAILS, street, postalCode: String(10_000 + n) })),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      streets.map(() => 200),
    );
    const { taxDetails } = await shop.get<Shown>(`/v1/collaborators/${id}/tax-details`);
    const winner = streets.indexOf(taxDetails?.['street'] ?? '');
    assert.equal(taxDetails?.['postalCode'], String(10_000 + winner));
  });

  it('are erased with the collaborator, and are not stored for a deleted collaborator', async () => {
    const { id } = await partner();
    assert.equal((await change(id, TAX_DETAILS)).status, 200);
    const body = { collaboratorId: id };
    const erased = await service.request('POST', '/v1/collaborators/erase', { key: service.secretKey, body });
    assert.equal(erased.status, 200, erased.text);
    assert.deepEqual(await shop.get<Shown>(`/v1/collaborators/${id}/tax-details`), { taxDetails: null });
    assert.equal(problemCode(await change(id, TAX_DETAILS)), 'invalid-transition');
  });
});
