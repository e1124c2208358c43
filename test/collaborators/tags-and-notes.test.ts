import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Collaborator, CollaboratorNote } from '@whence/sdk';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';

describe('tags and notes of collaborators', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
    service.request(method, path, { key, body });
  const create = async (body: object) => (await call('POST', '/v1/collaborators', body)).body as Collaborator;
  const named = async (query: string) =>
    ((await call('GET', `/v1/collaborators?sort=name&${query}`)).body as Collaborator[]).map(({ name }) => name);

  it('tags are trimmed and stored in lower case, and blank or duplicate tags are omitted', async () => {
    const { id, tags } = await create({ name: 'Ada', tags: [' Influencer ', 'influencer', 'Straße', '  '] });
    assert.deepEqual(tags, ['influencer', 'straße']);
    const changed = await call('PATCH', `/v1/collaborators/${id}`, { tags: ['tea'] });
    assert.deepEqual((changed.body as Collaborator).tags, ['tea']);
    const unchanged = await call('PATCH', `/v1/collaborators/${id}`, { name: 'Ada L' });
    assert.deepEqual((unchanged.body as Collaborator).tags, ['tea']);
    const cleared = await call('PATCH', `/v1/collaborators/${id}`, { tags: [] });
    assert.deepEqual((cleared.body as Collaborator).tags, []);
  });

  it('lists of collaborators can be filtered by tag, ignoring case, and together with other filters and pages', async () => {
    for (const name of ['Bea', 'Bo', 'Cy']) await create({ name, tags: ['press', name === 'Cy' ? 'tv' : 'radio'] });
    await create({ name: 'Cyd', tags: ['pressure'] });
    assert.deepEqual(await named('tag=PRESS'), ['Bea', 'Bo', 'Cy']);
    assert.deepEqual(await named('tag=press&search=b'), ['Bea', 'Bo']);
    assert.deepEqual(await named('tag=press&status=inactive'), []);
    const first = await call('GET', '/v1/collaborators?tag=press&perPage=2');
    const next = /<(.+?)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    assert.equal(((await call('GET', next)).body as Collaborator[]).length, 1);
  });

  it('a collaborator has at most 20 tags, each of at most 40 characters', async () => {
    const many = await call('POST', '/v1/collaborators', { name: 'Di', tags: Array.from({ length: 21 }, String) });
    assert.deepEqual(faultCodes(many), { '/tags': 'too-many' });
    const long = await call('POST', '/v1/collaborators', { name: 'Di', tags: ['x'.repeat(41), 'a\u0007'] });
    assert.deepEqual(faultCodes(long), { '/tags/0': 'too-long', '/tags/1': 'invalid-format' });
  });

  it('notes are listed newest first with their author, and can be deleted', async () => {
    const { id } = await create({ name: 'Ed' });
    const path = `/v1/collaborators/${id}/notes`;
    for (const text of ['First\n<b>note</b>', 'Second']) assert.equal((await call('POST', path, { text })).status, 201);
    const notes = (await call('GET', path)).body as CollaboratorNote[];
    assert.deepEqual(
      notes.map(({ text, author }) => [text, author]),
      [
        ['Second', 'key 1'],
        ['First\n<b>note</b>', 'key 1'],
      ],
    );
    assert.equal((await call('DELETE', `${path}/${notes[0]?.id}`)).status, 200);
    assert.equal((await call('DELETE', `${path}/${notes[0]?.id}`)).status, 404);
    assert.equal(((await call('GET', path)).body as unknown[]).length, 1);
  });

  it('a note of another collaborator or organization can’t be read or deleted', async () => {
    const [one, other] = [await create({ name: 'Fay' }), await create({ name: 'Gus' })];
    const { id } = (await call('POST', `/v1/collaborators/${one.id}/notes`, { text: 'Mine' })).body as CollaboratorNote;
    const stranger = await service.foundOrganization('Others');
    assert.equal((await call('DELETE', `/v1/collaborators/${other.id}/notes/${id}`)).status, 404);
    assert.equal((await call('GET', `/v1/collaborators/${one.id}/notes`, undefined, stranger)).status, 404);
    assert.equal((await call('DELETE', `/v1/collaborators/${one.id}/notes/${id}`, undefined, stranger)).status, 404);
    assert.equal(((await call('GET', `/v1/collaborators/${one.id}/notes`)).body as unknown[]).length, 1);
  });

  it('a deleted or unknown collaborator can’t get a new note', async () => {
    const { id } = await create({ name: 'Hal' });
    await call('DELETE', `/v1/collaborators/${id}`);
    const late = await call('POST', `/v1/collaborators/${id}/notes`, { text: 'Late' });
    assert.deepEqual([late.status, problemCode(late)], [409, 'invalid-transition']);
    assert.equal((await call('POST', '/v1/collaborators/999999/notes', { text: 'Lost' })).status, 404);
    const empty = await call('POST', `/v1/collaborators/${id}/notes`, { text: '' });
    assert.deepEqual(faultCodes(empty), { '/text': 'too-short' });
  });
});
