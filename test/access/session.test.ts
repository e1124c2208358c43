import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cookieIn, loggedInMember, logIn, makePerson, type Member, PASSWORD, tokenIn } from '../support/people.ts';
import { problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { rawKeyOf } from '#access/domain/api-key.ts';

const ADA = 'ada@mugs.example';

describe('the first owner link', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('creates the first owner once, and logs the owner in', async () => {
    const link = service.printed.map((line) => /http:\S+\/console\/welcome#\S+/.exec(line)?.[0]).find(Boolean) ?? '';
    const port = new URL(service.url).port;
    assert.ok(link.startsWith(`http://localhost:${port}/console/welcome#`), link);
    const token = tokenIn(link);
    const preview = await service.request('POST', '/v1/invitations/preview', { body: { token } });
    assert.deepEqual(preview.body, { organization: 'My organization', email: null, role: 'owner' });

    const body = { token, name: 'Ada', password: PASSWORD };
    const nameless = await service.request('POST', '/v1/invitations/accept', { body });
    assert.deepEqual([nameless.status, faults(nameless)], [422, [['/email', 'required']]]);
    const accepted = await service.request('POST', '/v1/invitations/accept', { body: { ...body, email: ADA } });
    const ada = loggedInMember(service, accepted);
    const { person, scopes, organization, publicUrl } = await ada.must<Session>('GET', '/v1/session');
    assert.deepEqual([person.email, person.role, organization.name], [ADA, 'owner', 'My organization']);
    assert.deepEqual(scopes, ['events:write', 'resources:read', 'resources:write', 'keys:write', 'people:write']);
    assert.equal(publicUrl, `http://localhost:${port}`);
    assert.deepEqual(accepted.headers.get('cache-control'), 'no-store');

    const again = await service.request('POST', '/v1/invitations/accept', {
      body: { ...body, email: 'b@mugs.example' },
    });
    assert.deepEqual([again.status, problemCode(again)], [410, 'link-expired']);
  });
});

type Session = {
  id: number;
  person: { email: string; role: string };
  organization: { name: string };
  scopes: string[];
  publicUrl: string;
};

describe('a login session', () => {
  let service: TestService;
  let ada: Member;
  before(async () => {
    service = await startService();
    ada = await makePerson(service, 'owner', ADA);
  });
  after(() => service.stop());

  it('starts with a password and an email address, regardless of the case of the address', async () => {
    const opened = await logIn(service, 'ADA@Mugs.Example');
    assert.equal(opened.status, 201);
    assert.notEqual(cookieIn(opened), ada.cookie);
    assert.match(
      opened.headers.get('set-cookie') ?? '',
      /^whence=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
  });

  it('is refused with the same 401 for an unknown address and a wrong password', async () => {
    const [wrong, unknown] = [await logIn(service, ADA, 'not it at all'), await logIn(service, 'nobody@mugs.example')];
    assert.deepEqual([wrong.status, problemCode(wrong)], [401, 'wrong-credentials']);
    assert.equal(wrong.text, unknown.text);
    assert.equal(wrong.headers.get('set-cookie'), null);
    assert.equal(wrong.headers.get('www-authenticate'), 'Session');
  });

  it('has the scopes of its person’s role, and the audit log names the person as the author of changes', async () => {
    const { id } = await ada.must<{ id: number }>('POST', '/v1/collaborators', { name: 'Bob' });
    const [entry] = await ada.must<{ author: string; operation: string }[]>(
      'GET',
      `/v1/audit-entries?operation=createCollaborator`,
    );
    assert.ok(id > 0);
    assert.deepEqual(entry?.author, `person ${ada.id}`);
    const visit = await ada.call('POST', '/v1/event/site-visited', { collaboratorId: id });
    assert.equal(visit.status, 200);
  });

  it('gets the stored response of an Idempotency-Key only if the same person sent the first request', async () => {
    const post = (by: Member) =>
      by.call('POST', '/v1/collaborators', { name: 'Once' }, { 'idempotency-key': 'session-once' });
    const first = await post(ada);
    const again = await post(loggedInMember(service, await logIn(service, ADA)));
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true']);
    const bob = await makePerson(service, 'owner', 'bob.keys@mugs.example');
    assert.equal(problemCode(await post(bob)), 'idempotency-mismatch');
  });

  it('has its person’s rate limit in the response headers', async () => {
    const { headers } = await ada.call('GET', '/v1/session');
    assert.equal(headers.get('ratelimit-policy'), '"person";q=100;w=1');
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  it('is accepted only in requests from the service’s own pages, and in GET requests that a user started in the browser', async () => {
    const ask = (method: string, headers: Record<string, string>) =>
      service.request(method, method === 'GET' ? '/v1/account' : '/v1/collaborators', {
        headers: { cookie: ada.cookie, ...headers },
        ...(method === 'GET' ? {} : { body: { name: 'X' } }),
      });
    const own = `http://localhost:${new URL(service.url).port}`;
    for (const [method, headers, status] of [
      ['GET', { 'sec-fetch-site': 'same-origin' }, 200],
      ['GET', { 'sec-fetch-site': 'none' }, 200],
      ['GET', { 'sec-fetch-site': 'same-site' }, 401],
      ['GET', { 'sec-fetch-site': 'cross-site' }, 401],
      ['GET', {}, 401],
      ['GET', { referer: `${own}/console/` }, 200],
      ['GET', { referer: 'https://evil.example/' }, 401],
      ['GET', { referer: 'nonsense' }, 401],
      ['POST', { 'sec-fetch-site': 'same-origin' }, 201],
      ['POST', { 'sec-fetch-site': 'none' }, 401],
      ['POST', { 'sec-fetch-site': 'cross-site', origin: own }, 401],
      ['POST', { origin: own }, 201],
      ['POST', { origin: 'https://evil.example' }, 401],
      ['POST', { origin: 'null' }, 401],
      ['POST', { referer: `${own}/console/` }, 401],
      ['POST', {}, 401],
    ] as const) {
      const reply = await ask(method, headers);
      assert.equal(reply.status, status, `${method} ${JSON.stringify(headers)}`);
    }
  });

  it('is ignored if an API key is sent or the session cookie appears twice', async () => {
    const headers = { cookie: ada.cookie, 'sec-fetch-site': 'same-origin' };
    const wrongKey = await service.request('GET', '/v1/account', {
      key: rawKeyOf('secret', Buffer.alloc(32)),
      headers,
    });
    assert.equal(wrongKey.status, 401);
    const keyed = await service.request('GET', '/v1/account', { key: service.secretKey, headers });
    assert.deepEqual([keyed.status, problemCode(keyed)], [403, 'scope-required']);
    const doubled = { ...headers, cookie: `${ada.cookie}; ${ada.cookie}` };
    assert.equal((await service.request('GET', '/v1/account', { headers: doubled })).status, 401);
    const beside = { ...headers, cookie: `other=1; ${ada.cookie}; x` };
    assert.equal((await service.request('GET', '/v1/account', { headers: beside })).status, 200);
  });

  it('is refused if its token is unknown, empty, malformed or in the portal’s cookie', async () => {
    const token = Buffer.alloc(32, 7).toString('base64url');
    for (const cookie of [`whence=${token}`, 'whence=', 'whence=short', `whence-portal=${ada.cookie.slice(7)}`]) {
      const reply = await service.request('GET', '/v1/account', {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
      });
      assert.deepEqual([reply.status, problemCode(reply)], [401, 'unauthenticated'], cookie);
      assert.equal(reply.headers.get('www-authenticate'), 'Session');
    }
  });

  it('ends at logout, which clears the cookie', async () => {
    const leaving = loggedInMember(service, await logIn(service, ADA));
    const left = await leaving.call('DELETE', '/v1/session');
    assert.deepEqual([left.status, left.text], [200, '']);
    assert.match(left.headers.get('set-cookie') ?? '', /^whence=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/);
    assert.equal((await leaving.call('GET', '/v1/session')).status, 401);
  });

  it('is listed for its person, who can end it from another session', async () => {
    const cy = await makePerson(service, 'viewer', 'cy@mugs.example');
    const phone = loggedInMember(service, await logIn(service, cy.email));
    const listed = await cy.must<{ id: number; current: boolean; userAgent: string | null }[]>(
      'GET',
      '/v1/account/sessions',
    );
    assert.deepEqual(
      listed.map(({ current }) => current),
      [false, true],
    );
    assert.equal((await cy.call('DELETE', `/v1/account/sessions/${listed[0]?.id}`)).status, 200);
    assert.equal((await cy.call('DELETE', `/v1/account/sessions/${listed[0]?.id}`)).status, 404);
    assert.equal((await ended(phone)).status, 401);
    const others = await ada.must<{ id: number }[]>('GET', '/v1/account/sessions');
    assert.equal((await cy.call('DELETE', `/v1/account/sessions/${others[0]?.id}`)).status, 404);
  });

  it('ends when its idle time is over, and use extends the idle time at most until the absolute expiry', async () => {
    const dan = await makePerson(service, 'viewer', 'dan@mugs.example');
    const at = (interval: string) =>
      service.database.query(`update sessions set idle_until = now() + $2::interval where person_id = $1`, [
        dan.id,
        interval,
      ]);
    await at('-1 second');
    assert.equal((await ended(dan)).status, 401);
    const seen = loggedInMember(service, await logIn(service, dan.email));
    await service.database.query(
      `update sessions set last_seen_at = now() - interval '2 minutes', idle_until = now() + interval '1 minute',
         expires_at = now() + interval '3 hours' where person_id = $1`,
      [dan.id],
    );
    assert.equal((await seen.call('GET', '/v1/account')).status, 200);
    const { rows } = await service.database.query<{ capped: boolean; seen: boolean }>(
      `select idle_until = expires_at as capped, last_seen_at > now() - interval '2 minutes' as seen
       from sessions where person_id = $1 order by id desc limit 1`,
      [dan.id],
    );
    assert.deepEqual(rows[0], { capped: true, seen: true });
  });

  it('is accepted without waiting while its person’s row is locked', async () => {
    const gus = await makePerson(service, 'viewer', 'gus@mugs.example');
    await service.database.query(
      `update sessions set last_seen_at = now() - interval '2 minutes' where person_id = $1`,
      [gus.id],
    );
    const change = await service.database.connect();
    try {
      await change.query('begin');
      await change.query('select from people where id = $1 for no key update', [gus.id]);
      await change.query(`set local lock_timeout = '5s'`);
      assert.equal((await gus.call('GET', '/v1/account')).status, 200);
      await change.query('delete from sessions where person_id = $1', [gus.id]);
    } finally {
      await change.query('rollback');
      change.release();
    }
  });

  it('is one of at most twenty per person, and another login ends the least recently used session', async () => {
    const eve = await makePerson(service, 'viewer', 'eve@mugs.example');
    await service.database.query(
      `update sessions set last_seen_at = now() - interval '30 seconds' where person_id = $1`,
      [eve.id],
    );
    for (let n = 0; n < 20; n += 1) assert.equal((await logIn(service, eve.email)).status, 201);
    const { rows } = await service.database.query('select from sessions where person_id = $1', [eve.id]);
    assert.equal(rows.length, 20);
    assert.equal((await ended(eve)).status, 401);
  });

  it('leaves neither its token nor the password in plain text in any table', async () => {
    const secret = 'a password that is looked for';
    const fay = await makePerson(service, 'viewer', 'fay@mugs.example');
    await fay.must('POST', '/v1/account/password', { current: PASSWORD, password: secret });
    const opened = await logIn(service, fay.email, secret);
    const token = cookieIn(opened).split('=')[1] as string;
    const dump = await everything(service);
    assert.ok(dump.includes('fay@mugs.example'), 'the dump contains the tables');
    for (const looked of [secret, PASSWORD, token]) assert.ok(!dump.includes(looked), looked);
    assert.ok(!service.printed.join('\n').includes(secret));
  });
});

describe('login rate limits', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const tryFrom = (network: string, email: string, password: string) =>
    service.request('POST', '/v1/sessions', { body: { email, password }, headers: { 'x-forwarded-for': network } });

  it('refuse a known or unknown email address after ten failures, even from different networks', async () => {
    const gil = await makePerson(service, 'viewer', 'gil@mugs.example');
    for (const email of [gil.email, 'unknown@mugs.example']) {
      for (let n = 0; n < 10; n += 1)
        assert.equal((await tryFrom(`198.18.0.${n}`, email, 'wrong')).status, 401, `${n + 1}`);
      const limited = await tryFrom('198.18.1.1', email, email === gil.email ? PASSWORD : 'wrong');
      assert.deepEqual([limited.status, problemCode(limited)], [429, 'rate-limited']);
      const wait = Number(limited.headers.get('retry-after'));
      assert.ok(wait > 60 && wait <= 90, `${wait}`);
    }
  });

  it('refuse a network after thirty failures across all email addresses, and don’t count successes', async () => {
    const hal = await makePerson(service, 'viewer', 'hal@mugs.example');
    const network = '2001:db8:1:2::';
    for (let n = 0; n < 30; n += 1) {
      assert.equal((await tryFrom(`${network}${n}`, `who-${n}@mugs.example`, 'wrong')).status, 401);
      if (n % 6 === 0) assert.equal((await tryFrom(`${network}1`, hal.email, PASSWORD)).status, 201);
    }
    assert.equal((await tryFrom(`${network}ffff`, hal.email, PASSWORD)).status, 429);
    assert.equal((await tryFrom('2001:db8:1:3::1', hal.email, PASSWORD)).status, 201);
  });
});

describe('the session cookie with an https PUBLIC_URL', () => {
  it('has the __Host- prefix and the Secure attribute', async () => {
    const service = await startService({ PUBLIC_URL: 'https://whence.example.com' });
    try {
      const made = await service.request('POST', '/v1/invitations', {
        key: service.secretKey,
        body: { email: ADA, role: 'owner' },
      });
      const { url } = made.body as { url: string };
      assert.ok(url.startsWith('https://whence.example.com/console/invitation#'));
      const opened = await service.request('POST', '/v1/invitations/accept', {
        body: { token: tokenIn(url), name: 'Ada', password: PASSWORD },
      });
      assert.match(
        opened.headers.get('set-cookie') ?? '',
        /^__Host-whence=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
      );
      const ada = loggedInMember(service, opened);
      assert.equal((await ada.call('GET', '/v1/session')).status, 200);
      const bare = ada.cookie.replace('__Host-', '');
      const reply = await service.request('GET', '/v1/session', {
        headers: { cookie: bare, 'sec-fetch-site': 'same-origin' },
      });
      assert.equal(reply.status, 401);
    } finally {
      await service.stop();
    }
  });
});

/**
 * Returns the first response that refuses the session, or the last response after five seconds. Polls, because session
 * data is cached for half a second.
 */
async function ended(member: Member): Promise<Reply> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const reply = await member.call('GET', '/v1/account');
    if (reply.status !== 200 || performance.now() > deadline) return reply;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function faults(reply: Reply): [string, string][] {
  return (reply.body as { errors: { pointer: string; code: string }[] }).errors.map(({ pointer, code }) => [
    pointer,
    code,
  ]);
}

/** Returns every row of every table as text, including binary columns. */
async function everything({ database }: TestService): Promise<string> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  let text = '';
  for (const { name } of tables) {
    const { rows } = await database.query<Record<string, unknown>>(`select * from ${name}`);
    text += rows
      .flatMap((row) => Object.values(row))
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value)))
      .join('\n');
  }
  return text;
}
