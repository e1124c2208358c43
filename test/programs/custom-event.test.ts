import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countVersions, faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';

type CustomEvent = { id: number; slug: string; name: string; status: string; deletedAt: string | null };

describe('custom events', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
    service.request(method, path, { key, body });
  const register = (slug: unknown, name: unknown = 'An event', key?: string) =>
    call('POST', '/v1/custom-events', { slug, name }, key);
  const create = async (slug: string): Promise<CustomEvent> => {
    const reply = await register(slug);
    assert.equal(reply.status, 201, reply.text);
    return reply.body as CustomEvent;
  };
  const program = async (slug: string): Promise<string> => {
    const body = { name: 'P', reward: { type: 'per-sale', amount: 5 }, triggers: { [slug]: 3 } };
    const reply = await call('POST', '/v1/programs', body);
    assert.equal(reply.status, 201, reply.text);
    return `/v1/programs/${(reply.body as { id: number }).id}`;
  };

  it('are registered under a slug and can be read by id and by slug', async () => {
    const versions = await countVersions(service);
    const made = await create('quiz-done');
    const { slug, name, status, deletedAt } = made;
    assert.deepEqual([slug, name, status, deletedAt], ['quiz-done', 'An event', 'active', null]);
    assert.deepEqual((await call('GET', `/v1/custom-events/${made.id}`)).body, made);
    assert.deepEqual((await call('GET', '/v1/custom-events?slug=quiz-done')).body, [made]);
    assert.equal(await countVersions(service), versions, 'a custom event creates no configuration version');
  });

  it('have slugs of lowercase letters, digits and hyphens, except reserved names', async () => {
    for (const [slug, code] of [
      [undefined, 'required'],
      [5, 'wrong-type'],
      ['', 'invalid-format'],
      ['Quiz', 'invalid-format'],
      ['1st', 'invalid-format'],
      ['a_b', 'invalid-format'],
      ['a\n', 'invalid-format'],
      ['a'.repeat(65), 'invalid-format'],
      ['site-visit', 'reserved'],
      ['coupon-applied', 'reserved'],
      ['site-visited', 'reserved'],
      ['sale', 'reserved'],
      ['refund', 'reserved'],
      ['lead', 'reserved'],
      ['renewal', 'reserved'],
      ['custom', 'reserved'],
    ] as const) {
      const reply = await register(slug, '');
      assert.deepEqual(
        [reply.status, faultCodes(reply)],
        [422, { '/slug': code, '/name': 'too-short' }],
        slug?.toString(),
      );
    }
    await create('a'.repeat(64));
  });

  it('have a unique slug within each organization, also under concurrent requests', async () => {
    await create('taken');
    const again = await register('taken');
    assert.deepEqual([again.status, problemCode(again)], [409, 'slug-taken']);
    const key = await service.foundOrganization('Other');
    assert.equal((await register('taken', 'Theirs', key)).status, 201);
    const replies = await Promise.all(Array.from({ length: 6 }, () => register('raced')));
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409, 409, 409, 409],
    );
  });

  it('remain readable after deletion, and their slug can be registered again', async () => {
    const { id } = await create('short-lived');
    const reply = await call('DELETE', `/v1/custom-events/${id}`);
    const deleted = reply.body as CustomEvent;
    assert.deepEqual([reply.status, deleted.status], [200, 'deleted']);
    assert.notEqual(deleted.deletedAt, null);
    assert.deepEqual((await call('DELETE', `/v1/custom-events/${id}`)).body, deleted);
    assert.deepEqual((await call('GET', `/v1/custom-events/${id}`)).body, deleted);
    assert.deepEqual((await call('GET', '/v1/custom-events?slug=short-lived')).body, []);
    const heir = await create('short-lived');
    assert.notEqual(heir.id, id);
    assert.deepEqual((await call('GET', '/v1/custom-events?slug=short-lived&status=deleted')).body, [deleted]);
  });

  it('can’t be used as a trigger after deletion', async () => {
    const { id } = await create('gone');
    await call('DELETE', `/v1/custom-events/${id}`);
    const reply = await call('POST', '/v1/programs', {
      name: 'P',
      reward: { type: 'per-sale', amount: 5 },
      triggers: { gone: 1 },
    });
    assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/triggers/gone': 'unknown-trigger' }]);
  });

  it('can’t be deleted while a program uses them as a trigger', async () => {
    const { id } = await create('needed');
    const remove = () => call('DELETE', `/v1/custom-events/${id}`);
    const path = await program('needed');
    for (const change of [{ name: 'Q' }, { status: 'inactive' }]) {
      await call('PATCH', path, change);
      const reply = await remove();
      assert.deepEqual([reply.status, problemCode(reply)], [409, 'invalid-transition']);
    }
    await call('PATCH', path, { triggers: { 'site-visit': 1 } });
    assert.equal((await remove()).status, 200);
  });

  it('can be deleted after the program that uses them is deleted', async () => {
    const { id } = await create('freed');
    const path = await program('freed');
    assert.equal((await call('DELETE', path)).status, 200);
    assert.equal((await call('DELETE', `/v1/custom-events/${id}`)).status, 200);
  });

  it('used as a trigger and deleted concurrently: exactly one call succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const slug = `race-${round}`;
      const { id } = await create(slug);
      const body = { name: 'P', reward: { type: 'per-sale', amount: 5 }, triggers: { [slug]: 1 } };
      const [taken, deleted] = await Promise.all([
        call('POST', '/v1/programs', body),
        call('DELETE', `/v1/custom-events/${id}`),
      ]);
      assert.ok([201, 422].includes(taken.status) && [200, 409].includes(deleted.status));
      assert.equal(taken.status === 201, deleted.status === 409);
    }
  });
});
