import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lockWaits } from '#test/support/paused.ts';
import { makePerson } from '#test/support/people.ts';
import { loggedInCollaborator, type Mailbox, openMailbox, openPortal, type Portal } from '#test/support/portal.ts';
import { problemCode } from '#test/support/replies.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { countTries, forgetTries } from '#test/support/throttles.ts';

/* Tests that accepted collaborators are notified, and that removed callers lose access, even during a call. */

let service: TestService;
let mailbox: Mailbox;
let shop: Shop;
let portal: Portal;
before(async () => {
  service = await startService();
  mailbox = await openMailbox(service);
  shop = openShop(service);
  portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
});
after(() => service.stop());

/**
 * Runs the SQL statement `lock` in a transaction, makes the calls, and commits once all of them wait for locks. Each
 * call starts once the previous call waits. Returns the answers.
 */
async function whileHeld<Answer>(lock: string, ...calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const holder = await service.database.connect();
  try {
    await holder.query('begin');
    await holder.query(lock);
    const answers: Promise<Answer>[] = [];
    for (const call of calls) {
      answers.push(call());
      await lockWaits(service.database, answers.length);
    }
    await holder.query('commit');
    return await Promise.all(answers);
  } finally {
    holder.release();
  }
}

describe('a collaborator whose status changes', () => {
  const subjectsTo = async (email: string) => (await mailbox.mailsTo(email)).map(({ subject }) => subject);
  const waiter = (email: string) => shop.collaborator(email, { email, status: 'pending' });

  it('gets one welcome email with the portal’s address when accepted', async () => {
    const ids = [await waiter('one@wait.example'), await waiter('two@wait.example')];
    await shop.change(`/v1/collaborators/${ids[0]}`, { status: 'active' });
    await service.request('POST', '/v1/collaborators/bulk', {
      key: service.secretKey,
      body: { action: 'activate', ids },
    });
    for (const name of ['one', 'two']) {
      const [mail, ...more] = await mailbox.mailsTo(`${name}@wait.example`);
      assert.deepEqual([mail?.subject.startsWith('Welcome to '), more], [true, []], name);
      assert.match(mail?.text ?? '', /^http:\/\/\S+\/portal\/mugs\/$/m);
    }
  });

  it('gets no email after a rejection or a reactivation, or without an email address', async () => {
    const rejected = await waiter('rejected@wait.example');
    await shop.change(`/v1/collaborators/${rejected}`, { status: 'rejected' });
    const resting = await shop.collaborator('Rest', { email: 'rest@wait.example', status: 'inactive' });
    await shop.change(`/v1/collaborators/${resting}`, { status: 'active' });
    const unreachable = await shop.collaborator('None', { status: 'pending' });
    await shop.change(`/v1/collaborators/${unreachable}`, { status: 'active' });
    for (const name of ['rejected', 'rest']) assert.deepEqual(await subjectsTo(`${name}@wait.example`), [], name);
  });

  it('gets no email from an organization without a portal', async () => {
    const key = await service.foundOrganization('Closed');
    const body = { name: 'Cy', email: 'cy@wait.example', status: 'pending' };
    const made = await service.request('POST', '/v1/collaborators', { key, body });
    const path = `/v1/collaborators/${(made.body as { id: number }).id}`;
    assert.equal((await service.request('PATCH', path, { key, body: { status: 'active' } })).status, 200);
    assert.deepEqual(await subjectsTo('cy@wait.example'), []);
  });
});

describe('a collaborator whose email address the merchant changes', () => {
  const subjectsTo = async (email: string) => (await mailbox.mailsTo(email)).map(({ subject }) => subject);
  const change = (id: number, email: string | null) => shop.change(`/v1/collaborators/${id}`, { email });

  it('gets one email at the old address, and none at the new address or for the same address', async () => {
    const id = await shop.collaborator('moving', { email: 'old@change.example' });
    await change(id, 'OLD@change.example');
    assert.deepEqual(await subjectsTo('old@change.example'), []);
    await change(id, 'new@change.example');
    await change(id, 'new@change.example');
    const [mail, ...more] = await mailbox.mailsTo('old@change.example');
    assert.deepEqual([mail?.subject.includes('Your email address at '), more], [true, []]);
    assert.match(mail?.text ?? '', /was changed to n…@change\.example\./);
    assert.deepEqual(await subjectsTo('new@change.example'), []);
    await change(id, null);
    assert.match((await mailbox.mailsTo('new@change.example'))[0]?.text ?? '', /was removed\./);
    await change(id, 'late@change.example');
    assert.deepEqual(await subjectsTo('late@change.example'), []);
  });

  it('is notified even at the limit of other emails, and a change beyond the limit of address changes returns 429', async () => {
    const [id, twin, free] = [
      await shop.collaborator('many', { email: 'many@change.example' }),
      await shop.collaborator('twin', { email: 'Many+twin@change.example' }),
      await shop.collaborator('free', { email: null }),
    ];
    const tryToChange = async (id: number, body: object): Promise<number> =>
      (await service.request('PATCH', `/v1/collaborators/${id}`, { key: service.secretKey, body })).status;
    await countTries(service, 'notice to an address', '1 many@change.example', 10);
    await countTries(service, 'notices of an organization', '1', 1_000);
    await countTries(service, 'changed addresses of a mailbox', '1 many@change.example', 49);
    await change(twin, 'other@change.example');
    assert.equal((await subjectsTo('many+twin@change.example')).length, 1);
    const session = await portal.enter('many@change.example');
    const refused = { name: 'Unnoticed', email: 'thief@change.example', userId: 'new-user' };
    assert.equal(await tryToChange(id, refused), 429);
    assert.deepEqual((await subjectsTo('many@change.example')).length, 1, 'only the login email');
    assert.partialDeepStrictEqual(await shop.get(`/v1/collaborators/${id}`), {
      name: 'many',
      email: 'many@change.example',
    });
    await session.must('GET', '/v1/portal/session');
    assert.equal(await tryToChange(id, { name: 'Noticed', email: 'MANY@change.example' }), 200, 'the same address');
    await countTries(service, 'changed addresses of an organization', '1', 5_000);
    assert.equal(await tryToChange(twin, { email: null }), 429);
    assert.equal(await tryToChange(free, { email: 'free@change.example' }), 200, 'no old address');
    await forgetTries(service);
  });
});

describe('the sign-up email', () => {
  it('contains none of the submitted text, because anyone can enter another person’s address', async () => {
    const programId = await shop.program({ name: 'Friends', enrollment: 'selected' });
    await shop.change(`/v1/programs/${programId}/sign-up`, { mode: 'open' });
    const body = { programId, name: 'Win at https://x.example', email: 'relay@wait.example', code: 'casino' };
    assert.equal((await portal.visit('POST', '/sign-ups', body)).status, 200);
    const [mail] = await mailbox.mailsTo('relay@wait.example');
    assert.match(mail?.text ?? '', /signed up for “Friends”/);
    assert.doesNotMatch(JSON.stringify(mail), /x\.example|casino/);
  });
});

describe('a portal that is closed during another call', () => {
  const CONFIGURATION = 'select from organizations where id = 1 for no key update';
  const settings = (slug: string | null) =>
    service.request('PATCH', '/v1/portal-settings', { key: service.secretKey, body: { slug } });
  const linkOf = async (email: string) => {
    await portal.visit('POST', '/links', { email });
    return (await mailbox.entryOf(email)).token;
  };
  before(() => shop.collaborator('Eve', { email: 'eve@wait.example' }));

  it('refuses a login that waited while the portal closed, and its login link stays invalid', async () => {
    const token = await linkOf('eve@wait.example');
    const [closed, entered] = await whileHeld(
      CONFIGURATION,
      () => settings(null),
      () => portal.visit('POST', '/sessions', { token }),
    );
    assert.deepEqual([closed?.status, entered?.status], [200, 410]);
    await settings('mugs');
    assert.equal((await portal.visit('POST', '/sessions', { token })).status, 410);
  });

  it('ends the session of a login that began before the portal closed', async () => {
    const token = await linkOf('eve@wait.example');
    const [entered, closed] = await whileHeld(
      CONFIGURATION,
      () => portal.visit('POST', '/sessions', { token }),
      () => settings(null),
    );
    assert.equal(closed?.status, 200);
    await settings('mugs');
    // Status 410 means that the session ended before the login was answered. Otherwise, the login succeeded.
    if (entered?.status !== 410) {
      const eve = loggedInCollaborator(service, entered as NonNullable<typeof entered>);
      assert.equal((await eve.call('GET', '/v1/portal/session')).status, 401);
    }
    const { rowCount } = await service.database.query('select from sessions where collaborator_id is not null');
    assert.equal(rowCount, 0);
  });

  it('leaves no login link usable after the portal reopens', async () => {
    const [, posted] = await whileHeld(
      CONFIGURATION,
      () => settings(null),
      () => portal.visit('POST', '/links', { email: 'eve@wait.example' }),
    );
    assert.equal(posted?.status, 200);
    await settings('mugs');
    const { rowCount } = await service.database.query('select from entry_links');
    assert.equal(rowCount, 0);
  });
});

describe('an owner who is removed or demoted during a call', () => {
  for (const [what, change] of [
    ['removed', `update people set status = 'removed' where id = `],
    ['made a manager', `update people set role = 'manager' where id = `],
  ] as const) {
    it(`can’t invite anyone if ${what} before the call is answered`, async () => {
      const key = await service.foundOrganization(`Left ${what}`);
      const owner = await makePerson(service, 'owner', `owner-${what.replaceAll(' ', '-')}@wait.example`, key);
      assert.equal((await owner.call('GET', '/v1/account')).status, 200);
      const [invited] = await whileHeld(`${change}${owner.id}`, () =>
        owner.call('POST', '/v1/invitations', { email: 'friend@wait.example', role: 'viewer' }),
      );
      const expected = what === 'removed' ? [401, 'unauthenticated'] : [403, 'scope-required'];
      assert.deepEqual([invited?.status, invited && problemCode(invited)], expected, invited?.text);
      const { rowCount } = await service.database.query(`select from invitations where email = 'friend@wait.example'`);
      assert.equal(rowCount, 0);
    });
  }
});
