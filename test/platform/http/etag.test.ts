import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ServiceProcess, startProcess } from '../../support/process.ts';
import { problemCode } from '../../support/replies.ts';
import { type Reply, type RequestOptions, startService, type TestService } from '../../support/service.ts';

const ROUNDS = 10;
const EDITORS = 4;

describe('ETag and If-Match', () => {
  let service: TestService;
  let other: ServiceProcess;
  const paths: Record<string, string> = { organization: '/v1/organization' };
  before(async () => {
    service = await startService();
    other = await startProcess({
      DATABASE_URL: service.databaseUrl,
    });
    const program = { name: 'Program', reward: { type: 'percent', percent: 10 } };
    for (const [noun, path, body] of [
      ['collaborator', '/v1/collaborators', { name: 'Collaborator' }],
      ['program', '/v1/programs', program],
      ['program group', '/v1/program-groups', { name: 'Group', rule: 'newest', programIds: [] }],
    ] as const) {
      const made = await call('POST', path, { body });
      assert.equal(made.status, 201, made.text);
      paths[noun] = `${path}/${(made.body as { id: number }).id}`;
      assert.equal(tagOf(made), tagOf(await call('GET', paths[noun])), `creating a ${noun} returns its ETag`);
    }
  });
  after(async () => {
    other.signal('SIGTERM');
    await other.exited;
    await service.stop();
  });

  const call = (method: string, path: string, options: RequestOptions = {}) =>
    service.request(method, path, { key: service.secretKey, ...options });
  const pathOf = (noun: string) => paths[noun] as string;

  for (const noun of ['organization', 'collaborator', 'program', 'program group']) {
    const one = `${noun === 'organization' ? 'an' : 'a'} ${noun}`;
    it(`the ETag of ${one} stays the same until the ${noun} changes, and the change returns the new ETag`, async () => {
      const [first, same] = [await call('GET', pathOf(noun)), await call('GET', pathOf(noun))];
      assert.match(tagOf(first), /^"[\w-]{22}"$/);
      assert.equal(tagOf(same), tagOf(first));
      const changed = await call('PATCH', pathOf(noun), { body: { name: `New ${noun}` } });
      assert.notEqual(tagOf(changed), tagOf(first));
      assert.equal(tagOf(await call('GET', pathOf(noun))), tagOf(changed));
    });

    it(`If-Match on ${one} rejects a change with 412 after someone else’s change`, async () => {
      const read = tagOf(await call('GET', pathOf(noun)));
      const change = (name: string, tag: string) =>
        call('PATCH', pathOf(noun), { body: { name }, headers: { 'if-match': tag } });
      assert.equal((await change('First editor', read)).status, 200);
      const late = await change('Second editor', read);
      assert.deepEqual([late.status, problemCode(late)], [412, 'precondition-failed']);
      const now = await call('GET', pathOf(noun));
      assert.equal((now.body as { name: string }).name, 'First editor');
      assert.equal((await change('Second editor', tagOf(now))).status, 200);
    });

    it(`If-None-Match on ${one} returns 304 without a body for a known ETag`, async () => {
      const { text, headers } = await call('GET', pathOf(noun));
      const tag = headers.get('etag') as string;
      for (const known of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
        const reply = await call('GET', pathOf(noun), { headers: { 'if-none-match': known } });
        assert.deepEqual([reply.status, reply.text, tagOf(reply)], [304, '', tag], known);
      }
      for (const unknown of ['"other"', tag.slice(1, -1), '', '"']) {
        const reply = await call('GET', pathOf(noun), { headers: { 'if-none-match': unknown } });
        assert.deepEqual([reply.status, reply.text], [200, text], unknown);
      }
      const head = await call('HEAD', pathOf(noun));
      assert.deepEqual([head.status, tagOf(head)], [200, tag]);
    });

    it(`concurrent edits of ${one} with one ETag over two processes: exactly one succeeds`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const tag = tagOf(await call('GET', pathOf(noun)));
        const editors = Array.from({ length: EDITORS }, (_, n) => `Editor ${round}.${n}`);
        const statuses = await Promise.all(
          editors.map(async (name, n) => {
            const answer = await fetch((n % 2 === 0 ? service.url : other.url) + pathOf(noun), {
              method: 'PATCH',
              headers: {
                authorization: `Bearer ${service.secretKey}`,
                'content-type': 'application/json',
                'if-match': tag,
              },
              body: JSON.stringify({ name }),
            });
            await answer.arrayBuffer();
            return answer.status;
          }),
        );
        assert.deepEqual(
          statuses.toSorted((a, b) => a - b),
          [200, ...Array<number>(EDITORS - 1).fill(412)],
          `round ${round}`,
        );
        const { name } = (await call('GET', pathOf(noun))).body as { name: string };
        assert.equal(name, editors[statuses.indexOf(200)]);
      }
    });
  }

  it('If-Match accepts a list of tags, a weak tag and *', async () => {
    const path = pathOf('collaborator');
    for (const header of [(tag: string) => `"other", ${tag}`, (tag: string) => `W/${tag}`, () => '*']) {
      const tag = tagOf(await call('GET', path));
      const options = { body: { nickname: null }, headers: { 'if-match': header(tag) } };
      assert.equal((await call('PATCH', path, options)).status, 200);
    }
    const malformed = await call('PATCH', path, { body: { nickname: 'x' }, headers: { 'if-match': 'no tag' } });
    assert.equal(malformed.status, 412);
  });

  it('If-Match also applies to DELETE', async () => {
    const made = await call('POST', '/v1/collaborators', { body: { name: 'Gone' } });
    const path = `/v1/collaborators/${(made.body as { id: number }).id}`;
    await call('PATCH', path, { body: { name: 'Changed' } });
    const late = await call('DELETE', path, { headers: { 'if-match': tagOf(made) } });
    assert.deepEqual([late.status, problemCode(late)], [412, 'precondition-failed']);
    const tag = tagOf(await call('GET', path));
    assert.equal((await call('DELETE', path, { headers: { 'if-match': tag } })).status, 200);
  });

  it('the ETag changes when a collaborator’s referral codes or a program’s group change', async () => {
    const [collaborator, program] = [pathOf('collaborator'), pathOf('program')];
    const before = [tagOf(await call('GET', collaborator)), tagOf(await call('GET', program))];
    await call('POST', `${collaborator}/aliases`, { body: { type: 'tracking', code: 'tagged' } });
    await call('POST', '/v1/program-groups', {
      body: { name: 'Theirs', rule: 'newest', programIds: [Number(program.split('/').at(-1))] },
    });
    const now = [tagOf(await call('GET', collaborator)), tagOf(await call('GET', program))];
    assert.notEqual(now[0], before[0]);
    assert.notEqual(now[1], before[1]);
  });

  it('If-Match on an unknown resource returns 404', async () => {
    const reply = await call('PATCH', '/v1/programs/8999999', { body: { name: 'x' }, headers: { 'if-match': '"x"' } });
    assert.equal(reply.status, 404);
  });
});

function tagOf({ headers }: Reply): string {
  const tag = headers.get('etag');
  assert.ok(tag !== null, 'the answer has an ETag');
  return tag;
}
