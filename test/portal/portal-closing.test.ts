import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  assertEndsWithinASecond,
  type Collaborator,
  type Mailbox,
  openMailbox,
  openPortal,
  type Portal,
} from '../support/portal.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

/* If a merchant revokes a collaborator's access, old sessions and emailed links must not restore it. */

let service: TestService;
let mailbox: Mailbox;
let shop: Shop;
let portal: Portal;
before(async () => {
  service = await startService();
  mailbox = await openMailbox(service);
  shop = openShop(service);
  portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
});
after(() => service.stop());

type Partner = { readonly id: number; readonly session: Collaborator; readonly email: string };

const partner = async (email: string, status = 'active'): Promise<Partner> => {
  const id = await shop.collaborator(email, { email, status });
  return { id, email, session: await portal.enter(email) };
};
const change = ({ id }: Partner, fields: Record<string, unknown>) => shop.change(`/v1/collaborators/${id}`, fields);
const bulk = async ({ id }: Partner, action: string): Promise<void> => {
  const done = await service.request('POST', '/v1/collaborators/bulk', {
    key: service.secretKey,
    body: { action, ids: [id] },
  });
  assert.equal(done.status, 200, done.text);
};
const askForLink = async (email: string) => {
  assert.equal((await portal.visit('POST', '/links', { email })).status, 200);
  return mailbox.entryOf(email);
};
const signUp = async (email: string) => {
  const programId = await shop.program({ enrollment: 'selected' });
  await shop.change(`/v1/programs/${programId}/sign-up`, { mode: 'open' });
  assert.equal((await portal.visit('POST', '/sign-ups', { programId, name: 'Max', email })).status, 200);
  return mailbox.entryOf(email);
};
const enterBy = async (body: object) => (await portal.visit('POST', '/sessions', body)).status;
const isIn = async ({ session }: Partner) => (await session.call('GET', '/v1/portal/session')).status === 200;
const addPasskey = ({ id }: Partner) =>
  service.database.query(
    `insert into passkeys (organization_id, collaborator_id, name, credential, public_key, counter, user_handle)
     values (1, $1, 'Phone', $2, '\\x00', 0, $3)`,
    [id, Buffer.from(`credential ${id}`), Buffer.alloc(32, 1)],
  );
const passkeysOf = async ({ id }: Partner) =>
  (await service.database.query('select from passkeys where collaborator_id = $1', [id])).rowCount;

describe('closing a collaborator’s account', () => {
  it('PATCH /v1/collaborators/{id}: a session stays ended when an inactive collaborator is reactivated', async () => {
    const ada = await partner('ada@closing.example');
    await change(ada, { status: 'inactive' });
    await change(ada, { status: 'active' });
    await assertEndsWithinASecond(ada.session);
  });

  it('POST /v1/collaborators/bulk: a session stays ended when a collaborator is deactivated and reactivated', async () => {
    const bo = await partner('bo@closing.example');
    await bulk(bo, 'deactivate');
    await bulk(bo, 'activate');
    await assertEndsWithinASecond(bo.session);
  });

  it('voids login links that were emailed before', async () => {
    const cy = await partner('cy@closing.example');
    const { token, code } = await askForLink(cy.email);
    await change(cy, { status: 'inactive' });
    await change(cy, { status: 'active' });
    assert.equal(await enterBy({ token }), 410);
    assert.equal(await enterBy({ email: cy.email, code }), 410);
  });

  it('voids emailed links that confirm a sign-up, because these links also log in', async () => {
    const max = await partner('max@closing.example');
    const { token, code } = await signUp(max.email);
    await change(max, { status: 'inactive' });
    await change(max, { status: 'active' });
    assert.equal(await enterBy({ token }), 410);
    assert.equal(await enterBy({ email: max.email, code }), 410);
  });

  it('ends the sessions of rejected and deleted collaborators', async () => {
    const di = await partner('di@closing.example', 'pending');
    const ed = await partner('ed@closing.example');
    const fay = await partner('fay@closing.example', 'pending');
    await change(di, { status: 'rejected' });
    await bulk(fay, 'reject');
    await service.request('DELETE', `/v1/collaborators/${ed.id}`, { key: service.secretKey });
    const ids = [di.id, ed.id, fay.id];
    const { rowCount } = await service.database.query('select from sessions where collaborator_id = any ($1)', [ids]);
    assert.equal(rowCount, 0);
  });

  it('a reactivation ends sessions that an earlier release left open', async () => {
    const gus = await partner('gus@closing.example');
    await service.database.query(`update collaborators set status = 'inactive' where id = $1`, [gus.id]);
    await change(gus, { status: 'active' });
    await assertEndsWithinASecond(gus.session);
  });

  it('an approval that also changes the name and the case of the email ends no session', async () => {
    const hal = await partner('hal@closing.example', 'pending');
    await change(hal, { status: 'active', name: 'Hal', email: 'HAL@closing.example' });
    assert.equal(await isIn(hal), true);
  });

  it('keeps the passkeys, even when the account is reopened', async () => {
    const lou = await partner('lou@closing.example');
    await addPasskey(lou);
    await change(lou, { status: 'inactive' });
    await change(lou, { status: 'active' });
    assert.equal(await passkeysOf(lou), 1);
  });
});

describe('an email change by the merchant', () => {
  it('PATCH /v1/collaborators/{id}: voids login links that were emailed to the old address', async () => {
    const ida = await partner('ida@closing.example');
    const { token, code } = await askForLink(ida.email);
    await change(ida, { email: 'ida@new.example' });
    assert.equal(await enterBy({ token }), 410);
    assert.equal(await enterBy({ email: ida.email, code }), 410);
  });

  it('voids emailed links that confirm a sign-up with the old address', async () => {
    const nia = await partner('nia@closing.example');
    const { token } = await signUp(nia.email);
    await change(nia, { email: 'nia@new.example' });
    assert.equal(await enterBy({ token }), 410);
  });

  it('ends sessions and deletes passkeys, because a login with the old address could have created them', async () => {
    const jo = await partner('jo@closing.example');
    await addPasskey(jo);
    await change(jo, { email: 'jo@new.example' });
    await assertEndsWithinASecond(jo.session);
    assert.equal(await passkeysOf(jo), 0);
    await portal.enter('jo@new.example');
  });

  it('ends sessions when the email is removed', async () => {
    const kit = await partner('kit@closing.example');
    await change(kit, { email: null });
    await assertEndsWithinASecond(kit.session);
  });
});
