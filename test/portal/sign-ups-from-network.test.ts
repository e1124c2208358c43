import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forgetSome } from '#privacy/reactions/forget.ts';
import { type Mailbox, openMailbox, openPortal, type Portal } from '../support/portal.ts';
import { faultCodes } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Signal = {
  reason: string;
  value: number;
  limit: number;
  collaborators: { id: number; name: string }[];
};
type Partner = { id: number; name: string; status: string };

describe('sign-ups from one network', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let shop: Shop;
  let portal: Portal;
  /** A program that accepts everyone at once. */
  let open: number;
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    shop = openShop(service);
    open = await shop.program({ name: 'Friends', enrollment: 'selected' });
    await shop.change(`/v1/programs/${open}/sign-up`, { mode: 'open' });
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
  });
  after(() => service.stop());

  type Application = { program?: number; invitation?: string; at?: Portal };
  /** Requests a sign-up with the given name from an address, and doesn't confirm it. */
  const ask = async (name: string, address: string, { program = open, invitation, at = portal }: Application = {}) => {
    const body = { programId: program, name, email: `${name}@net.example`, ...(invitation && { invitation }) };
    const reply = await at.visit('POST', '/sign-ups', body, { 'x-forwarded-for': address });
    assert.equal(reply.status, 200, reply.text);
  };
  const confirm = async (name: string, at = portal) => {
    const { token } = await mailbox.entryOf(`${name}@net.example`);
    const reply = await at.visit('POST', '/sessions', { token });
    assert.equal(reply.status, 201, reply.text);
    return reply;
  };
  const apply = async (name: string, address: string, application: Application = {}) => {
    await ask(name, address, application);
    return confirm(name, application.at);
  };
  const partner = async (name: string): Promise<Partner> => {
    const [found] = await shop.get<Partner[]>(`/v1/collaborators?email=${name}@net.example`);
    return found ?? assert.fail(`no partner ${name}`);
  };
  const statuses = async (...names: string[]) => Promise.all(names.map(async (name) => (await partner(name)).status));
  const signalsOf = async (name: string): Promise<Signal[]> => {
    const { id } = await partner(name);
    const signUps = await shop.get<{ signals: Signal[] }[]>(`/v1/collaborators/${id}/sign-ups`);
    return signUps.flatMap(({ signals }) => signals);
  };
  /** Returns the stored hash of a partner's network in hex, null without a hash, or undefined without a sign-up. */
  const networkOf = async (name: string): Promise<string | null | undefined> => {
    const { rows } = await service.database.query<{ network: string | null }>(
      `select encode(network, 'hex') as network from sign_ups s join collaborators c on c.id = s.collaborator_id
       and c.organization_id = s.organization_id where c.email = $1`,
      [`${name}@net.example`],
    );
    return rows[0]?.network;
  };
  const age = (days: number, name: string) =>
    service.database.query(
      `update sign_ups set created_at = created_at - make_interval(days => $1)
       where collaborator_id = (select id from collaborators where email = $2)`,
      [days, `${name}@net.example`],
    );

  it('the third applicant within 7 days waits for approval, and earlier partners keep their status and earnings', async () => {
    await apply('ada', '203.0.113.7');
    const oid = await shop.visit('ada');
    await shop.sell('order-1', oid);
    await service.settled();
    const earned = await shop.get<object[]>('/v1/conversions');
    assert.equal(earned.length, 1);
    await apply('ben', '203.0.113.200');
    await apply('eve', '203.0.114.7');
    assert.deepEqual(await signalsOf('ada'), []);
    const { text } = await apply('cyd', '203.0.113.9');
    assert.ok(!text.includes('network') && !text.includes('signal'), 'the applicant doesn’t see the signal');
    assert.deepEqual(await statuses('ada', 'ben', 'cyd', 'eve'), ['active', 'active', 'pending', 'active']);
    await service.settled();
    assert.deepEqual(await shop.get('/v1/conversions'), earned);
  });

  it('all applicants from the network have the fraud signal, which names the other applicants', async () => {
    const [ada, ben, cyd] = [await partner('ada'), await partner('ben'), await partner('cyd')];
    const facts = { reason: 'sign-ups-from-network', value: 3, limit: 3 };
    const named = (...partners: Partner[]) => partners.map(({ id, name }) => ({ id, name }));
    assert.deepEqual(await signalsOf('ada'), [{ ...facts, collaborators: named(ben, cyd) }]);
    assert.deepEqual(await signalsOf('cyd'), [{ ...facts, collaborators: named(ada, ben) }]);
    assert.deepEqual(await signalsOf('eve'), []);
    const listed = await shop.get<object[]>('/v1/collaborator-signals');
    const of = { programId: open, programName: 'Friends', ...facts };
    assert.deepEqual(listed, [
      { collaboratorId: cyd.id, collaboratorName: 'cyd', ...of, collaborators: named(ada, ben) },
      { collaboratorId: ben.id, collaboratorName: 'ben', ...of, collaborators: named(ada, cyd) },
      { collaboratorId: ada.id, collaboratorName: 'ada', ...of, collaborators: named(ben, cyd) },
    ]);
    await shop.change(`/v1/collaborators/${cyd.id}`, { status: 'rejected' });
    assert.deepEqual(
      (await shop.get<{ collaboratorName: string }[]>('/v1/collaborator-signals')).map((each) => each.collaboratorName),
      ['ben', 'ada'],
    );
  });

  it('invitation links, accepted domains and other programs don’t accept an applicant with the fraud signal at once', async () => {
    const byDomain = await shop.program({ name: 'Agencies' });
    await shop.change(`/v1/programs/${byDomain}/sign-up`, { mode: 'approval', acceptedDomains: ['net.example'] });
    const link = await service.request('POST', '/v1/invitation-links', {
      key: service.secretKey,
      body: { programId: byDomain, tags: ['invited'] },
    });
    const invitation = new URL((link.body as { url: string }).url).hash.slice(1);
    for (const [n, name] of ['fay', 'gil'].entries())
      await apply(name, `198.51.100.${n}`, { program: byDomain, invitation });
    await apply('hal', '198.51.100.7', { program: byDomain, invitation });
    await apply('ina', '198.51.100.8', { program: byDomain });
    await apply('jim', '198.51.100.9');
    assert.deepEqual(await statuses('fay', 'gil', 'hal', 'ina', 'jim'), [
      'active',
      'active',
      'pending',
      'pending',
      'pending',
    ]);
    assert.equal((await signalsOf('fay'))[0]?.value, 5);
    assert.deepEqual((await shop.get<{ tags: string[] }>(`/v1/collaborators/${(await partner('hal')).id}`)).tags, [
      'invited',
    ]);
    // If an active partner applies from the network, the partner isn’t enrolled in another program.
    await apply('fay', '198.51.100.10');
    const enrolled = await shop.get<{ collaboratorId: number }[]>(`/v1/programs/${open}/collaborators`);
    const { id } = await partner('fay');
    assert.ok(!enrolled.some(({ collaboratorId }) => collaboratorId === id));
  });

  it('a partner who applies to several programs counts once, and applicants from more than 7 days ago don’t count', async () => {
    const second = await shop.program({ name: 'Second' });
    await shop.change(`/v1/programs/${second}/sign-up`, { mode: 'open' });
    for (const program of [open, second]) await apply('kim', '192.0.2.1', { program });
    await apply('lea', '192.0.2.2');
    assert.deepEqual(await signalsOf('kim'), []);
    await age(8, 'lea');
    await apply('max', '192.0.2.3');
    assert.deepEqual(await statuses('kim', 'lea', 'max'), ['active', 'active', 'active']);
    assert.deepEqual([await signalsOf('kim'), await signalsOf('lea'), await signalsOf('max')], [[], [], []]);
  });

  it('two of eight concurrent applicants are accepted at once, and the others wait', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `crowd${n}`);
    for (const [n, name] of names.entries()) await ask(name, `2001:db8:7:${n}::1`);
    await Promise.all(names.map((name) => confirm(name)));
    const all = await statuses(...names);
    assert.deepEqual(all.toSorted(), [...Array<string>(2).fill('active'), ...Array<string>(6).fill('pending')]);
    for (const name of names) {
      const [signal] = await signalsOf(name);
      assert.deepEqual([signal?.value, signal?.collaborators.length], [8, 7], name);
    }
  });

  it('another organization doesn’t count these applicants, and its hash of the network is different', async () => {
    const key = await service.foundOrganization('Other');
    const other = await openPortal(service, mailbox, 'other', key);
    const made = await service.request('POST', '/v1/programs', {
      key,
      body: { name: 'Others', reward: { type: 'percent', percent: 5 } },
    });
    const program = (made.body as { id: number }).id;
    await service.request('PATCH', `/v1/programs/${program}/sign-up`, { key, body: { mode: 'open' } });
    await apply('nia', '203.0.113.7', { program, at: other });
    const [nia] = (await service.request('GET', '/v1/collaborators', { key })).body as Partner[];
    assert.equal(nia?.status, 'active');
    assert.deepEqual((await service.request('GET', '/v1/collaborator-signals', { key })).body, []);
    const [hash, others] = [await networkOf('ada'), await networkOf('nia')];
    assert.match(hash ?? '', /^[0-9a-f]{64}$/);
    assert.match(others ?? '', /^[0-9a-f]{64}$/);
    assert.notEqual(hash, others);
    assert.equal(hash, await networkOf('ben'));
  });

  it('an erasure removes the hash, and the other applicants no longer name the partner', async () => {
    const { id } = await partner('ben');
    const erased = await service.request('POST', '/v1/collaborators/erase', {
      key: service.secretKey,
      body: { collaboratorId: id },
    });
    assert.equal(erased.status, 200, erased.text);
    const { rows } = await service.database.query('select from sign_ups where collaborator_id = $1', [id]);
    assert.deepEqual(rows, []);
    const [signal] = await signalsOf('ada');
    assert.deepEqual([signal?.value, signal?.collaborators.map(({ name }) => name)], [3, ['cyd']]);
  });

  it('a hash is deleted after 30 days, and the sign-up keeps only the number of applicants', async () => {
    await age(29, 'fay');
    await age(31, 'gil');
    await forgetSome(service.database);
    assert.notEqual(await networkOf('fay'), null);
    assert.equal(await networkOf('gil'), null);
    const [signal] = await signalsOf('gil');
    assert.deepEqual([signal?.value, signal?.collaborators], [5, []]);
    const listed = await shop.get<{ collaboratorName: string }[]>('/v1/collaborator-signals');
    assert.ok(!listed.some(({ collaboratorName }) => collaboratorName === 'gil'));
  });

  it('no hash is stored for an internal address, a network on the allow list, or a program without a limit', async () => {
    await service.request('POST', '/v1/fraud-list-entries', {
      key: service.secretKey,
      body: { list: 'allow', kind: 'network', value: '198.18.0.0/16' },
    });
    for (const [n, name] of ['ora', 'pam', 'quin'].entries()) await apply(name, `10.0.0.${n}`);
    for (const [n, name] of ['rex', 'sam', 'tom'].entries()) await apply(name, `198.18.4.${n}`);
    await shop.change(`/v1/programs/${open}/sign-up`, { signUpsFromNetwork: null });
    for (const [n, name] of ['uma', 'vic', 'wes'].entries()) await apply(name, `198.19.4.${n}`);
    for (const name of ['ora', 'pam', 'quin', 'rex', 'sam', 'tom', 'uma', 'vic', 'wes']) {
      assert.deepEqual([await statuses(name), await networkOf(name)], [['active'], null], name);
    }
    assert.deepEqual(await signalsOf('ada'), [], 'the signal is off for the program');
  });

  it('the limit is 2 to 100', async () => {
    const change = (signUpsFromNetwork: number) =>
      service.request('PATCH', `/v1/programs/${open}/sign-up`, {
        key: service.secretKey,
        body: { signUpsFromNetwork },
      });
    for (const wrong of [1, 101])
      assert.deepEqual(faultCodes(await change(wrong)), { '/signUpsFromNetwork': 'out-of-range' });
    assert.partialDeepStrictEqual((await change(2)).body, { signUpsFromNetwork: 2 });
    await apply('xia', '198.19.8.1');
    await apply('yan', '198.19.8.2');
    assert.deepEqual(await statuses('xia', 'yan'), ['active', 'pending']);
  });

  it('the address and the network are not stored in plain text', async () => {
    const { rows } = await service.database.query<{ name: string }>(
      `select c.relname as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    );
    for (const { name } of rows.filter((each) => each.name !== 'kept_mails')) {
      const found = await service.database.query(`select from ${name} t where t::text ~ '203\\.0\\.113\\.' limit 1`);
      assert.equal(found.rowCount, 0, name);
    }
  });
});
