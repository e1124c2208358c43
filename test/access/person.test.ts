import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verify } from '#verify/verify.ts';
import { PEOPLE } from '#verify/people.ts';
import { accept, invite, loggedInMember, logIn, makePerson, type Member, PASSWORD } from '../support/people.ts';
import { type Mailbox, openMailbox } from '../support/portal.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';

type Person = { id: number; email: string; name: string; role: string; status: string; lastSeenAt: string | null };

describe('people', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let ada: Member;
  let bob: Member;
  let cy: Member;
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    ada = await makePerson(service, 'owner', 'ada@mugs.example');
    bob = await makePerson(service, 'manager', 'bob@mugs.example');
    cy = await makePerson(service, 'viewer', 'cy@mugs.example');
  });
  after(() => service.stop());

  const patch = (id: number, body: object, by: Member = ada) => by.call('PATCH', `/v1/people/${id}`, body);

  it('are listed with their roles and can see each other', async () => {
    const people = await cy.must<Person[]>('GET', '/v1/people?sort=id');
    assert.deepEqual(
      people.map(({ email, role, status }) => [email, role, status]),
      [
        ['ada@mugs.example', 'owner', 'active'],
        ['bob@mugs.example', 'manager', 'active'],
        ['cy@mugs.example', 'viewer', 'active'],
      ],
    );
    assert.ok(people[0]?.lastSeenAt);
    const one = await cy.must<Person>('GET', `/v1/people/${bob.id}`);
    assert.equal(one.email, 'bob@mugs.example');
  });

  it('can make only the calls that their role allows', async () => {
    const statuses = async (by: Member) => [
      (await by.call('GET', '/v1/collaborators')).status,
      (await by.call('POST', '/v1/collaborators', { name: 'X' })).status,
      (await by.call('POST', '/v1/api-keys', { label: 'X' })).status,
      (await patch(cy.id, { name: 'Cy' }, by)).status,
      (await by.call('GET', '/v1/account')).status,
    ];
    assert.deepEqual(await statuses(ada), [200, 201, 201, 200, 200]);
    assert.deepEqual(await statuses(bob), [200, 201, 403, 403, 200]);
    assert.deepEqual(await statuses(cy), [200, 403, 403, 403, 200]);
  });

  it('get the permissions of a new role within seconds', async () => {
    const dan = await makePerson(service, 'viewer', 'dan@mugs.example');
    const changed = await patch(dan.id, { role: 'manager', name: 'Dan' });
    assert.deepEqual(
      [changed.status, (changed.body as Person).role, (changed.body as Person).name],
      [200, 'manager', 'Dan'],
    );
    await until(async () => (await dan.call('POST', '/v1/collaborators', { name: 'Y' })).status === 201);
    const { scopes } = await dan.must<{ scopes: string[] }>('GET', '/v1/session');
    assert.deepEqual(scopes, ['events:write', 'resources:read', 'resources:write']);
  });

  it('can’t be changed or removed by a caller that lacks a permission of their current or new role', async () => {
    const made = await service.request('POST', '/v1/api-keys', {
      key: service.secretKey,
      body: { label: 'People', scopes: ['people:write', 'resources:read'] },
    });
    const { rawKey: key } = made.body as { rawKey: string };
    for (const [method, id, body] of [
      ['PATCH', ada.id, { name: 'X' }],
      ['PATCH', cy.id, { role: 'manager' }],
      ['DELETE', bob.id, undefined],
    ] as const) {
      const reply = await service.request(method, `/v1/people/${id}`, { key, body });
      assert.deepEqual([reply.status, problemCode(reply)], [403, 'scope-required'], `${method} ${id}`);
    }
    assert.equal((await service.request('PATCH', `/v1/people/${cy.id}`, { key, body: { name: 'Cy' } })).status, 200);
  });

  it('always include at least one owner', async () => {
    for (const reply of [await patch(ada.id, { role: 'manager' }), await ada.call('DELETE', `/v1/people/${ada.id}`)])
      assert.deepEqual([reply.status, problemCode(reply)], [409, 'last-owner']);
    assert.equal((await patch(ada.id, { role: 'owner' })).status, 200);
    const eve = await makePerson(service, 'owner', 'eve@mugs.example');
    assert.equal((await eve.call('PATCH', `/v1/people/${eve.id}`, { role: 'viewer' })).status, 200);
  });

  it('lose access when removed, stay in the audit log, and free their email address', async () => {
    const fay = await makePerson(service, 'manager', 'fay@mugs.example');
    await fay.must('POST', '/v1/collaborators', { name: 'By Fay' });
    for (let times = 0; times < 2; times += 1) {
      const removed = await ada.call('DELETE', `/v1/people/${fay.id}`);
      assert.deepEqual([removed.status, (removed.body as Person).status], [200, 'removed']);
    }
    await until(async () => (await fay.call('GET', '/v1/account')).status === 401);
    assert.equal((await logIn(service, fay.email)).status, 401);
    const change = await patch(fay.id, { role: 'owner' });
    assert.deepEqual([change.status, problemCode(change)], [409, 'invalid-transition']);
    const hidden = await ada.must<Person[]>('GET', '/v1/people');
    assert.ok(!hidden.some(({ id }) => id === fay.id));
    const found = await ada.must<Person[]>('GET', '/v1/people?status=removed');
    assert.deepEqual(
      found.map(({ id }) => id),
      [fay.id],
    );
    assert.equal((await ada.must<unknown[]>('GET', `/v1/audit-entries?author=person%20${fay.id}`)).length, 2);
    const back = await makePerson(service, 'viewer', fay.email);
    assert.notEqual(back.id, fay.id);
  });

  it('can change their own name and password', async () => {
    const gil = await makePerson(service, 'viewer', 'gil@mugs.example');
    const other = await logIn(service, gil.email);
    const renamed = await gil.must<Person>('PATCH', '/v1/account', { name: 'Gil the Great' });
    assert.equal(renamed.name, 'Gil the Great');
    const change = (current: string, password: string) =>
      gil.call('POST', '/v1/account/password', { current, password });
    assert.deepEqual(faultCodes(await change('not it', 'wool lantern at sea')), { '/current': 'wrong' });
    assert.deepEqual(faultCodes(await change(PASSWORD, 'password123')), { '/password': 'too-weak' });
    assert.equal((await change(PASSWORD, 'wool lantern at sea')).status, 200);
    assert.equal((await gil.call('GET', '/v1/account')).status, 200, 'the current session stays valid');
    const { cookie } = { cookie: (other.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
    await until(async () => {
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      return (await service.request('GET', '/v1/account', { headers })).status === 401;
    });
    assert.equal((await logIn(service, gil.email)).status, 401);
    assert.equal((await logIn(service, gil.email, 'wool lantern at sea')).status, 201);
  });

  it('each have one limit on wrong passwords, which applies to password changes and logins together', async () => {
    const hal = await makePerson(service, 'viewer', 'hal@mugs.example');
    const guess = () => hal.call('POST', '/v1/account/password', { current: 'wrong', password: 'wool lantern at sea' });
    for (let n = 0; n < 10; n += 1) assert.equal((await guess()).status, 422, `${n + 1}`);
    const limited = await guess();
    assert.deepEqual([limited.status, problemCode(limited)], [429, 'rate-limited']);
    assert.equal((await logIn(service, hal.email)).status, 429, 'logins and password changes share one count');
  });

  it('have no passwords in the audit log', async () => {
    const { rows } = await service.database.query<{ request: object }>(
      `select request from audit_entries where operation = 'changePassword'`,
    );
    assert.deepEqual(
      rows.map(({ request }) => request),
      [{}],
    );
  });

  it('get at most ten notices and ten links a day for all unconfirmed addresses of a mailbox', async () => {
    const countEmails = async (email: string) => (await mailbox.mailsTo(email)).length - 1;
    const emails = ['jo+1@mugs.example', 'jo+2@mugs.example'];
    for (const email of emails) {
      const token = await invite(service, service.secretKey, 'viewer', email);
      const jo = loggedInMember(service, await accept(service, token, email));
      for (let n = 0; n < 6; n += 1) {
        const [current, password] = n % 2 === 0 ? [PASSWORD, 'wool lantern at sea'] : ['wool lantern at sea', PASSWORD];
        await jo.must('POST', '/v1/account/password', { current, password });
      }
      for (let n = 0; n < 3; n += 1) {
        await jo.must('POST', '/v1/account/confirmation');
        assert.equal((await service.request('POST', '/v1/password-resets', { body: { email } })).status, 200);
      }
    }
    assert.deepEqual(await Promise.all(emails.map(countEmails)), [6 + 6, 4 + 4], 'not counting the invitations');
  });

  it('can change their own password at most ten times in fifteen minutes', async () => {
    const ivo = await makePerson(service, 'viewer', 'ivo@mugs.example');
    const passwords = [PASSWORD, 'wool lantern at sea'] as const;
    const change = (n: number) =>
      ivo.call('POST', '/v1/account/password', { current: passwords[n % 2], password: passwords[(n + 1) % 2] });
    for (let n = 0; n < 10; n += 1) assert.equal((await change(n)).status, 200, `${n + 1}`);
    assert.equal((await change(10)).status, 429);
    assert.equal((await logIn(service, ivo.email)).status, 201, 'logins are counted separately');
  });
});

describe('email addresses of people', () => {
  it('are checked by `whence verify`: each active person has exactly one stored address, and nobody else has one', async () => {
    const service = await startService();
    try {
      const ada = await makePerson(service, 'owner', 'ada@mugs.example');
      const bob = await makePerson(service, 'viewer', 'bob@mugs.example');
      await ada.must('DELETE', `/v1/people/${bob.id}`);
      assert.deepEqual((await verify(service.database)).breaches, []);
      for (const [breaking, detail] of [
        [`delete from people_addresses where person_id = ${ada.id}`, /person \d+ \(active\) has the address none/],
        [`update people_addresses set address = 'x@x.example'`, /\(active\) has the address x@x\.example/],
        [`update people set status = 'removed', password = ''`, /\(removed\) has the address ada@mugs\.example/],
        [`update people_addresses set person_id = 8999999`, /\(unknown\) has the address ada@mugs\.example/],
      ] as const) {
        const connection = await service.database.connect();
        try {
          await connection.query('begin');
          await connection.query(breaking);
          const { rows } = await connection.query<{ detail: string }>(PEOPLE[0]?.query ?? '', [null]);
          assert.match(rows.map((row) => row.detail).join('\n'), detail);
        } finally {
          await connection.query('rollback');
          connection.release();
        }
      }
    } finally {
      await service.stop();
    }
  });
});

/** Polls until `ask` returns true, because session data is cached for half a second. Fails after five seconds. */
async function until(ask: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!(await ask())) {
    assert.ok(performance.now() < deadline, 'the condition is met within five seconds');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
