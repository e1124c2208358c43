import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openMailbox, openPortal, type Collaborator, type Mailbox } from '../support/portal.ts';
import { PUBLIC_URL, startNotifying } from './notifying.ts';
import { faultCodes } from '../support/replies.ts';
import { openShop, type Shop } from '../support/shop.ts';

type NotifyingService = Awaited<ReturnType<typeof startNotifying>>;

describe('unsubscribing', () => {
  let service: NotifyingService;
  let shop: Shop;
  let mailbox: Mailbox;
  let ada: Collaborator;
  let link: string;
  before(async () => {
    service = await startNotifying();
    shop = openShop(service);
    mailbox = await openMailbox(service);
    await shop.program({ name: 'Friends' });
    const portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    await service.notify();
    await shop.collaborator('ada', { email: 'ada@mugs.example' });
    ada = await portal.enter('ada@mugs.example');
    await sell('order-1');
    link = service.url + (await lastMail())?.unsubscribeUrl?.slice(PUBLIC_URL.length);
  });
  after(() => service.stop());

  const sell = async (id: string): Promise<void> => {
    await shop.sell(id, await shop.visit('ada'), { total: 100 });
    await service.settled();
    await service.notify();
  };
  const lastMail = async () => (await mailbox.mailsTo('ada@mugs.example')).at(-1);
  const muted = async () => (await ada.must<{ muted: string[] }>('GET', '/v1/portal/emails')).muted;

  it('needs a click on a page, because mail scanners open links', async () => {
    const page = await fetch(link);
    assert.equal(page.status, 200);
    assert.match(
      await page.text(),
      /<p>You would no longer get emails from My organization about your first commission\.<\/p>/,
    );
    assert.deepEqual(await muted(), []);
  });

  it('needs only one click in an email program, and a repeat changes nothing', async () => {
    for (let n = 0; n < 2; n += 1) {
      const done = await fetch(link, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
      assert.equal(done.status, 200);
      assert.match(await done.text(), /<h1>You are unsubscribed<\/h1>/);
    }
    assert.deepEqual(await muted(), ['first-sale']);
  });

  it('is refused if the link was changed', async () => {
    for (const changed of [
      link.replace('first-sale', 'approved'),
      `${link}x`,
      link.slice(0, -3),
      `${service.url}/unsubscribe/x`,
    ]) {
      for (const method of ['GET', 'POST']) {
        const reply = await fetch(changed, { method });
        assert.equal(reply.status, 404, `${method} ${changed}`);
        assert.match(await reply.text(), /<h1>This link is not valid<\/h1>/);
      }
    }
    assert.deepEqual(await muted(), ['first-sale']);
  });

  it('a partner can choose kinds of emails in the portal, and gets no email of a deselected kind', async () => {
    const changed = await ada.must('PATCH', '/v1/portal/emails', { muted: ['paid', 'approved', 'paid'] });
    assert.deepEqual(changed, {
      kinds: [
        'first-click',
        'first-sale',
        'approved',
        'rejected',
        'paid',
        'payout-failed',
        'rate-changed',
        'announcement',
      ],
      muted: ['approved', 'paid'],
    });
    const before = (await mailbox.mailsTo('ada@mugs.example')).length;
    const [conversion] = await shop.earned('order-1');
    await service.request('POST', `/v1/conversions/${conversion?.id}/approve`, { key: service.secretKey, body: {} });
    await service.notify();
    await service.database.query(`update partner_notices set noted_at = noted_at - interval '10 minutes'`);
    await service.notify();
    assert.equal((await mailbox.mailsTo('ada@mugs.example')).length, before);
    const refused = await ada.call('PATCH', '/v1/portal/emails', { muted: ['login'] });
    assert.deepEqual(faultCodes(refused), { '/muted': 'unknown-value' });
  });

  it('the merchant can choose kinds of emails, and events from before a kind was chosen are not reported', async () => {
    const call = (method: string, body?: object) =>
      service.request(method, '/v1/partner-emails', { key: service.secretKey, body });
    assert.deepEqual((await call('PATCH', { kinds: ['paid', 'first-sale'] })).body, { kinds: ['first-sale', 'paid'] });
    await shop.collaborator('bob', { email: 'bob@mugs.example' });
    await shop.visit('bob');
    await service.notify();
    assert.deepEqual((await call('PATCH', { kinds: ['first-click'] })).body, { kinds: ['first-click'] });
    await service.notify();
    assert.deepEqual(await mailbox.mailsTo('bob@mugs.example'), []);
    assert.deepEqual((await call('GET')).body, { kinds: ['first-click'] });
  });
});
