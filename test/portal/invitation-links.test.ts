import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Collaborator,
  loggedInCollaborator,
  type Mailbox,
  openMailbox,
  openPortal,
  type Portal,
} from '../support/portal.ts';
import { faultCodes, problemCode, statusesOf } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Link = {
  id: number;
  url: string;
  programName: string;
  status: string;
  tags: string[];
  uses: number;
  maxUses: number | null;
  expiresAt: string | null;
  reward: object | null;
  currency: string;
};
type Partner = { id: number; status: string; tags: string[] };

describe('invitation links', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let shop: Shop;
  let portal: Portal;
  /** A program for selected collaborators that is closed to sign-ups. */
  let closed: number;
  /** A program for all collaborators whose applicants wait for approval. */
  let reviewed: number;
  before(async () => {
    service = await startService({ PUBLIC_URL: 'http://partners.example' });
    mailbox = await openMailbox(service);
    shop = openShop(service);
    closed = await shop.program({ name: 'VIP', enrollment: 'selected' });
    reviewed = await shop.program({ name: 'Friends' });
    await shop.change(`/v1/programs/${reviewed}/sign-up`, { mode: 'approval' });
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
  });
  after(() => service.stop());

  const key = () => service.secretKey;
  const create = (body: object) => service.request('POST', '/v1/invitation-links', { key: key(), body });
  const make = async (body: object): Promise<Link> => {
    const reply = await create(body);
    assert.equal(reply.status, 201, reply.text);
    return reply.body as Link;
  };
  const revoke = (id: number) => service.request('DELETE', `/v1/invitation-links/${id}`, { key: key() });
  const read = async (id: number): Promise<Link> =>
    (await shop.get<Link[]>('/v1/invitation-links')).find((link) => link.id === id) ?? assert.fail(`no link ${id}`);
  const tokenOf = ({ url }: Link): string => new URL(url).hash.slice(1);
  const preview = (token: string) => portal.visit('POST', '/invitation-links/preview', { token });
  const apply = (email: string, link: Link, programId = closed) =>
    portal.visit('POST', '/sign-ups', { programId, name: 'Ada', email, invitation: tokenOf(link) });
  const open = async (email: string) =>
    portal.visit('POST', '/sessions', { token: (await mailbox.entryOf(email)).token });
  const join = async (email: string, link: Link, programId = closed): Promise<Collaborator> => {
    const reply = await apply(email, link, programId);
    assert.equal(reply.status, 200, reply.text);
    return loggedInCollaborator(service, await open(email));
  };
  const partner = async (email: string): Promise<Partner | undefined> =>
    (await shop.get<Partner[]>(`/v1/collaborators?email=${encodeURIComponent(email)}`))[0];

  it('admit new partners to a closed program, as active partners with the tags of the link', async () => {
    const link = await make({ programId: closed, note: 'Hosts', tags: ['Podcast', ' vip '], maxUses: 20 });
    assert.match(link.url, /^http:\/\/partners\.example\/portal\/mugs\/join#[\w-]{43}$/);
    assert.deepEqual([link.programName, link.status, link.tags, link.uses], ['VIP', 'open', ['podcast', 'vip'], 0]);
    const shown = await preview(tokenOf(link));
    assert.partialDeepStrictEqual(shown.body, { id: closed, name: 'VIP', mode: 'open' });
    assert.ok(!shown.text.includes('podcast') && !shown.text.includes('Hosts'), 'partners see no tags and no note');
    const ada = await join('ada@join.example', link);
    const made = await partner('ada@join.example');
    assert.deepEqual([made?.status, made?.tags], ['active', ['podcast', 'vip']]);
    const { programs } = await ada.must<{ programs: { name: string }[] }>('GET', '/v1/portal/session');
    assert.deepEqual(
      programs.map(({ name }) => name),
      ['Friends', 'VIP'],
    );
    assert.equal((await read(link.id)).uses, 1);
    const [entry] = await shop.get<{ request: object }[]>('/v1/audit-entries?operation=signUp');
    assert.partialDeepStrictEqual(entry?.request, { programId: closed, invitationLinkId: link.id });
  });

  it('count a partner once, add tags to an existing partner, and activate a pending partner', async () => {
    const link = await make({ programId: closed, tags: ['second'] });
    await join('ada@join.example', link);
    await join('ada@join.example', link);
    assert.deepEqual((await partner('ada@join.example'))?.tags, ['podcast', 'vip', 'second']);
    assert.equal((await read(link.id)).uses, 1);
    const email = 'pending@join.example';
    await shop.collaborator('pending', { email, status: 'pending', tags: ['own'] });
    await join(email, link);
    assert.partialDeepStrictEqual(await partner(email), { status: 'active', tags: ['own', 'second'] });
    const subjects = (await mailbox.mailsTo(email)).map(({ subject }) => subject);
    assert.equal(subjects.filter((subject) => subject.startsWith('Welcome to')).length, 1);
    const closedEmail = 'inactive@join.example';
    await shop.collaborator('inactive', { email: closedEmail, status: 'inactive' });
    assert.equal((await apply(closedEmail, link)).status, 200);
    assert.equal((await partner(closedEmail))?.status, 'inactive');
    assert.equal((await read(link.id)).uses, 2);
  });

  it('have at most maxUses uses, even if partners use them concurrently', async () => {
    const link = await make({ programId: closed, maxUses: 3 });
    const emails = Array.from({ length: 8 }, (_, n) => `many${n}@join.example`);
    for (const email of emails) assert.equal((await apply(email, link)).status, 200);
    const opened = await Promise.all(emails.map(open));
    assert.deepEqual(statusesOf(opened), [201, 201, 201, 410, 410, 410, 410, 410]);
    assert.deepEqual([(await read(link.id)).uses, (await read(link.id)).status], [3, 'used-up']);
    assert.equal(problemCode(await preview(tokenOf(link))), 'link-expired');
    assert.equal(problemCode(await apply('late@join.example', link)), 'link-expired');
  });

  it('leave an applicant waiting in approval mode if the link is revoked before the applicant confirms the address', async () => {
    const link = await make({ programId: reviewed, tags: ['third'] });
    assert.equal((await apply('eve@join.example', link, reviewed)).status, 200);
    assert.partialDeepStrictEqual((await revoke(link.id)).body, { status: 'revoked' });
    loggedInCollaborator(service, await open('eve@join.example'));
    assert.partialDeepStrictEqual(await partner('eve@join.example'), { status: 'pending', tags: [] });
    const again = await revoke(link.id);
    assert.deepEqual([again.status, (again.body as Link).status], [200, 'revoked']);
    assert.equal((await revoke(999_999)).status, 404);
  });

  it('show their rate before the sign-up, and give it to new partners in the same version that enrolls them', async () => {
    const reward = { type: 'percent', percent: 25 };
    const link = await make({ programId: closed, reward });
    assert.deepEqual([link.reward, link.currency], [reward, 'USD']);
    const words = ((await preview(tokenOf(link))).body as { words: string[] }).words;
    assert.match(words[0] ?? '', /^You earn 25% of each sale/);
    const ida = await join('ida@join.example', link);
    const { programs } = await ida.must<{ programs: { name: string; words: string[] }[] }>('GET', '/v1/portal/session');
    assert.match(programs.find(({ name }) => name === 'VIP')?.words[0] ?? '', /^You earn 25% of each sale/);
    const { id } = (await partner('ida@join.example')) as Partner;
    const [entry] = await shop.get<{ author: string; path: string; after: object }[]>(
      '/v1/audit-entries?operation=joinWithRate',
    );
    assert.deepEqual(
      [entry?.author, entry?.path, entry?.after],
      [`collaborator ${id}`, `/v1/programs/${closed}`, { invitationLinkId: link.id, collaboratorId: id, reward }],
    );
    // The enrollment and the rate have the same version, so no email about a changed rate is sent.
    const { rows } = await service.database.query(
      `select from enrollments e
       join collaborator_versions c on c.collaborator_id = e.collaborator_id and c.config_version = e.from_version
       join program_versions v on v.program_id = e.program_id and v.config_version = e.from_version
       where e.collaborator_id = $1`,
      [id],
    );
    assert.equal(rows.length, 1);
  });

  it('don’t change the rate of a partner who is in the program or has a custom rate, and give each partner a rate only once', async () => {
    const program = await shop.program({ name: 'Rates' });
    const ratesOf = async () =>
      (await shop.get<{ collaboratorRewards: { collaboratorId: number; reward: object }[] }>(`/v1/programs/${program}`))
        .collaboratorRewards;
    const reward = { type: 'per-sale', amount: 700 };
    const link = await make({ programId: program, reward });
    await shop.collaborator('member', { email: 'member@join.example' });
    await join('member@join.example', link, program);
    assert.deepEqual(await ratesOf(), []);
    const own = { type: 'percent', percent: 50 };
    const id = await shop.collaborator('agreed', { email: 'agreed@join.example', status: 'pending' });
    await shop.change(`/v1/programs/${program}`, { collaboratorRewards: [{ collaboratorId: id, reward: own }] });
    await join('agreed@join.example', link, program);
    assert.deepEqual(await ratesOf(), [{ collaboratorId: id, reward: own }]);
    const emails = Array.from({ length: 4 }, (_, n) => `rate${n}@join.example`);
    for (const email of emails) assert.equal((await apply(email, link, program)).status, 200);
    await Promise.all(emails.map(open));
    const given = (await ratesOf()).filter((rate) => rate.collaboratorId !== id);
    assert.deepEqual(
      given.map((rate) => rate.reward),
      emails.map(() => reward),
    );
    await shop.change(`/v1/programs/${program}`, { collaboratorRewards: [] });
    await join('rate0@join.example', link, program);
    assert.deepEqual(await ratesOf(), []);
  });

  it('are refused with a rate that their program can’t have, and blocked if the changed program can’t have their rate', async () => {
    const lead = { type: 'per-lead', amount: 100 };
    assert.deepEqual(faultCodes(await create({ programId: closed, reward: lead })), { '/reward/type': 'conflicting' });
    assert.deepEqual(faultCodes(await create({ programId: closed, reward: { type: 'percent', percent: 101 } })), {
      '/reward/percent': 'out-of-range',
    });
    const program = await shop.program({ name: 'Changing' });
    const link = await make({ programId: program, reward: { type: 'percent', percent: 30 } });
    assert.equal((await apply('leads@join.example', link, program)).status, 200);
    await shop.change(`/v1/programs/${program}`, { reward: lead, pays: ['lead'] });
    assert.equal((await read(link.id)).status, 'blocked');
    assert.equal(problemCode(await preview(tokenOf(link))), 'link-expired');
    assert.equal((await open('leads@join.example')).status, 410);
    assert.equal(await partner('leads@join.example'), undefined);
  });

  it('with a rate are blocked if all programs together have 20,000 custom rates', async () => {
    const ada = await shop.collaborator('many-rates');
    const full = await shop.program({
      collaboratorRewards: [{ collaboratorId: ada, reward: { type: 'percent', percent: 5 } }],
    });
    const link = await make({ programId: closed, reward: { type: 'percent', percent: 30 } });
    const plain = await make({ programId: closed });
    const setRates = (count: number) =>
      service.database.query(
        `update program_versions set collaborator_rewards = (select jsonb_agg(v.collaborator_rewards -> 0)
           from program_versions v, generate_series(1, $2) where v.program_id = $1) where program_id = $1`,
        [full, count],
      );
    await setRates(20_000);
    assert.equal((await read(link.id)).status, 'blocked');
    assert.equal((await read(plain.id)).status, 'open');
    assert.equal(problemCode(await preview(tokenOf(link))), 'link-expired');
    assert.deepEqual(faultCodes(await create({ programId: closed, reward: { type: 'percent', percent: 30 } })), {
      '/reward': 'too-many',
    });
    await setRates(1);
    assert.equal((await read(link.id)).status, 'open');
  });

  it('are refused after their expiry, which must be in the future', async () => {
    assert.deepEqual(faultCodes(await create({ programId: closed, expiresAt: '2020-01-01T00:00:00Z' })), {
      '/expiresAt': 'out-of-range',
    });
    const link = await make({ programId: closed, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    assert.equal((await preview(tokenOf(link))).status, 200);
    await service.database.query('update invitation_links set expires_at = now() where id = $1', [link.id]);
    assert.equal((await read(link.id)).status, 'expired');
    assert.equal(problemCode(await apply('fay@join.example', link)), 'link-expired');
  });

  it('are valid only for their program in their organization, and only while the program is active', async () => {
    const link = await make({ programId: closed });
    assert.equal(problemCode(await apply('gus@join.example', link, reviewed)), 'link-expired');
    assert.equal(problemCode(await preview('A'.repeat(43))), 'link-expired');
    const other = await openPortal(service, mailbox, 'other', await service.foundOrganization('Other'));
    assert.equal(
      problemCode(await other.visit('POST', '/invitation-links/preview', { token: tokenOf(link) })),
      'link-expired',
    );
    await shop.change(`/v1/programs/${closed}`, { status: 'inactive' });
    assert.equal(problemCode(await preview(tokenOf(link))), 'link-expired');
    await shop.change(`/v1/programs/${closed}`, { status: 'active' });
    assert.equal((await preview(tokenOf(link))).status, 200);
    assert.deepEqual(faultCodes(await create({ programId: 999_999 })), { '/programId': 'unknown-program' });
    const gone = await shop.program();
    await service.request('DELETE', `/v1/programs/${gone}`, { key: key() });
    assert.equal(problemCode(await create({ programId: gone })), 'invalid-transition');
  });
});
