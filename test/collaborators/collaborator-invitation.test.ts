import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THROTTLES } from '#platform/throttles/throttle.ts';
import { makePerson } from '../support/people.ts';
import { type Mailbox, openMailbox, openPortal } from '../support/portal.ts';
import { problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { countTries } from '../support/throttles.ts';

describe('invitations to collaborators', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let shop: Shop;
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    shop = openShop(service);
  });
  after(() => service.stop());
  const invite = (id: number) =>
    service.request('POST', `/v1/collaborators/${id}/invitation`, { key: service.secretKey });

  it('require a portal, an email address and an active collaborator', async () => {
    const ada = await shop.collaborator('ada', { email: 'ada@example.com' });
    assert.equal(problemCode(await invite(ada)), 'invalid-transition');
    await openPortal(service, mailbox, 'mugs', service.secretKey);
    assert.equal(problemCode(await invite(await shop.collaborator('bo'))), 'invalid-transition');
    const out = await shop.collaborator('cy', { email: 'cy@example.com', status: 'inactive' });
    assert.equal(problemCode(await invite(out)), 'invalid-transition');
    assert.equal((await invite(99_999)).status, 404);
    for (const name of ['ada', 'cy']) assert.deepEqual(await mailbox.mailsTo(`${name}@example.com`), []);
  });

  it('name their sender, and contain a plain portal link without a token', async () => {
    const id = await shop.collaborator('dee', { email: 'Dee@example.com' });
    const person = await makePerson(service, 'manager', 'grace@people.example');
    assert.equal((await person.call('POST', `/v1/collaborators/${id}/invitation`)).status, 200);
    const [mail, ...more] = await mailbox.mailsTo('dee@example.com');
    assert.deepEqual(more, []);
    assert.match(mail?.text ?? '', /^grace of .* added you as a partner/m);
    assert.match(mail?.text ?? '', /^http:\/\/\S+\/portal\/mugs\/$/m);
  });

  it('are limited to five per email address in fifteen minutes', async () => {
    const id = await shop.collaborator('eve', { email: 'eve@example.com' });
    const statuses = [];
    for (let at = 0; at < 6; at++) statuses.push((await invite(id)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
    assert.equal((await mailbox.mailsTo('eve@example.com')).length, 5);
  });

  it('are limited to ten per collaborator and day, across changes of the email address', async () => {
    const id = await shop.collaborator('fay', { email: 'fay@example.com' });
    const key = service.secretKey;
    const statuses = [];
    for (let at = 0; at < 11; at++) {
      await service.request('PATCH', `/v1/collaborators/${id}`, { key, body: { email: `fay-${at}@example.com` } });
      statuses.push((await invite(id)).status);
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429]);
    assert.deepEqual(await mailbox.mailsTo('fay-10@example.com'), []);
    const other = await shop.collaborator('guy', { email: 'guy@example.com' });
    assert.equal((await invite(other)).status, 200, 'other collaborators are not limited');
    const { rows } = await service.database.query<{ hours: number }>(
      `select round(extract(epoch from max(full_at) - clock_timestamp()) / 3600)::integer as hours from throttles`,
    );
    assert.deepEqual(rows, [{ hours: 24 }], 'one attempt is restored every 2.4 hours');
  });

  it('are limited to five per mailbox in fifteen minutes, regardless of the address tag', async () => {
    const statuses = [];
    for (let at = 0; at < 6; at++)
      statuses.push((await invite(await shop.collaborator(`hal-${at}`, { email: `hal+${at}@example.com` }))).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
    assert.deepEqual(await mailbox.mailsTo('hal+5@example.com'), []);
  });

  it('are limited to a thousand per organization and hour', async () => {
    const name = 'collaborators invited by an organization';
    assert.deepEqual(THROTTLES[name], { tries: 1_000, seconds: 3_600 });
    const { body } = await service.request('GET', '/v1/organization', { key: service.secretKey });
    await countTries(service, name, String((body as { id: number }).id), 998);
    const replies = [];
    for (const who of ['ida', 'jan', 'kim', 'lea', 'max'])
      replies.push(await invite(await shop.collaborator(who, { email: `${who}@example.com` })));
    // The limit allows another invitation every 3.6 s, so on a slow machine more than two invitations can succeed.
    const refused = replies.find(({ status }) => status === 429);
    assert.deepEqual(
      replies.slice(0, 2).map(({ status }) => status),
      [200, 200],
    );
    assert.ok(Number(refused?.headers.get('retry-after')) > 0);
  });
});
