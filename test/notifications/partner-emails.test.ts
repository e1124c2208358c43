import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NOTICE_DAYS } from '#notifications/domain/partner-email.ts';
import { purgePartnerNotices } from '#notifications/store/partner-emails.ts';
import { openMailbox, type Mailbox, openPortal } from '../support/portal.ts';
import { PUBLIC_URL, startNotifying } from './notifying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { openTill, type Till } from '../support/payouts.ts';

type NotifyingService = Awaited<ReturnType<typeof startNotifying>>;

describe('emails to partners', () => {
  let service: NotifyingService;
  let shop: Shop;
  let till: Till;
  let mailbox: Mailbox;
  let program: number;
  before(async () => {
    service = await startNotifying();
    shop = openShop(service);
    till = openTill(service);
    mailbox = await openMailbox(service);
    program = await shop.program({ name: 'Friends' });
    await shop.collaborator('old', { email: 'old@mugs.example' });
    await sell('old', 'order-before');
    await shop.change('/v1/portal-settings', { slug: 'mugs', landingUrl: 'https://mugs.example/' });
    await service.notify();
  });
  after(() => service.stop());

  const sell = async (code: string, id: string): Promise<void> => {
    await shop.sell(id, await shop.visit(code), { total: 100 });
    await service.settled();
  };
  const decide = async (verb: 'approve' | 'reject', sale: string): Promise<void> => {
    const [conversion] = await shop.earned(sale);
    const body = verb === 'reject' ? { reason: 'The buyer was you' } : {};
    const path = `/v1/conversions/${conversion?.id}/${verb}`;
    const reply = await service.request('POST', path, { key: service.secretKey, body });
    assert.equal(reply.status, 200, reply.text);
  };
  /** Makes the notices ten minutes older and the last emails 25 hours older, then queues the due emails. */
  const later = async (): Promise<void> => {
    await service.database.query(
      `update partner_notices set noted_at = noted_at - interval '10 minutes', sent_at = sent_at - interval '25 hours'`,
    );
    await service.notify();
  };
  const subjects = async (address: string) => (await mailbox.mailsTo(address)).map(({ subject }) => subject);

  it('report nothing that occurred before the portal was opened', async () => {
    await later();
    assert.deepEqual(await subjects('old@mugs.example'), []);
    await sell('old', 'order-old');
    await later();
    assert.deepEqual(await subjects('old@mugs.example'), [], 'it is neither the first click nor the first commission');
  });

  it('report the first click and the first commission, once', async () => {
    await shop.collaborator('ada', { email: 'Ada@Mugs.example', name: 'Ada\nLovelace' });
    await shop.visit('ada');
    await service.notify();
    await sell('ada', 'order-1');
    await service.notify();
    await sell('ada', 'order-2');
    await service.notify();
    const mails = await mailbox.mailsTo('ada@mugs.example');
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Your link has its first click', 'Your first commission at My organization'],
    );
    assert.match(mails[1]?.text ?? '', /^Hello Ada Lovelace,\n\nYou earned [^]*\n\nCommission: 10\.00 USD\n\n/);
    assert.match(mails[1]?.text ?? '', /^http:\/\/whence\.example\.com\/portal\/mugs\/conversions$/m);
    assert.match(
      mails[1]?.unsubscribeUrl ?? '',
      new RegExp(`^${PUBLIC_URL}/unsubscribe/1\\.\\d+\\.first-sale\\.[\\w-]{22}$`),
    );
  });

  it('report first clicks only for the 10,000 newest partners', async () => {
    const addresses = ['first@mugs.example', 'second@mugs.example'];
    for (const email of addresses) await shop.collaborator(email.slice(0, -13), { email });
    const { rows } = await service.database.query<{ id: number }>(
      `insert into collaborators (organization_id, name, status)
       select 1, 'Newer', 'active' from generate_series(1, 9999) returning id`,
    );
    for (const email of addresses) await shop.visit(email.slice(0, -13));
    await service.notify();
    assert.deepEqual(await subjects('first@mugs.example'), [], 'there are 10,000 newer partners');
    assert.deepEqual(await subjects('second@mugs.example'), ['Your link has its first click']);
    await service.database.query('delete from collaborators where id = any ($1)', [rows.map(({ id }) => id)]);
  });

  it('report approved commissions together, at most once a day', async () => {
    await decide('approve', 'order-1');
    await service.notify();
    assert.equal((await subjects('ada@mugs.example')).length, 2, 'further approvals are collected first');
    await decide('approve', 'order-2');
    await later();
    const [, , approved] = await mailbox.mailsTo('ada@mugs.example');
    assert.equal(approved?.subject, '2 commissions approved');
    assert.match(approved.text, /^2 commissions: 20\.00 USD$/m);

    await sell('ada', 'order-3');
    await decide('approve', 'order-3');
    await service.notify();
    await service.database.query(`update partner_notices set noted_at = noted_at - interval '10 minutes'`);
    await service.notify();
    assert.equal((await subjects('ada@mugs.example')).length, 3, 'the next email waits for a day');
    await later();
    assert.equal((await subjects('ada@mugs.example')).at(-1), '1 commission approved');
  });

  it('report rejected commissions with their reasons, but not an earlier approval of the same commission', async () => {
    for (const id of ['order-4', 'order-5', 'order-6']) await sell('ada', id);
    await decide('reject', 'order-4');
    await shop.refund('order-5');
    await decide('approve', 'order-6');
    await service.settled();
    await service.notify();
    await shop.refund('order-6');
    await service.settled();
    await later();
    const mail = (await mailbox.mailsTo('ada@mugs.example')).at(-1);
    assert.equal(mail?.subject, '3 commissions rejected');
    assert.match(mail.text, /^The order was refunded: 2 commissions, 20\.00 USD$/m);
    assert.match(mail.text, /^“The buyer was you”: 1 commission, 10\.00 USD$/m);
    assert.ok(!(await subjects('ada@mugs.example')).slice(4).some((subject) => /approved/.test(subject)));
  });

  it('report a paid payout once, with a link to the statement', async () => {
    const run = await till.runOne();
    await till.move(run.id, 'process');
    await till.move(run.id, 'complete');
    await service.notify();
    const mail = (await mailbox.mailsTo('ada@mugs.example')).at(-1);
    assert.equal(mail?.subject, 'You were paid 30.00 USD');
    assert.match(mail.text, /Your statement lists every commission in it:\n\nhttp:\S+\/portal\/mugs\/payouts\n/);
    const { length } = await subjects('ada@mugs.example');
    await service.notify();
    assert.equal((await subjects('ada@mugs.example')).length, length);
  });

  it('report a failed payment once, with its reason and amount', async () => {
    await sell('ada', 'order-7');
    await decide('approve', 'order-7');
    await service.settled();
    const run = await till.runOne();
    await till.move(run.id, 'process');
    const [payout] = await till.payoutsOf(run);
    const fail = () =>
      service.request('POST', `/v1/payouts/${payout?.id}/fail`, {
        key: service.secretKey,
        body: { reason: 'The account is closed' },
      });
    assert.equal((await fail()).status, 200);
    assert.equal((await fail()).status, 200);
    await service.notify();
    await service.notify();
    const mails = (await mailbox.mailsTo('ada@mugs.example')).filter(({ subject }) => /fail/.test(subject));
    assert.equal(mails.length, 1);
    assert.equal(mails[0]?.subject, 'A payment of My organization to you failed');
    assert.match(mails[0].text, /^The account is closed: 10\.00 USD$/m);
    assert.match(mails[0].text, /^http:\/\/whence\.example\.com\/portal\/mugs\/settings$/m);
    assert.match(mails[0].unsubscribeUrl ?? '', /\.payout-failed\./);
  });

  it('report a changed rate once to partners who can earn at it', async () => {
    await shop.change(`/v1/programs/${program}`, { reward: { type: 'percent', percent: 12 } });
    await shop.change(`/v1/programs/${program}`, { windowDays: 31 });
    await service.notify();
    await later();
    const mail = (await mailbox.mailsTo('ada@mugs.example')).at(-1);
    assert.equal(mail?.subject, 'New terms at My organization');
    assert.match(mail.text, /^Friends:\n• You earn 12% /m);
    const { length } = await subjects('old@mugs.example');
    await later();
    assert.equal((await subjects('old@mugs.example')).length, length);
  });

  it('list the new terms of at most 20 programs, with the partner’s own reward', async () => {
    const own = await shop.collaborator('own', { email: 'own@mugs.example' });
    const collaboratorRewards = [{ collaboratorId: own, reward: { type: 'percent', percent: 40 } }];
    for (let count = 0; count < 20; count += 1) {
      const id = await shop.program({ name: `A ${String(count).padStart(2, '0')}`, status: 'inactive' });
      await shop.change(`/v1/programs/${id}`, { status: 'active' });
      await shop.change(`/v1/programs/${id}`, { reward: { type: 'percent', percent: 13 }, collaboratorRewards });
    }
    await shop.change(`/v1/programs/${program}`, { reward: { type: 'percent', percent: 14 } });
    await service.notify();
    await later();
    const textTo = async (address: string) => (await mailbox.mailsTo(address)).at(-1)?.text ?? '';
    const text = await textTo('own@mugs.example');
    assert.equal(text.match(/^A \d\d:\n• You earn 40% /gm)?.length, 20, text);
    assert.match(text, /^The portal shows the new terms of 1 other program\.$/m);
    assert.doesNotMatch(text, /Friends:/);
    assert.match(await textTo('ada@mugs.example'), /^A 00:\n• You earn 13% /m);
  });

  it('are sent once to rejected applicants, with the reason if there is one, but not to partners whom the merchant added', async () => {
    await shop.change(`/v1/programs/${program}/sign-up`, { mode: 'approval', signUpsFromNetwork: null });
    const portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    const apply = async (email: string): Promise<number> => {
      await portal.visit('POST', '/sign-ups', { programId: program, name: 'Zoe', email });
      await portal.visit('POST', '/sessions', { token: (await mailbox.entryOf(email)).token });
      const [{ id }] = await shop.get<[{ id: number }]>(`/v1/collaborators?email=${encodeURIComponent(email)}`);
      return id;
    };
    const rejected = async (address: string) =>
      (await mailbox.mailsTo(address)).filter(({ subject }) => subject === 'Your application to My organization');
    const ids = [await apply('zoe@apply.example'), await apply('zed@apply.example')];
    const added = await shop.collaborator('added', { email: 'added@apply.example', status: 'pending' });
    await shop.change(`/v1/collaborators/${ids[0]}`, { status: 'rejected', rejectionReason: 'No site yet' });
    const bulk = { action: 'reject', ids: [ids[1], added] };
    await service.request('POST', '/v1/collaborators/bulk', { key: service.secretKey, body: bulk });
    // Change a rate, because the notifier ends a step at each configuration version with a changed rate.
    await shop.change(`/v1/programs/${program}`, { reward: { type: 'percent', percent: 15 } });
    await service.notify();
    await service.notify();
    const [mail, ...more] = await rejected('zoe@apply.example');
    assert.deepEqual([more, mail?.unsubscribeUrl], [[], undefined]);
    assert.match(mail?.text ?? '', /^Hello Zoe,[^]*\n\nReason: No site yet\n/);
    assert.doesNotMatch((await rejected('zed@apply.example'))[0]?.text ?? 'Reason', /Reason/);
    assert.deepEqual(await rejected('added@apply.example'), []);
    const { kinds } = await shop.get<{ kinds: string[] }>('/v1/partner-emails');
    await shop.change('/v1/partner-emails', { kinds: kinds.filter((kind) => kind !== 'application-rejected') });
    await shop.change(`/v1/collaborators/${await apply('yves@apply.example')}`, { status: 'rejected' });
    await service.notify();
    await shop.change('/v1/partner-emails', { kinds });
    await service.notify();
    assert.deepEqual(await rejected('yves@apply.example'), []);
  });

  it('don’t report the custom rate of an invitation link to partners who join with it', async () => {
    const reward = { type: 'percent', percent: 33 };
    const made = await service.request('POST', '/v1/invitation-links', {
      key: service.secretKey,
      body: { programId: program, reward },
    });
    const invitation = new URL((made.body as { url: string }).url).hash.slice(1);
    const portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    await portal.visit('POST', '/sign-ups', {
      programId: program,
      name: 'Joe',
      email: 'joe@apply.example',
      invitation,
    });
    await portal.visit('POST', '/sessions', { token: (await mailbox.entryOf('joe@apply.example')).token });
    await service.notify();
    await later();
    assert.ok((await subjects('joe@apply.example')).every((subject) => !subject.startsWith('New terms')));
    await shop.change(`/v1/programs/${program}`, { collaboratorRewards: [] });
    await service.notify();
    await later();
    assert.equal((await subjects('joe@apply.example')).at(-1), 'New terms at My organization');
  });

  it('are queued in the transaction that records the notice, so a killed process leaves both or neither', async () => {
    await shop.collaborator('bob', { email: 'bob@mugs.example' });
    await shop.visit('bob');
    await service.database.query(`create function fail() returns trigger language plpgsql as $$
      begin raise exception 'killed'; end $$;
      create trigger killed before insert on outgoing_emails for each statement execute function fail()`);
    await assert.rejects(service.notify(), /killed/);
    await service.database.query('drop trigger killed on outgoing_emails');
    await Promise.all([service.notify(), service.notify()]);
    await service.notify();
    assert.deepEqual(await subjects('bob@mugs.example'), ['Your link has its first click']);
  });

  it('are delayed while the organization has many queued emails', async () => {
    await shop.collaborator('cy', { email: 'cy@mugs.example' });
    await shop.visit('cy');
    await service.database.query(
      `insert into outgoing_emails (organization_id, message, expires_at) select 1, m.message, now() + interval '1 day'
       from (select message from outgoing_emails limit 1) m, generate_series(1, 200)`,
    );
    await service.notify();
    assert.deepEqual(await subjects('cy@mugs.example'), []);
    await service.database.query('delete from outgoing_emails');
    await service.notify();
    assert.deepEqual(await subjects('cy@mugs.example'), ['Your link has its first click']);
  });

  it('are not sent while the portal is closed, and not afterwards for events from that time', async () => {
    await shop.collaborator('eve', { email: 'eve@mugs.example' });
    await shop.change('/v1/portal-settings', { slug: null });
    await shop.visit('eve');
    await sell('ada', 'order-9');
    await decide('approve', 'order-9');
    await service.notify();
    const { length } = await subjects('ada@mugs.example');
    await shop.change('/v1/portal-settings', { slug: 'mugs' });
    await later();
    assert.deepEqual(await subjects('eve@mugs.example'), [], 'what happened in the meantime is not reported');
    assert.equal((await subjects('ada@mugs.example')).length, length);
  });
});

describe('the notice of a first click', () => {
  it('is only for partners who were added in the last 90 days, and is stored for 90 days', async () => {
    assert.equal(NOTICE_DAYS, 90);
    const service = await startNotifying();
    const shop = openShop(service);
    const mailbox = await openMailbox(service);
    await shop.program();
    await shop.change('/v1/portal-settings', { slug: 'mugs', landingUrl: 'https://mugs.example/' });
    await service.notify();
    for (const [code, days] of [
      ['eva', 91],
      ['fay', 89],
    ] as const) {
      const id = await shop.collaborator(code, { email: `${code}@mugs.example` });
      await service.database.query(
        'update collaborators set created_at = now() - make_interval(days => $2) where id = $1',
        [id, days],
      );
      await shop.visit(code);
    }
    await service.notify();
    assert.equal((await mailbox.mailsTo('eva@mugs.example')).length, 0);
    assert.equal((await mailbox.mailsTo('fay@mugs.example')).length, 1);
    for (const [days, deleted] of [
      [89, 0],
      [2, 1],
    ] as const) {
      await service.database.query('update partner_notices set sent_at = sent_at - make_interval(days => $1)', [days]);
      assert.equal(await purgePartnerNotices(service.database, 10, NOTICE_DAYS), deleted);
    }
    await service.stop();
  });
});
