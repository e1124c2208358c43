import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_RECIPIENTS } from '#notifications/domain/announcement.ts';
import { PUBLIC_URL, startNotifying } from './notifying.ts';
import { makePerson, type Member } from '../support/people.ts';
import { type Mailbox, openMailbox } from '../support/portal.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { openShop, type Shop } from '../support/shop.ts';

type NotifyingService = Awaited<ReturnType<typeof startNotifying>>;
type Announcement = { id: number; recipients: number; author: string };

const NEWS = { subject: 'News from Mugs', text: 'New banners:\n\nhttps://mugs.example/banners.' };

describe('announcements', () => {
  let service: NotifyingService;
  let shop: Shop;
  let mailbox: Mailbox;
  let ada: Member;
  let closed: number;
  before(async () => {
    service = await startNotifying();
    shop = openShop(service);
    mailbox = await openMailbox(service);
    ada = await makePerson(service, 'manager', 'ada@mugs.example');
    await shop.program({ name: 'Friends' });
    closed = await shop.program({ name: 'Invited', enrollment: 'selected' });
    await shop.collaborator('bob', { email: 'bob@mugs.example', name: 'Bob', tags: ['Gold'] });
    const cy = await shop.collaborator('cy', { email: 'cy@mugs.example' });
    await enroll(cy);
    await shop.collaborator('dee', {});
    await shop.collaborator('eve', { email: 'eve@mugs.example', status: 'pending' });
  });
  after(() => service.stop());

  const enroll = async (collaboratorId: number): Promise<void> => {
    const path = `/v1/programs/${closed}/collaborators`;
    const reply = await service.request('POST', path, { key: service.secretKey, body: { collaboratorId } });
    assert.ok(reply.status < 300, reply.text);
  };
  const send = (body: object, key?: string) =>
    ada.call('POST', '/v1/announcements', { ...NEWS, ...body }, key === undefined ? {} : { 'idempotency-key': key });
  const newsTo = async (address: string) =>
    (await mailbox.mailsTo(address)).filter(({ subject }) => subject === NEWS.subject);
  const forgetLimit = () => service.database.query('delete from throttles');

  it('are refused while the portal is closed', async () => {
    assert.equal(problemCode(await send({})), 'invalid-transition');
    assert.equal(problemCode(await ada.call('POST', '/v1/announcements/test', NEWS)), 'invalid-transition');
    await shop.change('/v1/portal-settings', { slug: 'mugs', landingUrl: 'https://mugs.example/' });
    await service.notify();
  });

  it('can be sent to their author alone as a test', async () => {
    await ada.must('POST', '/v1/announcements/test', NEWS);
    const [mail] = (await mailbox.mailsTo('ada@mugs.example')).slice(-1);
    assert.equal(mail?.subject, 'Test: News from Mugs');
    assert.equal(mail.brand, 'merchant');
    assert.match(
      mail.text,
      /^Hello ada,\n\nNew banners:\n\nhttps:\/\/mugs\.example\/banners\.\n\nhttp:\S+\/portal\/mugs\/\n$/,
    );
    for (let n = 0; n < 19; n += 1) await ada.must('POST', '/v1/announcements/test', NEWS);
    assert.equal((await ada.call('POST', '/v1/announcements/test', NEWS)).status, 429, 'at most 20 tests in an hour');
    const twin = await makePerson(service, 'manager', 'Ada+twin@mugs.example');
    assert.equal(
      (await twin.call('POST', '/v1/announcements/test', NEWS)).status,
      429,
      'for all people of one mailbox',
    );
  });

  it('are emailed once to each active partner with an address, even if the call is repeated', async () => {
    assert.deepEqual(await ada.must('GET', '/v1/announcements/recipients'), { count: 2 });
    const [one, two] = await Promise.all([send({}, 'draft-0001'), send({}, 'draft-0001')]);
    const again = await send({}, 'draft-0001');
    const made = [one, two, again].filter(({ status }) => status === 201).map(({ body }) => body as Announcement);
    assert.equal(new Set(made.map(({ id }) => id)).size, 1);
    assert.deepEqual([made[0]?.recipients, made[0]?.author], [2, `person ${ada.id}`]);
    await Promise.all([service.notify(), service.notify()]);
    await service.notify();
    for (const address of ['bob@mugs.example', 'cy@mugs.example']) {
      const [mail, ...more] = await newsTo(address);
      assert.equal(more.length, 0);
      assert.match(mail?.unsubscribeUrl ?? '', new RegExp(`^${PUBLIC_URL}/unsubscribe/1\\.\\d+\\.announcement\\.`));
    }
    assert.deepEqual(await newsTo('eve@mugs.example'), []);
    const listed = await ada.must<Announcement[]>('GET', '/v1/announcements');
    assert.deepEqual(
      listed.map(({ id }) => id),
      [made[0]?.id],
    );
  });

  it('can be sent to the partners of a program or to the partners with a tag', async () => {
    assert.deepEqual(await ada.must('GET', '/v1/announcements/recipients?tag=GOLD'), { count: 1 });
    assert.deepEqual(await ada.must('GET', `/v1/announcements/recipients?programId=${closed}`), { count: 1 });
    assert.equal(((await send({ tag: ' Gold ' })).body as Announcement).recipients, 1);
    await service.notify();
    assert.deepEqual([(await newsTo('bob@mugs.example')).length, (await newsTo('cy@mugs.example')).length], [2, 1]);
    assert.equal(((await send({ programId: closed })).body as Announcement).recipients, 1);
    await service.notify();
    assert.deepEqual([(await newsTo('bob@mugs.example')).length, (await newsTo('cy@mugs.example')).length], [2, 2]);
    assert.deepEqual(faultCodes(await send({ programId: 999 })), { '/programId': 'unknown-program' });
    assert.equal(problemCode(await send({ tag: 'silver' })), 'invalid-transition');
  });

  it('are not sent to partners who unsubscribed from announcements', async () => {
    await forgetLimit();
    const [mail] = await newsTo('cy@mugs.example');
    const link = service.url + (mail?.unsubscribeUrl ?? '').slice(PUBLIC_URL.length);
    assert.match(await (await fetch(link)).text(), /emails from My organization about news for partners/);
    assert.equal(((await send({})).body as Announcement).recipients, 2);
    await fetch(link, { method: 'POST' });
    await service.notify();
    assert.equal((await newsTo('cy@mugs.example')).length, 2, 'even if the notice was already waiting');
    assert.equal(((await send({})).body as Announcement).recipients, 1);
  });

  it('and notification emails of an organization to one mailbox are together limited to 20 a day', async () => {
    await forgetLimit();
    const addresses = Array.from({ length: 24 }, (_, n) => `flo+${n % 23}@mugs.example`);
    for (const [n, email] of addresses.entries()) await shop.collaborator(`flo-${n}`, { email, tags: ['flood'] });
    await shop.collaborator('gus', { email: 'gus@mugs.example', tags: ['flood'] });
    const mails = async () => (await Promise.all([...new Set(addresses)].map((each) => mailbox.mailsTo(each)))).flat();
    await shop.visit('flo-0');
    await service.notify();
    assert.equal((await mails()).length, 1);
    assert.equal(((await send({ tag: 'flood' })).body as Announcement).recipients, 25);
    await service.notify();
    assert.equal((await mails()).length, 20, 'the first click and 19 announcements');
    assert.equal((await newsTo('gus@mugs.example')).length, 1);
    assert.deepEqual(service.limited, [5]);
    await shop.visit('flo-1');
    await service.notify();
    assert.deepEqual([(await mails()).length, service.limited], [20, [5, 1]]);
    const { rowCount } = await service.database.query('select from partner_notices where sent_at is null');
    assert.equal(rowCount, 0, 'emails beyond the limit are not sent later');
  });

  it('are limited to five a day for an organization', async () => {
    await forgetLimit();
    for (let n = 0; n < 5; n += 1) assert.equal((await send({})).status, 201);
    assert.equal((await send({})).status, 429);
  });

  it('need a recent login, because they reach many people in the merchant’s name', async () => {
    await service.database.query(`update sessions set created_at = created_at - interval '16 minutes'`);
    assert.equal(problemCode(await send({})), 'log-in-too-old');
  });

  it('have at most 50,000 recipients', async () => {
    await service.database.query('drop index collaborators_search');
    await service.database.query(
      `insert into collaborators (organization_id, name, email, status)
       select 1, 'x', 'x' || n || '@mugs.example', 'active' from generate_series(1, $1::integer) n`,
      [MAX_RECIPIENTS],
    );
    const reply = await service.request('POST', '/v1/announcements', { key: service.secretKey, body: NEWS });
    assert.equal(problemCode(reply), 'invalid-transition');
    assert.match(reply.text, /at most 50,000 recipients/);
  });
});
