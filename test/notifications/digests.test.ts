import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Email } from '#platform/email/email.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { createDigestSender } from '#notifications/reactions/send-digests.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { accept, invite, type Member, loggedInMember } from '../support/people.ts';
import { type Mailbox, openMailbox } from '../support/portal.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

const PUBLIC_URL = 'http://whence.example.com';
const HOUR = 3_600_000;
/** A Monday in the future, at 07:30 UTC. */
const MONDAY = Date.parse('2099-06-01T07:30:00Z');
const TUESDAY = MONDAY + 24 * HOUR;

describe('the digest', () => {
  let service: TestService;
  let shop: Shop;
  let mailbox: Mailbox;
  let ada: Member;
  before(async () => {
    service = await startService({ PUBLIC_URL });
    shop = openShop(service);
    mailbox = await openMailbox(service);
    ada = await join('ada@mugs.example', 'owner');
  });
  after(() => service.stop());

  /** Invites a person, and accepts the invitation with the emailed link, which confirms the address. */
  const join = async (email: string, role: 'owner' | 'manager' | 'viewer'): Promise<Member> => {
    await invite(service, service.secretKey, role, email);
    const token = /invitation#([\w-]{43})$/m.exec((await mailbox.mailsTo(email)).at(-1)?.text ?? '')?.[1] ?? '';
    return loggedInMember(service, await accept(service, token, email));
  };
  const digest = (at: number) => {
    const context = { secrets: secretBox(Buffer.from(ENCRYPTION_KEY, 'hex')), publicUrl: PUBLIC_URL };
    const run = createDigestSender(service.database, context, () => new Date(at));
    return async () => {
      while ((await run()) === 'more');
    };
  };
  const send = (at: number) => digest(at)();
  const digestsTo = async (email: string): Promise<Email[]> =>
    (await mailbox.mailsTo(email)).filter(({ unsubscribeUrl }) => unsubscribeUrl !== undefined);

  it('is not sent if nothing needs attention', async () => {
    await send(MONDAY - 7 * 24 * HOUR);
    assert.deepEqual(await digestsTo('ada@mugs.example'), []);
  });

  it('counts the items that need attention, with a link for each kind, on Mondays from 07:00 UTC', async () => {
    const program = await shop.program({ name: 'Friends', approval: { mode: 'manual' } });
    assert.ok(program > 0);
    await shop.collaborator('bob', { email: 'bob@mugs.example' });
    for (const id of ['order-1', 'order-2']) await shop.sell(id, await shop.visit('bob'), { total: 100 });
    await service.settled();
    await service.database.query(
      `insert into collaborators (organization_id, name, status) values (1, 'Cy', 'pending')`,
    );
    await send(MONDAY - HOUR);
    await send(TUESDAY - 7 * 24 * HOUR);
    assert.deepEqual(await digestsTo('ada@mugs.example'), [], 'neither before the hour nor on another day');
    await send(MONDAY);
    const [mail] = await digestsTo('ada@mugs.example');
    assert.equal(mail?.subject, 'My organization: 1 application to review, and more');
    assert.match(
      mail.text,
      /^1 application to review:\nhttp:\/\/whence\.example\.com\/console\/collaborators\?tab=waiting$/m,
    );
    assert.match(mail.text, /^2 commissions to approve:\nhttp:\/\/whence\.example\.com\/console\/conversions$/m);
    assert.doesNotMatch(mail.text, /payout/);
    assert.equal(mail.brand, 'whence');
  });

  it('is sent at most once a day, even with several workers or after a worker was killed', async () => {
    await Promise.all([send(MONDAY), send(MONDAY + HOUR)]);
    assert.equal((await digestsTo('ada@mugs.example')).length, 1);
    await service.database.query(`create function fail() returns trigger language plpgsql as $$
      begin raise exception 'killed'; end $$;
      create trigger killed before insert on outgoing_emails for each statement execute function fail()`);
    await assert.rejects(send(MONDAY + 7 * 24 * HOUR), /killed/);
    await service.database.query('drop trigger killed on outgoing_emails');
    await Promise.all([send(MONDAY + 7 * 24 * HOUR), send(MONDAY + 7 * 24 * HOUR)]);
    assert.equal((await digestsTo('ada@mugs.example')).length, 2);
  });

  it('is sent as often as each person chooses, and by default never to viewers', async () => {
    const eve = await join('eve@mugs.example', 'viewer');
    assert.deepEqual(await eve.must('GET', '/v1/account/digest'), { frequency: 'never', addressConfirmed: true });
    assert.deepEqual(await ada.must('GET', '/v1/account/digest'), { frequency: 'weekly', addressConfirmed: true });
    const changed = await eve.must('PATCH', '/v1/account/digest', { frequency: 'daily' });
    assert.deepEqual(changed, { frequency: 'daily', addressConfirmed: true });
    await send(TUESDAY);
    await send(TUESDAY + 24 * HOUR);
    const mails = await digestsTo('eve@mugs.example');
    assert.equal(mails.length, 2);
    assert.match(mails[0]?.text ?? '', /^You get this email every day if something waits\./m);
    await eve.must('PATCH', '/v1/account/digest', { frequency: 'never' });
    await send(MONDAY + 14 * 24 * HOUR);
    assert.equal((await digestsTo('eve@mugs.example')).length, 2);
  });

  it('is sent at 07:00 in the organization’s time zone, and only once per local day', async () => {
    const gil = await join('gil@mugs.example', 'viewer');
    await gil.must('PATCH', '/v1/account/digest', { frequency: 'weekly' });
    await shop.change('/v1/organization', { timeZone: 'Asia/Kolkata' });
    const monday = MONDAY + 7 * 24 * HOUR;
    const seven = Date.parse('2099-06-08T01:30:00Z');
    await send(seven - 1);
    assert.equal((await digestsTo('gil@mugs.example')).length, 0, 'it is still Sunday’s digest');
    await send(seven);
    assert.equal((await digestsTo('gil@mugs.example')).length, 1);
    await shop.change('/v1/organization', { timeZone: 'UTC' });
    await send(monday);
    assert.equal((await digestsTo('gil@mugs.example')).length, 1, 'no second digest for the same date');
    await gil.must('PATCH', '/v1/account/digest', { frequency: 'never' });
  });

  it('is not sent until the first 07:00 after a person chooses it', async () => {
    const eve = await join('eva@mugs.example', 'viewer');
    await eve.must('PATCH', '/v1/account/digest', { frequency: 'daily' });
    // The person chose the digest after the latest 07:00 UTC, so no digest is due yet.
    await send(Date.now());
    assert.deepEqual(await digestsTo('eva@mugs.example'), []);
  });

  it('is sent only to confirmed addresses, and a copied invitation link confirms no address', async () => {
    const email = 'finn@mugs.example';
    const token = await invite(service, service.secretKey, 'manager', email);
    const finn = loggedInMember(service, await accept(service, token, email));
    assert.deepEqual(await finn.must('GET', '/v1/account/digest'), { frequency: 'weekly', addressConfirmed: false });
    await send(MONDAY + 21 * 24 * HOUR);
    assert.deepEqual(await digestsTo(email), []);

    await finn.must('POST', '/v1/account/confirmation');
    const text = (await mailbox.mailsTo(email)).at(-1)?.text ?? '';
    const link = service.url + (/^http:\/\/whence\.example\.com(\/confirm-address\/\S+)$/m.exec(text)?.[1] ?? '');
    assert.match(await (await fetch(link)).text(), /<h1>Confirm your address\?<\/h1>/);
    assert.equal((await fetch(`${link}x`)).status, 404);
    assert.equal((await fetch(`${link}x`, { method: 'POST' })).status, 404);
    assert.deepEqual(await finn.must('GET', '/v1/account/digest'), { frequency: 'weekly', addressConfirmed: false });
    assert.match(await (await fetch(link, { method: 'POST' })).text(), /<h1>Your address is confirmed<\/h1>/);
    assert.deepEqual(await finn.must('GET', '/v1/account/digest'), { frequency: 'weekly', addressConfirmed: true });
    await send(MONDAY + 28 * 24 * HOUR);
    assert.equal((await digestsTo(email)).length, 1);

    for (let n = 0; n < 2; n += 1) await finn.must('POST', '/v1/account/confirmation');
    assert.equal((await finn.call('POST', '/v1/account/confirmation')).status, 429, 'at most 3 emails in an hour');
  });

  it('is turned off with the link in the email', async () => {
    const url = (await digestsTo('ada@mugs.example')).at(-1)?.unsubscribeUrl ?? '';
    const link = service.url + url.slice(PUBLIC_URL.length);
    assert.match(
      await (await fetch(link)).text(),
      /<p>You would no longer get the summary of open items at My organization\.<\/p>/,
    );
    assert.match(await (await fetch(link, { method: 'POST' })).text(), /You can change this on the Account page/);
    assert.deepEqual(await ada.must('GET', '/v1/account/digest'), { frequency: 'never', addressConfirmed: true });
  });

  it('is not sent to a removed person', async () => {
    const gus = await join('gus@mugs.example', 'manager');
    await ada.must('DELETE', `/v1/people/${gus.id}`);
    await send(MONDAY + 35 * 24 * HOUR);
    assert.deepEqual(await digestsTo('gus@mugs.example'), []);
  });
});
