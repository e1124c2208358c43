import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_MATERIALS, MAX_PLACEHOLDERS } from '#materials/domain/material.ts';
import { MAX_FILE_BYTES, MAX_IMAGE_SIDE, MAX_STORED_BYTES } from '#materials/domain/material-file.ts';
import { pngOf } from './images.ts';
import { type Collaborator, type Mailbox, openMailbox, openPortal, type Portal } from '../support/portal.ts';
import { inTransaction } from '#platform/postgres/database.ts';
import { faultCodes, problemCode, statusesOf } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type File = { name: string; type: string; bytes: number; width: number | null; height: number | null; url: string };
type Material = {
  id: number;
  kind: string;
  title: string;
  programId: number | null;
  licenseNote: string | null;
  pageUrl: string | null;
  text: string | null;
  file: File | null;
  status: string;
  author: string;
};
type Own = {
  id: number;
  title: string;
  programName: string | null;
  link: string | null;
  text: string | null;
  file: File | null;
};

const PNG = pngOf(728, 90);
const FILE = { name: 'summer.png', data: PNG.toString('base64') };

describe('materials', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let shop: Shop;
  let portal: Portal;
  let programId: number;
  let ada: Collaborator;
  let ben: Collaborator;
  before(async () => {
    service = await startService({ PUBLIC_URL: 'http://whence.example', CUSTOM_DOMAINS: 'go.mugs.example' });
    mailbox = await openMailbox(service);
    shop = openShop(service);
    await shop.program({ name: 'Friends' });
    programId = await shop.program({ name: 'VIP', enrollment: 'selected' });
    const adaId = await shop.collaborator('ada', { email: 'ada@mugs.example' });
    await shop.collaborator('ben', { email: 'ben@mugs.example', aliases: [] });
    const enrolled = { key: service.secretKey, body: { collaboratorId: adaId } };
    assert.equal((await service.request('POST', `/v1/programs/${programId}/collaborators`, enrolled)).status, 201);
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    await shop.change('/v1/portal-settings', {
      landingUrl: 'https://mugs.example/',
      linkOrigins: ['https://blog.mugs.example'],
    });
    ada = await portal.enter('ada@mugs.example');
    ben = await portal.enter('ben@mugs.example');
  });
  after(() => service.stop());

  const create = (body: object, key = service.secretKey): Promise<Reply> =>
    service.request('POST', '/v1/materials', { key, body });
  const make = async (body: object): Promise<Material> => {
    const reply = await create(body);
    assert.equal(reply.status, 201, reply.text);
    return reply.body as Material;
  };
  const change = (id: number, body: object) =>
    service.request('PATCH', `/v1/materials/${id}`, { key: service.secretKey, body });
  const remove = (id: number) => service.request('DELETE', `/v1/materials/${id}`, { key: service.secretKey });
  const download = (file: File | null, headers: Record<string, string> = {}) =>
    service.request('GET', new URL(file?.url ?? assert.fail('no file')).pathname, { headers });
  const seenBy = async (partner: Collaborator): Promise<Own[]> => partner.must<Own[]>('GET', '/v1/portal/materials');
  const titlesOf = async (partner: Collaborator) => (await seenBy(partner)).map(({ title }) => title);

  it('are files (with their type and size), texts or links to pages, and are listed newest first', async () => {
    const file = await make({ title: 'Banner', file: FILE, licenseNote: 'Unchanged', programId });
    assert.deepEqual(
      [file.kind, file.text, file.pageUrl, file.licenseNote, file.programId, file.status],
      ['file', null, null, 'Unchanged', programId, 'active'],
    );
    const { url, ...facts } = file.file ?? assert.fail('no file');
    assert.deepEqual(facts, { name: 'summer.png', type: 'image/png', bytes: PNG.length, width: 728, height: 90 });
    assert.match(url, /^http:\/\/whence\.example\/materials\/[\w-]{22}$/);
    const text = await make({ title: 'Post', text: 'Mugs: {link}' });
    const link = await make({ title: 'Sale', pageUrl: 'https://blog.mugs.example/sale' });
    assert.deepEqual([text.kind, text.file, link.kind, link.text], ['text', null, 'link', null]);
    const listed = await shop.get<Material[]>('/v1/materials');
    assert.deepEqual(
      listed.map(({ id }) => id),
      [link.id, text.id, file.id],
    );
    assert.deepEqual(await shop.get(`/v1/materials/${file.id}`), file);
    for (const { id } of listed) assert.equal((await remove(id)).status, 200);
  });

  it('are refused without content, with a page of another site, an unknown program or an unsupported file', async () => {
    const refusals: readonly (readonly [object, object])[] = [
      [{}, { '/file': 'required' }],
      [{ text: 'x', file: FILE }, { '/file': 'required' }],
      [{ pageUrl: 'https://elsewhere.example/' }, { '/pageUrl': 'not-applicable' }],
      [{ text: 'x', programId: 8_999_999 }, { '/programId': 'unknown-program' }],
      [{ file: { ...FILE, name: 'summer.html' } }, { '/file/name': 'invalid-format' }],
      [{ file: { ...FILE, name: '../summer.png' } }, { '/file/name': 'invalid-format' }],
      [{ file: { ...FILE, data: 'no base64!' } }, { '/file/data': 'invalid-format' }],
      [{ file: { ...FILE, data: Buffer.from('<script>').toString('base64') } }, { '/file/data': 'invalid-format' }],
      [
        { file: { ...FILE, data: pngOf(MAX_IMAGE_SIDE + 1, 1).toString('base64') } },
        { '/file/data': 'invalid-format' },
      ],
    ];
    for (const [fields, fault] of refusals) {
      const reply = await create({ title: 'x', ...fields });
      assert.deepEqual([reply.status, faultCodes(reply)], [422, fault]);
    }
    assert.deepEqual(await shop.get('/v1/materials'), []);
  });

  it('can be changed, archived and restored, with audit records, but get no fields of another kind', async () => {
    const { id } = await make({ title: 'Post', text: 'Mugs: {link}' });
    const changed = (await change(id, { title: 'New post', text: 'Cups: {link}', licenseNote: 'Until May' })).body;
    assert.partialDeepStrictEqual(changed, { title: 'New post', text: 'Cups: {link}', licenseNote: 'Until May' });
    assert.deepEqual((await change(id, changed as object)).body, changed, 'sending it back changes nothing');
    assert.equal((await change(id, { status: 'archived' })).status, 200);
    assert.deepEqual(await shop.get('/v1/materials'), []);
    assert.deepEqual(await titlesOf(ada), []);
    assert.equal((await shop.get<Material[]>('/v1/materials?status=archived')).length, 1);
    assert.equal((await change(id, { status: 'active' })).status, 200);
    assert.deepEqual(await titlesOf(ada), ['New post']);
    const link = await make({ title: 'Sale', pageUrl: 'https://mugs.example/sale' });
    assert.deepEqual(faultCodes(await change(link.id, { pageUrl: null })), { '/pageUrl': 'not-applicable' });
    assert.deepEqual(faultCodes(await change(link.id, { text: 'x' })), { '/text': 'not-applicable' });
    assert.deepEqual(faultCodes(await change(link.id, { programId: 8_999_999 })), { '/programId': 'unknown-program' });
    const deleted = await service.request('DELETE', `/v1/programs/${await shop.program()}`, { key: service.secretKey });
    const gone = (deleted.body as { id: number }).id;
    assert.deepEqual(faultCodes(await change(link.id, { programId: gone })), { '/programId': 'not-applicable' });
    assert.equal((await change(8_999_999, { title: 'x' })).status, 404);
    assert.equal((await remove(8_999_999)).status, 404);
    const entries = await shop.get<{ operation: string; before: Material | null }[]>(
      '/v1/audit-entries?operation=changeMaterial',
    );
    assert.deepEqual(
      entries.map(({ before }) => before?.status),
      ['archived', 'active', 'active'],
    );
    for (const each of [id, link.id]) assert.equal((await remove(each)).status, 200);
  });

  it('can have ten placeholders in its text, but not eleven', async () => {
    const text = (count: number) => ({ text: '{link} '.repeat(count) });
    const { id } = await make({ title: 'Post', ...text(MAX_PLACEHOLDERS) });
    for (const reply of [
      await create({ title: 'Post', ...text(MAX_PLACEHOLDERS + 1) }),
      await change(id, text(MAX_PLACEHOLDERS + 1)),
    ])
      assert.deepEqual(faultCodes(reply), { '/text': 'too-many' });
    assert.equal((await remove(id)).status, 200);
  });

  it('have a page of at most 2,048 characters once it is percent-encoded', async () => {
    const page = (characters: number) => ({ title: 'Page', pageUrl: `https://mugs.example/${'€'.repeat(characters)}` });
    const { id } = await make(page(225));
    assert.deepEqual(faultCodes(await create(page(226))), { '/pageUrl': 'too-long' });
    assert.equal((await remove(id)).status, 200);
  });

  it('are created once for a repeated Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'banner-1' };
    const send = () =>
      service.request('POST', '/v1/materials', { key: service.secretKey, body: { title: 'B', file: FILE }, headers });
    const [first, second] = [await send(), await send()];
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.deepEqual(first.body, second.body);
    assert.equal((await shop.get<Material[]>('/v1/materials')).length, 1);
    assert.equal((await remove((first.body as Material).id)).status, 200);
  });

  it('are shown to the partners of their program, or to all partners if they have no program, with each partner’s link', async () => {
    const vip = await make({ title: 'VIP', file: FILE, programId, pageUrl: 'https://mugs.example/vip' });
    const post = await make({ title: 'Post', text: 'Mugs: {link}' });
    const [forAda, forBen] = [await seenBy(ada), await seenBy(ben)];
    assert.deepEqual(
      forAda.map(({ title, programName, link }) => [title, programName, link]),
      [
        ['Post', null, 'https://mugs.example/?ref=ada'],
        ['VIP', 'VIP', 'https://mugs.example/vip?ref=ada'],
      ],
    );
    assert.equal(forAda[0]?.text, 'Mugs: https://mugs.example/?ref=ada');
    assert.deepEqual(forAda[1]?.file, vip.file);
    assert.deepEqual(
      forBen.map(({ title, link, text }) => [title, link, text]),
      [['Post', null, 'Mugs: {link}']],
    );
    await shop.change(`/v1/programs/${programId}`, { status: 'inactive' });
    assert.deepEqual(await titlesOf(ada), ['Post'], 'an inactive program has no partners who earn');
    await shop.change(`/v1/programs/${programId}`, { status: 'active' });
    await shop.change('/v1/portal-settings', { linkDomain: 'go.mugs.example' });
    assert.deepEqual(
      (await seenBy(ada)).map(({ link }) => link),
      ['http://go.mugs.example/ada', 'https://mugs.example/vip?ref=ada'],
    );
    await shop.change('/v1/portal-settings', { linkDomain: null });
    for (const { id } of [vip, post]) assert.equal((await remove(id)).status, 200);
  });

  it('are not shown to partners who are not active', async () => {
    const { id } = await make({ title: 'Post', text: 'x' });
    await shop.collaborator('cy', { email: 'cy@mugs.example', status: 'pending' });
    const cy = await portal.enter('cy@mugs.example');
    assert.deepEqual(await seenBy(cy), []);
    assert.equal((await remove(id)).status, 200);
  });

  it('are never shown to another organization', async () => {
    const { id, file } = await make({ title: 'Ours', file: FILE });
    const key = await service.foundOrganization('Other');
    assert.equal((await service.request('GET', `/v1/materials/${id}`, { key })).status, 404);
    const theirs = await openPortal(service, mailbox, 'cups', key);
    await service.request('POST', '/v1/collaborators', {
      key,
      body: { name: 'Dee', email: 'dee@cups.example' },
    });
    assert.deepEqual(await titlesOf(await theirs.enter('dee@cups.example')), []);
    assert.deepEqual((await service.request('GET', '/v1/materials', { key })).body, []);
    assert.equal((await download(file)).status, 200);
    assert.equal((await remove(id)).status, 200);
  });

  describe('a file', () => {
    it('is downloaded from its URL, and never shown as a page', async () => {
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
      const { id, file } = await make({ title: 'Logo', file: { name: 'Lögo.svg', data: svg.toString('base64') } });
      const reply = await download(file);
      assert.equal(reply.status, 200);
      assert.equal(reply.text, svg.toString());
      const sent = (name: string) => reply.headers.get(name);
      assert.equal(sent('content-type'), 'image/svg+xml');
      assert.equal(sent('content-disposition'), `attachment; filename="L_go.svg"; filename*=UTF-8''L%C3%B6go.svg`);
      assert.equal(sent('x-content-type-options'), 'nosniff');
      assert.match(sent('content-security-policy') ?? '', /default-src 'none'.*sandbox$/);
      assert.equal(sent('cross-origin-resource-policy'), 'cross-origin');
      const etag = sent('etag') ?? '';
      assert.equal((await download(file, { 'if-none-match': etag })).status, 304);
      const path = new URL(file?.url ?? '').pathname;
      const head = await service.request('HEAD', path);
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, reply.headers.get('content-length')]);
      assert.equal((await remove(id)).status, 200);
    });

    it('has a URL that can’t be guessed and returns 404 once its material is archived or deleted', async () => {
      const { id, file } = await make({ title: 'Banner', file: FILE });
      for (const key of ['x', 'A'.repeat(22), String(id)]) {
        assert.equal((await service.request('GET', `/materials/${key}`)).status, 404);
      }
      await change(id, { status: 'archived' });
      assert.equal((await download(file)).status, 404);
      await change(id, { status: 'active' });
      assert.equal((await download(file)).status, 200);
      assert.equal((await remove(id)).status, 200);
      assert.equal((await download(file)).status, 404);
    });

    it('is sent to one request per network at a time, and at most 20 more requests wait', async () => {
      const { id, file } = await make({ title: 'Busy', file: FILE });
      const done: number[] = [];
      const refused = await inTransaction(service.database, async (connection) => {
        await connection.query('lock table materials in access exclusive mode');
        const requests = Array.from({ length: 1 + 20 + 1 }, async () => {
          const { status } = await download(file);
          done.push(status);
          return status;
        });
        assert.equal(await Promise.race(requests), 429);
        return requests;
      });
      const statuses = await Promise.all(refused);
      assert.deepEqual([done[0], statuses.filter((status) => status === 200).length], [429, 21]);
      assert.equal((await remove(id)).status, 200);
    });

    it('has at most 2 MiB', async () => {
      const most = pngOf(1, 1, MAX_FILE_BYTES);
      const { id } = await make({ title: 'Most', file: { ...FILE, data: most.toString('base64') } });
      assert.equal((await remove(id)).status, 200);
      for (const size of [MAX_FILE_BYTES + 1, MAX_FILE_BYTES + 3]) {
        const reply = await create({ title: 'x', file: { ...FILE, data: pngOf(1, 1, size).toString('base64') } });
        assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/file/data': 'too-long' }]);
      }
      const reply = await create({ title: 'x', file: { ...FILE, data: pngOf(1, 1, 3_000_000).toString('base64') } });
      assert.deepEqual([reply.status, problemCode(reply)], [413, 'body-too-large']);
    });
  });

  it('have at most 100 MiB of files per organization', async () => {
    const key = await service.foundOrganization('Full');
    await service.database.query(
      `insert into materials (organization_id, kind, title, author, file_key, file_name, file_type, file_hash, file)
       select (select max(id) from organizations), 'file', 'x', 'x', left(md5(n::text), 22), 'x.png', 'image/png', sha256('x'),
         decode(repeat('00', case when n = 1 then $2::integer - $3::integer else $2::integer end), 'hex')
       from generate_series(1, $1::integer) as n`,
      [MAX_STORED_BYTES / MAX_FILE_BYTES, MAX_FILE_BYTES, PNG.length],
    );
    const replies = await Promise.all([1, 2].map(() => create({ title: 'x', file: FILE }, key)));
    assert.deepEqual(statusesOf(replies), [201, 409]);
    assert.deepEqual(replies.filter(({ status }) => status === 409).map(problemCode), ['invalid-transition']);
    assert.equal((await create({ title: 'x', text: 'x' }, key)).status, 201);
  });

  it('are limited to 500 per organization, also for concurrent calls', async () => {
    const key = await service.foundOrganization('Many');
    await service.database.query(
      `insert into materials (organization_id, kind, title, author, text)
       select (select max(id) from organizations), 'text', 'x', 'x', 'x' from generate_series(2, $1::integer)`,
      [MAX_MATERIALS],
    );
    const replies = await Promise.all([1, 2, 3].map(() => create({ title: 'x', text: 'x' }, key)));
    assert.deepEqual(statusesOf(replies), [201, 409, 409]);
  });
});
