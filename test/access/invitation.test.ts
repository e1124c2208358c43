import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_OPEN_INVITATIONS } from '#access/domain/person.ts';
import { THROTTLES } from '#platform/throttles/throttle.ts';
import { accept, invite, makePerson, type Member, PASSWORD, tokenIn } from '../support/people.ts';
import { type Mailbox, newNetwork, openMailbox } from '../support/portal.ts';
import { faultCodes, problemCode, statusesOf } from '../support/replies.ts';
import { countTries } from '../support/throttles.ts';
import { runCommand } from '../support/process.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

type Invitation = { id: number; email: string | null; role: string; status: string; invitedBy: string; url: string };

describe('invitations', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let ada: Member;
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    ada = await makePerson(service, 'owner', 'ada@mugs.example');
  });
  after(() => service.stop());

  const post = (body: object, by: Member = ada): Promise<Reply> => by.call('POST', '/v1/invitations', body);

  it('are emailed, show their link once, and give the invited role when accepted', async () => {
    const made = await post({ email: 'Bob@Mugs.example', role: 'manager' });
    assert.deepEqual([made.status, made.headers.get('cache-control')], [201, 'no-store']);
    const { url, ...invitation } = made.body as Invitation;
    assert.deepEqual(
      [invitation.email, invitation.role, invitation.status, invitation.invitedBy],
      ['bob@mugs.example', 'manager', 'open', `person ${ada.id}`],
    );
    const [mail] = await mailbox.mailsTo('bob@mugs.example');
    assert.match(mail?.text ?? '', /^ada has invited you .*\n\n\S+\/console\/invitation#[\w-]{43}\n/m);
    assert.ok(!mail?.text.includes(url), 'the email has a token of its own');

    const preview = await service.request('POST', '/v1/invitations/preview', { body: { token: tokenIn(url) } });
    assert.deepEqual(preview.body, { organization: 'My organization', email: 'bob@mugs.example', role: 'manager' });
    const accepted = await accept(service, tokenIn(url), 'another@mugs.example');
    const { person } = accepted.body as { person: { email: string; role: string } };
    assert.deepEqual([person.email, person.role], ['bob@mugs.example', 'manager']);
    const listed = await ada.must<Invitation[]>('GET', '/v1/invitations');
    const shown = listed.find(({ id }) => id === invitation.id);
    assert.deepEqual([shown?.status, shown && 'url' in shown], ['accepted', false]);
  });

  for (const [what, leave] of [
    ['is removed', (id: number) => ada.must('DELETE', `/v1/people/${id}`)],
    ['loses the permission to invite', (id: number) => ada.must('PATCH', `/v1/people/${id}`, { role: 'manager' })],
  ] as const) {
    it(`expire when the inviter ${what}`, async () => {
      const name = what.split(' ')[0];
      const leaving = await makePerson(service, 'owner', `${name}@mugs.example`);
      const made = (await post({ email: `friend-${name}@mugs.example`, role: 'owner' }, leaving)).body as Invitation;
      await leave(leaving.id);
      assert.equal(problemCode(await accept(service, tokenIn(made.url), 'any@mugs.example')), 'link-expired');
    });
  }

  it('are stored without their link in plain text, and a repeated Idempotency-Key returns the same response', async () => {
    const headers = { 'idempotency-key': 'invite-once' };
    const body = { email: 'kept@mugs.example', role: 'viewer' };
    const [first, again] = [
      await ada.call('POST', '/v1/invitations', body, headers),
      await ada.call('POST', '/v1/invitations', body, headers),
    ];
    assert.equal(again.text, first.text);
    const token = tokenIn((first.body as Invitation).url);
    for (const table of ['audit_entries', 'idempotency_answers', 'invitations', 'outgoing_emails']) {
      const { rows } = await service.database.query(`select from ${table} t where position($1 in t::text) > 0`, [
        token,
      ]);
      assert.equal(rows.length, 0, table);
    }
    assert.equal((await mailbox.mailsTo('kept@mugs.example')).length, 1);
  });

  it('can’t be accepted after they are replaced by a newer invitation, are revoked or have expired', async () => {
    const first = await invite(service, service.secretKey, 'viewer', 'cy@mugs.example');
    const second = await invite(service, service.secretKey, 'viewer', 'cy@mugs.example');
    const revoked = (await post({ email: 'di@mugs.example', role: 'viewer' })).body as Invitation;
    for (let times = 0; times < 2; times += 1) {
      const reply = await ada.call('DELETE', `/v1/invitations/${revoked.id}`);
      assert.deepEqual([reply.status, (reply.body as Invitation).status], [200, 'revoked']);
    }
    const late = (await post({ email: 'ed@mugs.example', role: 'viewer' })).body as Invitation;
    await service.database.query(`update invitations set expires_at = now() where id = $1`, [late.id]);
    for (const token of [first, tokenIn(revoked.url), tokenIn(late.url), 'x'.repeat(43)]) {
      for (const path of ['preview', 'accept']) {
        const body = { token, name: 'X', password: PASSWORD };
        const reply = await service.request('POST', `/v1/invitations/${path}`, { body });
        assert.deepEqual([reply.status, problemCode(reply)], [410, 'link-expired']);
      }
    }
    const listed = await ada.must<Invitation[]>('GET', '/v1/invitations');
    assert.equal(listed.find(({ id }) => id === late.id)?.status, 'expired');
    assert.equal((await accept(service, second, '')).status, 422, 'the address must be valid, even if it is not used');
    assert.equal((await accept(service, second, 'cy@mugs.example')).status, 201);
    const cy = listed.find(({ email, status }) => email === 'cy@mugs.example' && status === 'open');
    const reply = await ada.call('DELETE', `/v1/invitations/${cy?.id}`);
    assert.deepEqual([reply.status, problemCode(reply)], [409, 'invalid-transition']);
  });

  it('are refused for the email address of an existing person of the organization', async () => {
    const reply = await post({ email: 'ADA@mugs.example', role: 'viewer' });
    assert.deepEqual([reply.status, problemCode(reply)], [409, 'address-taken']);
  });

  it(`are limited to ${MAX_OPEN_INVITATIONS} open invitations per organization, even when created concurrently`, async () => {
    const key = await service.foundOrganization('Eager');
    const asked = (name: number | string) =>
      service.request('POST', '/v1/invitations', { key, body: { email: `${name}@eager.example`, role: 'viewer' } });
    const there = MAX_OPEN_INVITATIONS - 5;
    await service.database.query(
      `insert into invitations (organization_id, email, role, hash, invited_by, expires_at)
       select organization_id, n || '@there.example', 'viewer', sha256(n::text::bytea), 'key 1', now() + interval '1 day'
       from api_keys, generate_series(1, $2) n where hash = sha256(convert_to($1, 'UTF8'))`,
      [key, there],
    );
    const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => asked(at)));
    const refused = replies.filter(({ status }) => status !== 201);
    assert.deepEqual(
      refused.map((reply) => `${reply.status} ${problemCode(reply)}`),
      Array<string>(5).fill('409 too-many-invitations'),
    );
    const [made] = replies.filter(({ status }) => status === 201).map(({ body }) => body as Invitation);
    const again = await asked((made as Invitation).email?.split('@')[0] ?? '');
    assert.equal(again.status, 201, 'a newer invitation replaces the previous one');
    assert.equal((await asked('late')).status, 409);
    const { id } = again.body as Invitation;
    assert.equal((await service.request('DELETE', `/v1/invitations/${id}`, { key })).status, 200);
    assert.equal((await asked('late')).status, 201, 'a revoked invitation frees a place');
    assert.equal((await asked('later')).status, 409);
    await service.database.query(`update invitations set expires_at = now() where email = 'late@eager.example'`);
    assert.equal((await asked('later')).status, 201, 'an expired invitation frees a place');
    assert.equal(
      (await post({ email: 'lea@mugs.example', role: 'viewer' })).status,
      201,
      'other callers are not limited',
    );
  });

  it('are limited to five per email address in fifteen minutes, including revoked invitations', async () => {
    const replies = [];
    for (let at = 0; at < 6; at++) {
      const reply = await post({ email: 'often@mugs.example', role: 'viewer' });
      replies.push(reply);
      if (reply.status === 201) await ada.must('DELETE', `/v1/invitations/${(reply.body as Invitation).id}`);
    }
    assert.deepEqual(statusesOf(replies), [201, 201, 201, 201, 201, 429]);
    assert.ok(Number(replies[5]?.headers.get('retry-after')) > 0);
    assert.equal((await mailbox.mailsTo('often@mugs.example')).length, 5);
  });

  it('are limited to five per mailbox in fifteen minutes, regardless of the address tag', async () => {
    const replies = [];
    for (let at = 0; at < 6; at++) replies.push(await post({ email: `box+${at}@mugs.example`, role: 'viewer' }));
    assert.deepEqual(statusesOf(replies), [201, 201, 201, 201, 201, 429]);
    assert.deepEqual(await mailbox.mailsTo('box+5@mugs.example'), []);
    assert.equal(
      ((replies[1] as Reply).body as Invitation).email,
      'box+1@mugs.example',
      'the stored address keeps its tag',
    );
  });

  const scopes = ['events:write', 'resources:read', 'resources:write', 'keys:write', 'people:write'];
  const createKey = (label: string) =>
    ada.must<{ id: number; rawKey: string }>('POST', '/v1/api-keys', { label, scopes });
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  for (const [what, end] of [
    ['is revoked', (id: number) => ada.must('DELETE', `/v1/api-keys/${id}`)],
    [
      'loses the scope for people',
      (id: number) => ada.must('PATCH', `/v1/api-keys/${id}`, { scopes: ['resources:read'] }),
    ],
    [
      'loses a scope of the invited role',
      (id: number) => ada.must('PATCH', `/v1/api-keys/${id}`, { scopes: ['people:write', 'resources:read'] }),
    ],
    [
      'is revoked on the command line',
      async (id: number) => {
        const settings = { DATABASE_URL: service.databaseUrl };
        const { code, printed } = await runCommand(['key', 'revoke', String(id)], settings);
        assert.equal(code, 0, printed);
      },
    ],
    [
      'is rotated without overlap',
      (id: number) => ada.must('POST', `/v1/api-keys/${id}/rotate`, { overlapSeconds: 0 }),
    ],
  ] as const) {
    it(`expire when the API key that created them ${what}`, async () => {
      const made = await createKey(what);
      const email = `${what.replaceAll(' ', '-')}@mugs.example`;
      const token = await invite(service, made.rawKey, 'owner', email);
      await end(made.id);
      assert.equal((await accept(service, token, email)).status, 410);
    });
  }

  it('expire together with the API key that created them', async () => {
    const listed = async (email: string) =>
      (await ada.must<(Invitation & { expiresAt: string })[]>('GET', '/v1/invitations')).find(
        (each) => each.email === email,
      )?.expiresAt;
    const made = await createKey('expires');
    await invite(service, made.rawKey, 'owner', 'before@mugs.example');
    const end = inAnHour();
    await ada.must('PATCH', `/v1/api-keys/${made.id}`, { expiresAt: end });
    await invite(service, made.rawKey, 'owner', 'after@mugs.example');
    assert.deepEqual([await listed('before@mugs.example'), await listed('after@mugs.example')], [end, end]);
    await ada.must('PATCH', `/v1/api-keys/${made.id}`, { expiresAt: null });
    assert.equal(await listed('before@mugs.example'), end, 'a later expiry of the key does not extend it');
  });

  it('stay valid when the API key that created them keeps the scopes of the invited role', async () => {
    const made = await createKey('keeps');
    const token = await invite(service, made.rawKey, 'viewer', 'keeps@mugs.example');
    await ada.must('PATCH', `/v1/api-keys/${made.id}`, { scopes: ['people:write', 'resources:read'] });
    assert.equal((await accept(service, token, 'keeps@mugs.example')).status, 201);
  });

  it('are limited to 100 per organization and hour, including revoked invitations', async () => {
    const name = 'people invited by an organization';
    assert.deepEqual(THROTTLES[name], { tries: 100, seconds: 3_600 });
    const key = await service.foundOrganization('Loud');
    const { id } = (await service.request('GET', '/v1/organization', { key })).body as { id: number };
    await countTries(service, name, String(id), 97);
    const replies = [];
    for (let at = 0; at < 4; at++) {
      const body = { email: `stranger-${at}@loud.example`, role: 'viewer' };
      const reply = await service.request('POST', '/v1/invitations', { key, body });
      replies.push(reply);
      if (reply.status === 201)
        await service.request('DELETE', `/v1/invitations/${(reply.body as Invitation).id}`, { key });
    }
    assert.deepEqual(statusesOf(replies), [201, 201, 201, 429]);
    assert.ok(Number(replies[3]?.headers.get('retry-after')) > 0);
    assert.deepEqual(await mailbox.mailsTo('stranger-3@loud.example'), []);
    assert.equal(
      (await post({ email: 'lou@mugs.example', role: 'viewer' })).status,
      201,
      'other callers are not limited',
    );
  });

  it('can’t give a role with more permissions than the inviter has', async () => {
    const made = await service.request('POST', '/v1/api-keys', {
      key: service.secretKey,
      body: { label: 'People', scopes: ['people:write', 'resources:read', 'resources:write', 'events:write'] },
    });
    const { rawKey } = made.body as { rawKey: string };
    const by = (role: string) =>
      service.request('POST', '/v1/invitations', { key: rawKey, body: { email: `${role}@x.example`, role } });
    const refused = await by('owner');
    assert.deepEqual([refused.status, problemCode(refused)], [403, 'scope-required']);
    assert.equal((await by('manager')).status, 201);
    const manager = await makePerson(service, 'manager', 'manager2@mugs.example');
    const reply = await post({ email: 'x@mugs.example', role: 'viewer' }, manager);
    assert.deepEqual([reply.status, problemCode(reply)], [403, 'scope-required']);
  });

  it('can’t be accepted with a password that is easy to guess', async () => {
    const token = await invite(service, service.secretKey, 'viewer', 'gil.gilbert@mugs.example');
    for (const [password, code] of [
      ['short', 'too-short'],
      ['x'.repeat(257), 'too-long'],
      ['aaaaaaaaaaab', 'too-weak'],
      ['Password123', 'too-weak'],
      ['gil.gilbert@mugs.example', 'too-weak'],
    ] as const) {
      const reply = await accept(service, token, 'gil.gilbert@mugs.example', password);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/password': code }], password);
    }
    assert.equal((await accept(service, token, 'gil.gilbert@mugs.example')).status, 201);
  });

  it('accept twenty password attempts in fifteen minutes, including weak passwords', async () => {
    const made = (await post({ email: 'slow@mugs.example', role: 'viewer' })).body as Invitation;
    const send = (password: string) =>
      service.request('POST', '/v1/invitations/accept', {
        body: { token: tokenIn(made.url), name: 'Slow', password },
        headers: { 'x-forwarded-for': newNetwork() },
      });
    for (let n = 0; n < 20; n += 1) assert.equal((await send('password123')).status, 422, `${n + 1}`);
    assert.deepEqual([(await send(PASSWORD)).status], [429]);
  });

  it('the link for the first owner expires once an owner exists', async () => {
    const link = service.printed.map((line) => /http:\S+\/console\/welcome#\S+/.exec(line)?.[0]).find(Boolean) ?? '';
    const reply = await service.request('POST', '/v1/invitations/preview', {
      body: { token: tokenIn(link) },
      headers: { 'x-forwarded-for': newNetwork() },
    });
    assert.deepEqual([reply.status, problemCode(reply)], [410, 'link-expired']);
  });
});
