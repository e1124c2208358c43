import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loggedInCollaborator, type Mailbox, openMailbox, openPortal, type Portal } from '../support/portal.ts';
import { faultCodes } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

describe('domains whose applicants are accepted at once', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let shop: Shop;
  let portal: Portal;
  let programId: number;
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    shop = openShop(service);
    programId = await shop.program({ enrollment: 'selected' });
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
  });
  after(() => service.stop());

  const change = (body: object) =>
    service.request('PATCH', `/v1/programs/${programId}/sign-up`, { key: service.secretKey, body });
  const apply = async (email: string): Promise<void> => {
    const reply = await portal.visit('POST', '/sign-ups', { programId, name: 'Ada', email });
    assert.equal(reply.status, 200, reply.text);
  };
  const confirm = async (email: string): Promise<void> => {
    loggedInCollaborator(
      service,
      await portal.visit('POST', '/sessions', { token: (await mailbox.entryOf(email)).token }),
    );
  };
  const statusOf = async (email: string): Promise<string | undefined> =>
    (await shop.get<{ status: string }[]>(`/v1/collaborators?email=${encodeURIComponent(email)}`))[0]?.status;

  it('are stored in lower case and ASCII, each once, and at most 100', async () => {
    const changed = await change({
      mode: 'approval',
      acceptedDomains: ['Agency.Example', 'agency.example', 'bücher.example'],
    });
    assert.partialDeepStrictEqual(changed.body, { acceptedDomains: ['agency.example', 'xn--bcher-kva.example'] });
    const wrong = ['@agency.example', 'https://agency.example', 'agency', 'agency.example#x.example', '127.0.0.1'];
    assert.deepEqual(
      faultCodes(await change({ acceptedDomains: wrong })),
      Object.fromEntries(wrong.map((_, at) => [`/acceptedDomains/${at}`, 'invalid-format'])),
    );
    const many = Array.from({ length: 101 }, (_, n) => `a${n}.example`);
    assert.deepEqual(faultCodes(await change({ acceptedDomains: many })), { '/acceptedDomains': 'too-many' });
  });

  it('are not shown in the portal', async () => {
    assert.ok(!(await portal.visit('GET', '')).text.includes('agency'));
  });

  it('activate and enroll an applicant when the applicant confirms an address in the domain, and not before', async () => {
    await apply('ada@Agency.example');
    assert.equal(await statusOf('ada@agency.example'), undefined);
    await confirm('ada@agency.example');
    assert.equal(await statusOf('ada@agency.example'), 'active');
    const welcome = (await mailbox.mailsTo('ada@agency.example')).at(-1);
    assert.match(welcome?.subject ?? '', /^Welcome to /);
    const enrolled = await shop.get<unknown[]>(`/v1/programs/${programId}/collaborators`);
    assert.equal(enrolled.length, 1);
  });

  it('leave applicants with other addresses waiting, including addresses in subdomains', async () => {
    for (const email of ['ben@other.example', 'ben@mail.agency.example']) {
      await apply(email);
      await confirm(email);
      assert.equal(await statusOf(email), 'pending');
      assert.ok(!(await mailbox.mailsTo(email)).some(({ subject }) => subject.startsWith('Welcome')));
    }
  });

  it('are checked when the address is confirmed, and have no effect on a closed program', async () => {
    await apply('cyd@agency.example');
    await change({ acceptedDomains: [] });
    await confirm('cyd@agency.example');
    assert.equal(await statusOf('cyd@agency.example'), 'pending');
    await change({ acceptedDomains: ['agency.example'] });
    await apply('dan@agency.example');
    await change({ mode: 'closed' });
    const { token } = await mailbox.entryOf('dan@agency.example');
    assert.equal((await portal.visit('POST', '/sessions', { token })).status, 410);
    assert.equal(await statusOf('dan@agency.example'), undefined);
  });
});
