import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openTill } from '#test/support/payouts.ts';
import { loggedInCollaborator, type Mailbox, openMailbox, openPortal, type Portal } from '#test/support/portal.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';

type Conversion = { status: string; amount: number; programName: string; words: string };
type Link = { id: number; code: string; subId: string | null; url: string; visits: number; conversions: number };

let service: TestService;
let mailbox: Mailbox;
let portal: Portal;
before(async () => {
  service = await startService();
  mailbox = await openMailbox(service);
  portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
});
after(() => service.stop());

it('a collaborator signs up, is accepted, refers buyers, earns, sees reasons for rejections, and is paid', async () => {
  const shop = openShop(service);
  const till = openTill(service);
  const program = await shop.program({ name: 'Friends', enrollment: 'selected' });
  await shop.change(`/v1/programs/${program}/sign-up`, {
    mode: 'approval',
    fields: [{ label: 'Where?', type: 'short-text' }],
  });

  const offered = (await portal.visit('GET', '')).body as { programs: { id: number; fields: { label: string }[] }[] };
  assert.deepEqual(
    offered.programs.map(({ id, fields }) => [id, fields[0]?.label]),
    [[program, 'Where?']],
  );
  const email = 'Ada@Example.com';
  const signUp = {
    programId: program,
    name: 'Ada Lovelace',
    email,
    answers: [{ label: 'Where?', value: 'On my blog' }],
    code: 'ada',
  };
  assert.deepEqual([(await portal.visit('POST', '/sign-ups', signUp)).status], [200]);
  assert.deepEqual(await shop.get('/v1/collaborators'), [], 'nothing is kept before the address is confirmed');

  const { token } = await mailbox.entryOf(email.toLowerCase());
  const ada = loggedInCollaborator(service, await portal.visit('POST', '/sessions', { token }));
  type Session = { collaborator: { id: number; status: string }; programs: { id: number; words: string[] }[] };
  const waiting = await ada.must<Session>('GET', '/v1/portal/session');
  assert.equal(waiting.collaborator.status, 'pending');
  assert.deepEqual(
    waiting.programs.map(({ id }) => id),
    [program],
    'they see the program that they applied for',
  );
  assert.equal((await ada.call('POST', '/v1/portal/links', { subId: 'early' })).status, 409);

  const { id } = waiting.collaborator;
  const [application] = await shop.get<{ status: string; answers: { value: string }[] }[]>(
    `/v1/collaborators/${id}/sign-ups`,
  );
  assert.deepEqual([application?.status, application?.answers[0]?.value], ['waiting', 'On my blog']);
  await shop.change(`/v1/collaborators/${id}`, { status: 'active' });
  const [accepted] = await shop.get<{ status: string }[]>(`/v1/collaborators/${id}/sign-ups`);
  assert.equal(accepted?.status, 'accepted');

  const link = await ada.must<Link>('POST', '/v1/portal/links', { subId: 'blog' });
  assert.deepEqual([link.code, link.subId, link.url], ['ada.blog', 'blog', 'https://mugs.example/?ref=ada.blog']);
  const visitor = await shop.visit('ada.blog');
  await shop.visit('ada');
  await shop.sell('kept', visitor, { total: 100 });
  await shop.sell('returned', visitor, { total: 50 });
  await shop.sell('test', visitor, { total: 20 });
  await service.settled();
  await shop.refund('returned');
  const [test] = await shop.earned('test');
  await shop.get(`/v1/conversions/${test?.id}`);
  const key = service.secretKey;
  await service.request('POST', `/v1/conversions/${test?.id}/reject`, { key, body: { reason: 'Order was a test' } });
  const [kept] = await shop.earned('kept');
  await service.request('POST', `/v1/conversions/${kept?.id}/approve`, { key });
  await service.settled();

  const listed = await ada.must<Conversion[]>('GET', '/v1/portal/conversions?sort=id');
  assert.deepEqual(
    listed.map(({ amount, status, words }) => [amount, status, words]),
    [
      [1000, 'approved', 'Approved. It will be part of a later payout.'],
      [500, 'rejected', 'The order was refunded, so nothing is owed for it.'],
      [200, 'rejected', 'Rejected, with this reason: “Order was a test”.'],
    ],
  );
  const links = await ada.must<Link[]>('GET', '/v1/portal/links');
  assert.deepEqual(
    links.map(({ code, visits, conversions }) => [code, visits, conversions]),
    [
      ['ada', 1, 0],
      ['ada.blog', 1, 3],
    ],
  );

  const run = await till.runOne();
  const [payout] = await till.payoutsOf(run);
  await till.mark(payout?.id ?? 0, 'paid');
  const today = new Date().toISOString().slice(0, 10);
  const [paid] = await ada.must<Conversion[]>('GET', '/v1/portal/conversions?status=approved');
  assert.equal(paid?.words, `Paid on ${today}.`);
  const payouts = await ada.must<{ amount: number; status: string }[]>('GET', '/v1/portal/payouts');
  assert.deepEqual(
    payouts.map(({ amount, status }) => [amount, status]),
    [[1000, 'paid']],
  );
  type Statement = { currencies: { closing: number; entries: { kind: string; effect: number }[] }[] };
  const { currencies } = await ada.must<Statement>('GET', '/v1/portal/statement');
  const entries = currencies[0]?.entries.filter(({ effect }) => effect !== 0) ?? [];
  assert.deepEqual(
    entries.map(({ kind, effect }) => [kind, effect]),
    [
      ['approve', 1000],
      ['pay', -1000],
    ],
  );
  assert.deepEqual([currencies.length, currencies[0]?.closing], [1, 0]);

  await shop.refund('kept');
  await service.settled();
  const [lost] = await ada.must<Conversion[]>('GET', '/v1/portal/conversions?sort=id&perPage=1');
  assert.match(lost?.words ?? '', /It was already part of a payout, which is now in review\.$/);
  await till.review(payout?.id ?? 0, 'claw-back');
  const [back] = await ada.must<Conversion[]>('GET', '/v1/portal/conversions?sort=id&perPage=1');
  assert.match(back?.words ?? '', /10\.00 USD paid for it is subtracted from a later payout\.$/);
  assert.deepEqual((await verify(service.database)).breaches, []);
});
