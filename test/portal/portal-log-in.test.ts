import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { tokenHash } from '#access/domain/session.ts';
import {
  assertEndsWithinASecond,
  loggedInCollaborator,
  type Mailbox,
  newNetwork,
  openMailbox,
  openPortal,
  type Portal,
} from '../support/portal.ts';
import { faultCodes, problemCode, statusesOf } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Session = {
  collaborator: { id: number; name: string; email: string; status: string };
  portal: { slug: string; name: string };
  programs: { id: number }[];
};

let service: TestService;
let mailbox: Mailbox;
let shop: Shop;
let portal: Portal;
let open: number;
let approval: number;

before(async () => {
  service = await startService();
  mailbox = await openMailbox(service);
  shop = openShop(service);
  portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
  open = await shop.program({ name: 'Open', enrollment: 'selected' });
  approval = await shop.program({ name: 'Approval', enrollment: 'selected' });
  await shop.change(`/v1/programs/${open}/sign-up`, { mode: 'open' });
  await shop.change(`/v1/programs/${approval}/sign-up`, {
    mode: 'approval',
    fields: [{ label: 'Where?', type: 'long-text' }],
  });
});

after(() => service.stop());

const ask = (email: string) => portal.visit('POST', '/links', { email });

const signUp = (email: string, more: object = {}) =>
  portal.visit('POST', '/sign-ups', { programId: open, name: 'Ada', email, ...more });

const follow = (token: string) => portal.visit('POST', '/sessions', { token });

const sessionOf = async (email: string) => (await portal.enter(email)).must<Session>('GET', '/v1/portal/session');

const enrolledIn = async (collaboratorId: number) => {
  const { rows } = await service.database.query<{ program_id: number }>(
    'select program_id from enrollments where collaborator_id = $1 and until_version is null order by 1',
    [collaboratorId],
  );
  return rows.map(({ program_id: id }) => id);
};

describe('a login link', () => {
  it('logs its collaborator in once', async () => {
    const id = await shop.collaborator('once', { name: 'Once', email: 'once@example.com' });
    assert.equal((await ask(' ONCE@example.com'.trim())).status, 200);
    const { token } = await mailbox.entryOf('once@example.com');
    const opened = await follow(token);
    const { collaborator } = opened.body as Session;
    assert.deepEqual(collaborator, { id, name: 'Once', email: 'once@example.com', status: 'active' });
    assert.match(opened.headers.get('set-cookie') ?? '', /; HttpOnly; SameSite=Lax$/);
    assert.equal(opened.headers.get('cache-control'), 'no-store');
    assert.deepEqual([problemCode(await follow(token)), (await follow(token)).status], ['link-expired', 410]);
  });

  it('logs in only one of several concurrent callers', async () => {
    await shop.collaborator('twice', { email: 'twice@example.com' });
    await ask('twice@example.com');
    const { token } = await mailbox.entryOf('twice@example.com');
    const replies = await Promise.all(Array.from({ length: 8 }, () => follow(token)));
    assert.deepEqual(statusesOf(replies), [201, ...Array<number>(7).fill(410)]);
  });

  it('expires after fifteen minutes, together with its code', async () => {
    await shop.collaborator('late', { email: 'late@example.com' });
    await ask('late@example.com');
    const { token, code } = await mailbox.entryOf('late@example.com');
    const { rows } = await service.database.query<{ minutes: number }>(
      `update entry_links set expires_at = expires_at - interval '15 minutes' where address = 'late@example.com'
       returning extract(epoch from expires_at + interval '15 minutes' - created_at)::int / 60 as minutes`,
    );
    assert.equal(rows[0]?.minutes, 15);
    assert.equal(problemCode(await follow(token)), 'link-expired');
    const byCode = await portal.visit('POST', '/sessions', { email: 'late@example.com', code });
    assert.equal(problemCode(byCode), 'link-expired');
  });

  it('logs in only to its own portal', async () => {
    const other = await openPortal(service, mailbox, 'other', await service.foundOrganization('Other'));
    await shop.collaborator('strange', { email: 'strange@example.com' });
    await ask('strange@example.com');
    const { token, code } = await mailbox.entryOf('strange@example.com');
    assert.equal((await other.visit('POST', '/sessions', { token })).status, 410);
    assert.equal((await other.visit('POST', '/sessions', { email: 'strange@example.com', code })).status, 410);
    assert.equal((await follow(token)).status, 201);
  });

  it('is emailed separately to each of two collaborators with the requested address', async () => {
    for (const name of ['Eve', 'Adam']) await shop.collaborator(name, { name, email: 'both@example.com' });
    await ask('both@example.com');
    const emails = await mailbox.mailsTo('both@example.com');
    assert.deepEqual(
      emails.map(({ text }) => text.split('\n')[0]),
      ['Hello Eve,', 'Hello Adam,'],
    );
  });
});

describe('the login code in the email', () => {
  const byCode = (email: string, code: string, network = newNetwork()) =>
    portal.visit('POST', '/sessions', { email, code }, { 'x-forwarded-for': network });

  it('logs a collaborator in when typed in any case, and uses up the link', async () => {
    await shop.collaborator('code', { email: 'code@example.com' });
    await ask('code@example.com');
    const { code, token } = await mailbox.entryOf('code@example.com');
    assert.equal((await byCode('Code@Example.com', code.toLowerCase().replace('-', ''))).status, 201);
    assert.equal((await follow(token)).status, 410);
    assert.equal((await byCode('code@example.com', code)).status, 410);
  });

  it('is void for other networks after five concurrent wrong codes from other networks, but the link stays valid', async () => {
    await shop.collaborator('guess', { email: 'guess@example.com' });
    await ask('guess@example.com');
    const { code, token } = await mailbox.entryOf('guess@example.com');
    const wrong = code === 'AAA-AAA' ? 'BBB-BBB' : 'AAA-AAA';
    const replies = await Promise.all(Array.from({ length: 5 }, () => byCode('guess@example.com', wrong)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([410]));
    assert.equal((await byCode('guess@example.com', code)).status, 410);
    assert.equal((await follow(token)).status, 201);
  });

  it('is limited to thirty attempts per network in 15 minutes', async () => {
    const network = newNetwork();
    const tries = Array.from({ length: 31 }, () => byCode('nobody@example.com', 'AAA-AAA', network));
    const replies = await Promise.all(tries);
    assert.equal(replies.filter(({ status }) => status === 410).length >= 20, true);
    const refused = replies.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 1);
    assert.ok(Number(refused[0]?.headers.get('retry-after')) > 0);
  });

  it('is refused without an email address or together with a token', async () => {
    for (const body of [{}, { code: 'AAA-AAA' }, { email: 'a@b.c' }, { token: 'x'.repeat(43), code: 'AAA-AAA' }]) {
      assert.deepEqual(faultCodes(await portal.visit('POST', '/sessions', body)), { '/token': 'required' });
    }
  });
});

describe('requesting a login link', () => {
  it('returns the same response for known, unknown and closed accounts', async () => {
    const id = await shop.collaborator('closed', { email: 'closed@example.com' });
    await shop.change(`/v1/collaborators/${id}`, { status: 'inactive' });
    await shop.collaborator('known', { email: 'known@example.com' });
    const seen = [];
    for (const name of ['closed', 'known', 'unknown']) {
      for (const reply of [await ask(`${name}@example.com`), await signUp(`${name}@example.com`)]) {
        const headers = [...reply.headers].filter(([header]) => !/^(date|ratelimit)/.test(header));
        seen.push(JSON.stringify([reply.status, reply.text, headers]));
      }
    }
    assert.equal(new Set(seen).size, 1, seen.join('\n'));
    const subjects = async (name: string) =>
      (await mailbox.mailsTo(`${name}@example.com`)).map(({ subject }) => subject.split(' ')[0]);
    assert.deepEqual(await subjects('known'), ['Log', 'Confirm']);
    assert.deepEqual(await subjects('unknown'), ['Confirm']);
    assert.deepEqual(await subjects('closed'), ['Your', 'Your']);
  });

  it('sends the email to the stored address, not to a different address that normalizes to it', async () => {
    await shop.collaborator('kim', { name: 'Kim', email: 'kim@example.com' });
    const kelvin = '\u212Aim@example.com';
    await ask(kelvin);
    await signUp(kelvin);
    assert.deepEqual(
      [(await mailbox.mailsTo('kim@example.com')).length, (await mailbox.mailsTo(kelvin)).length],
      [2, 0],
    );
  });

  it('is limited to five emails per address in fifteen minutes, including unknown addresses', async () => {
    await shop.collaborator('flood', { email: 'flood@example.com' });
    for (const name of ['flood', 'nobody-there']) {
      const replies = await Promise.all(Array.from({ length: 8 }, () => ask(`${name}@example.com`)));
      assert.deepEqual(statusesOf(replies), [200, 200, 200, 200, 200, 429, 429, 429]);
      const refused = replies.find(({ status }) => status === 429);
      assert.ok(Number(refused?.headers.get('retry-after')) > 0);
    }
    assert.equal((await mailbox.mailsTo('flood@example.com')).length, 5);
    assert.equal((await ask('FLOOD@example.com')).status, 429);
  });

  it('is counted separately for other addresses of the same mailbox', async () => {
    await shop.collaborator('Tag', { email: 'tag@example.com' });
    for (let n = 0; n < 6; n += 1) await ask(`tag+${n}@example.com`);
    assert.equal((await ask('tag@example.com')).status, 200);
    assert.equal((await mailbox.mailsTo('tag@example.com')).length, 1);
  });

  it('is counted separately from sign-ups, which are limited to five emails per mailbox in fifteen minutes', async () => {
    await shop.collaborator('Box', { email: 'box@example.com' });
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await signUp(`box+${n}@example.com`)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
    assert.equal((await ask('box@example.com')).status, 200);
  });

  it('allows at most thirty requests per network in 15 minutes', async () => {
    const network = { 'x-forwarded-for': newNetwork() };
    let heard = 0;
    // Send the requests one after another, because concurrent requests could hit the HTTP rate limit first.
    for (let n = 0; n < 31; n += 1) {
      const { status } = await portal.visit('POST', '/links', { email: `n${n}@example.com` }, network);
      heard += status === 200 ? 1 : 0;
    }
    assert.ok(heard >= 20 && heard <= 30, String(heard));
  });
});

describe('the portal session of a collaborator', () => {
  const linkOf = async (token: string) =>
    (await service.database.query('select wrong_codes as uses from entry_links where hash = $1', [tokenHash(token)]))
      .rows;

  for (const status of ['inactive', 'rejected', 'deleted']) {
    it(`ends within a second when the collaborator becomes ${status}, and login links become invalid`, async () => {
      const email = `${status}@example.com`;
      const first = status === 'rejected' ? 'pending' : 'active';
      const id = await shop.collaborator(status, { email, status: first });
      const inside = await portal.enter(email);
      await ask(email);
      const { token } = await mailbox.entryOf(email);
      const key = service.secretKey;
      if (status === 'deleted') await service.request('DELETE', `/v1/collaborators/${id}`, { key });
      else await shop.change(`/v1/collaborators/${id}`, { status });
      await assertEndsWithinASecond(inside);
      assert.equal((await follow(token)).status, 410);
      assert.deepEqual(await linkOf(token), [], 'the link is deleted with the portal access');
      assert.equal((await ask(email)).status, 200);
      assert.match((await mailbox.mailsTo(email)).at(-1)?.text ?? '', /is closed there/);
    });
  }

  it('is possible with the status pending, which the portal shows', async () => {
    await shop.collaborator('waits', { email: 'waits@example.com', status: 'pending' });
    assert.equal((await sessionOf('waits@example.com')).collaborator.status, 'pending');
  });

  it('ends at logout, which clears the cookie', async () => {
    await shop.collaborator('leaves', { email: 'leaves@example.com' });
    const inside = await portal.enter('leaves@example.com');
    const closed = await inside.call('DELETE', '/v1/portal/session');
    assert.match(closed.headers.get('set-cookie') ?? '', /^whence-portal=; .*Max-Age=0/);
    await assertEndsWithinASecond(inside);
  });

  it('has a cookie that is accepted only from the portal’s own pages', async () => {
    await shop.collaborator('framed', { email: 'framed@example.com' });
    const { cookie } = await portal.enter('framed@example.com');
    for (const site of ['cross-site', 'same-site']) {
      const headers = { cookie, 'sec-fetch-site': site };
      const reply = await service.request('GET', '/v1/portal/session', { headers });
      assert.equal(reply.status, 401, site);
    }
    // The portal’s session cookie is not accepted in the console, and an API key is not accepted in the portal.
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    assert.equal((await service.request('GET', '/v1/collaborators', { headers })).status, 401);
    assert.equal((await service.request('GET', '/v1/session', { headers })).status, 401);
    const byKey = await service.request('GET', '/v1/portal/session', { key: service.secretKey });
    assert.equal(problemCode(byKey), 'scope-required');
  });
});

describe('POST /v1/portals/{slug}/sign-ups', () => {
  it('creates an active, enrolled collaborator with a referral code if the program is open', async () => {
    await signUp('eve@example.com', { name: 'Ève Müller' });
    const eve = loggedInCollaborator(service, await follow((await mailbox.entryOf('eve@example.com')).token));
    const { collaborator, programs } = await eve.must<Session>('GET', '/v1/portal/session');
    assert.deepEqual([collaborator.status, programs.map(({ id }) => id)], ['active', [open]]);
    const links = await eve.must<{ code: string }[]>('GET', '/v1/portal/links');
    assert.deepEqual(
      links.map(({ code }) => code),
      ['eve-muller'],
    );
    const [entry] = await shop.get<{ author: string }[]>('/v1/audit-entries?operation=signUp');
    assert.equal(entry?.author, `collaborator ${collaborator.id}`);
  });

  it('creates one collaborator for two concurrent sign-ups for two programs', async () => {
    const email = 'double@example.com';
    await Promise.all([
      signUp(email),
      signUp(email, { programId: approval, answers: [{ label: 'Where?', value: 'On a blog' }] }),
    ]);
    const tokens = (await mailbox.mailsTo(email)).map(({ text }) => /#([\w-]{43})$/m.exec(text)?.[1] ?? '');
    const opened = await Promise.all(tokens.map(follow));
    assert.deepEqual(
      opened.map(({ status }) => status),
      [201, 201],
    );
    assert.equal(new Set(opened.map(({ body }) => (body as Session).collaborator.id)).size, 1);
    const [one, ...others] = await shop.get<{ id: number; aliases: unknown[] }[]>(`/v1/collaborators?email=${email}`);
    assert.deepEqual([one?.aliases.length, others], [1, []]);
    assert.equal((await shop.get<unknown[]>(`/v1/collaborators/${one?.id}/sign-ups`)).length, 2);
  });

  it('never assigns a code that another collaborator has or had', async () => {
    const owner = await shop.collaborator('star');
    const [alias] = await shop.get<{ id: number }[]>(`/v1/collaborators/${owner}/aliases`);
    const path = `/v1/collaborators/${owner}/aliases/${alias?.id}`;
    await service.request('DELETE', path, { key: service.secretKey });
    const codes = [];
    for (const n of [1, 2]) {
      const email = `fan${n}@example.com`;
      await signUp(email, { code: 'Star' });
      const fan = loggedInCollaborator(service, await follow((await mailbox.entryOf(email)).token));
      codes.push((await fan.must<{ code: string }[]>('GET', '/v1/portal/links'))[0]?.code);
    }
    assert.deepEqual(codes, ['Star-2', 'Star-3']);
  });

  it('assigns a code with a random number if many numbered codes are taken', async () => {
    const codes = Array.from({ length: 100 }, (_, n) => (n === 0 ? 'moon' : `moon-${n + 1}`));
    await shop.collaborator('moons', { aliases: codes.map((code) => ({ type: 'tracking', code })) });
    await signUp('moon@example.com', { code: 'moon' });
    const fan = loggedInCollaborator(service, await follow((await mailbox.entryOf('moon@example.com')).token));
    const [link] = await fan.must<{ code: string }[]>('GET', '/v1/portal/links');
    assert.match(link?.code ?? '', /^moon-\d{3,9}$/);
  });

  it('adds programs for a known collaborator, but changes no name or status', async () => {
    const email = 'more@example.com';
    const id = await shop.collaborator('more', { name: 'More', email });
    await signUp(email, { programId: approval, name: 'Impostor', answers: [{ label: 'Where?', value: 'Here' }] });
    await follow((await mailbox.entryOf(email)).token);
    assert.deepEqual(await enrolledIn(id), [], 'nobody has enrolled them yet');
    const [waiting] = await shop.get<{ status: string; answers: { label: string }[] }[]>(
      `/v1/collaborators/${id}/sign-ups`,
    );
    assert.deepEqual([waiting?.status, waiting?.answers[0]?.label], ['waiting', 'Where?']);
    await signUp(email, { programId: open });
    await follow((await mailbox.entryOf(email)).token);
    assert.deepEqual(await enrolledIn(id), [open]);
    const { name, status } = await shop.get<{ name: string; status: string }>(`/v1/collaborators/${id}`);
    assert.deepEqual([name, status], ['More', 'active']);
    const key = service.secretKey;
    await service.request('POST', `/v1/programs/${approval}/collaborators`, { key, body: { collaboratorId: id } });
    const rows = await shop.get<{ status: string }[]>(`/v1/collaborators/${id}/sign-ups`);
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['accepted', 'accepted'],
    );
  });

  it('doesn’t approve a pending collaborator who signs up for another, open program', async () => {
    const email = 'patient@example.com';
    await signUp(email, { programId: approval });
    await follow((await mailbox.entryOf(email)).token);
    await signUp(email, { programId: open });
    const opened = await follow((await mailbox.entryOf(email)).token);
    assert.equal((opened.body as Session).collaborator.status, 'pending');
  });

  it('applies the program’s sign-up mode at the time the address is confirmed', async () => {
    const closing = await shop.program({ name: 'Closing' });
    await shop.change(`/v1/programs/${closing}/sign-up`, { mode: 'open' });
    await signUp('tardy@example.com', { programId: closing });
    await shop.change(`/v1/programs/${closing}/sign-up`, { mode: 'closed' });
    assert.equal((await follow((await mailbox.entryOf('tardy@example.com')).token)).status, 410);
    assert.deepEqual(await shop.get('/v1/collaborators?email=tardy@example.com'), []);
  });

  it('refuses programs that are not offered, invalid fields, and unknown portals', async () => {
    const hidden = await shop.program();
    assert.deepEqual(faultCodes(await signUp('x@example.com', { programId: hidden })), {
      '/programId': 'unknown-program',
    });
    assert.deepEqual(faultCodes(await signUp('a b@example.com', { name: '', code: 'a.b', answers: [{ label: '' }] })), {
      '/name': 'too-short',
      '/email': 'invalid-format',
      '/code': 'invalid-format',
      '/answers/0/label': 'too-short',
      '/answers/0/value': 'required',
    });
    assert.equal((await service.request('GET', '/v1/portals/nobody')).status, 404);
    assert.equal((await service.request('GET', '/v1/portals/NO.SLUG')).status, 404);
  });
});
