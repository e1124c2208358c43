import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newPasskey, type Passkey } from '../support/authenticator.ts';
import {
  type Collaborator,
  loggedInCollaborator,
  type Mailbox,
  openMailbox,
  openPortal,
  type Portal,
} from '../support/portal.ts';
import { problemCode, statusesOf } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

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

describe('a portal passkey', () => {
  const page = () => service.url.replace('127.0.0.1', 'localhost');
  type Options = { challenge: string; rp: { id: string }; rpId: string; user: { id: string } };
  const add = async (inside: Collaborator, name: string): Promise<Passkey> => {
    const passkey = newPasskey(page());
    const options = await inside.must<Options>('POST', '/v1/portal/passkeys/challenge');
    await inside.must('POST', '/v1/portal/passkeys', { name, response: passkey.create(options) });
    return passkey;
  };
  const logInBy = async (at: Portal, passkey: Passkey) => {
    const options = (await at.visit('POST', '/sessions/challenge')).body as Options;
    return at.visit('POST', '/sessions/passkey', { response: passkey.get(options) });
  };

  it('logs its collaborator in to one portal only, and is announced by email', async () => {
    const email = 'key@example.com';
    await shop.collaborator('key', { name: 'Key', email });
    const passkey = await add(await portal.enter(email), 'Phone');
    const inside = loggedInCollaborator(service, await logInBy(portal, passkey));
    const [kept] = await inside.must<{ name: string; lastUsedAt: string | null }[]>('GET', '/v1/portal/passkeys');
    assert.equal(kept?.name, 'Phone');
    assert.notEqual(kept?.lastUsedAt, null);
    assert.match((await mailbox.mailsTo(email)).at(-1)?.text ?? '', /Phone/);
    const other = await openPortal(service, mailbox, 'elsewhere', await service.foundOrganization('Elsewhere'));
    assert.equal(problemCode(await logInBy(other, passkey)), 'wrong-credentials');
  });

  it('is refused for a repeated response, for an inactive collaborator, and after removal', async () => {
    const email = 'spare@example.com';
    const id = await shop.collaborator('spare', { email });
    const inside = await portal.enter(email);
    const passkey = await add(inside, 'Spare');
    const options = (await portal.visit('POST', '/sessions/challenge')).body as Options;
    const response = passkey.get(options);
    const replies = await Promise.all([1, 2].map(() => portal.visit('POST', '/sessions/passkey', { response })));
    assert.deepEqual(statusesOf(replies), [201, 401]);
    await shop.change(`/v1/collaborators/${id}`, { status: 'inactive' });
    assert.equal((await logInBy(portal, passkey)).status, 401);
    await shop.change(`/v1/collaborators/${id}`, { status: 'active' });
    assert.equal((await logInBy(portal, passkey)).status, 201);
    const again = await portal.enter(email);
    const [kept] = await again.must<{ id: number }[]>('GET', '/v1/portal/passkeys');
    await again.must('DELETE', `/v1/portal/passkeys/${kept?.id}`);
    assert.equal((await logInBy(portal, passkey)).status, 401);
  });

  it('can’t be added without an email address, because no notification could be sent', async () => {
    const id = await shop.collaborator('mute', { email: 'mute@example.com' });
    const inside = await portal.enter('mute@example.com');
    // Change the email in the database, because a change through the API would end the session.
    await service.database.query('update collaborators set email = null where id = $1', [id]);
    assert.equal(problemCode(await inside.call('POST', '/v1/portal/passkeys/challenge')), 'invalid-transition');
  });
});
