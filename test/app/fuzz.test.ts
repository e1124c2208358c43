import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { SEED } from '../support/random.ts';
import { type Reply, startService } from '../support/service.ts';
import { servedDocument, documentedAnswers } from '../support/documented-answers.ts';
import type { Attempt } from '../../tools/fuzz/attempt.ts';
import type { Credential } from '../../tools/fuzz/credential.ts';
import { openGate } from '../../tools/fuzz/gate.ts';
import { interfaceOf } from '../../tools/fuzz/interface.ts';
import { type FaultKind, faultsOf } from '../../tools/fuzz/judge.ts';
import { isAtOpenDoor } from '../../tools/fuzz/judges/tenants.ts';
import { jsonText, Members } from '../../tools/fuzz/json-text.ts';
import { idNameOf, Memory } from '../../tools/fuzz/memory.ts';
import { hasSucceeded, NOT_BY_CHANCE, type Reached, undocumentedPairs } from '../../tools/fuzz/reached.ts';
import { type JudgedOutcome, reportOf } from '../../tools/fuzz/report.ts';
import { fuzz } from '../../tools/fuzz/session.ts';
import { attemptOf, type Draft, draftsOfCall } from '../../tools/fuzz/drafts.ts';
import { watchWrites, type Write } from '../../tools/fuzz/judges/writes.ts';

/* A short version of `npm run fuzz`, which sends 100,000 requests by default. */
const REQUESTS = 1_200;
const CALLERS = 2;
/**
 * The minimum number of calls that must succeed at least once. Calls in NOT_BY_CHANCE (tools/fuzz/reached.ts) can't
 * succeed with random requests.
 */
const LEAST_SUCCESSES = 60;

describe(`random requests (--seed ${SEED})`, () => {
  it('get documented responses, and refused requests change nothing', async () => {
    const { findings, breaches, calls, reached } = await fuzz({ seed: SEED, requests: REQUESTS, callers: CALLERS });
    assert.deepEqual(findings, []);
    assert.deepEqual(breaches, []);
    const succeeded = calls.filter(({ id }) => hasSucceeded(reached, id)).length;
    assert.ok(succeeded >= LEAST_SUCCESSES, `${succeeded} calls succeeded`);
    assert.deepEqual(undocumentedPairs(calls, reached), []);
  });
});

const KEY: Credential = {
  name: 'KEY',
  scheme: 'secretKey',
  scopes: ['resources:read', 'resources:write'],
  hasEssentials: true,
  headers: { authorization: 'Bearer sk_live_x' },
};
const ATTEMPT: Attempt = {
  credential: KEY,
  method: 'GET',
  path: '/v1/custom-events/7',
  query: [],
  headers: {},
  body: { kind: 'none' },
};
const EVENT = {
  id: 7,
  slug: 'quiz',
  name: 'Quiz',
  status: 'active',
  createdAt: '2026-11-21T09:30:00.000Z',
  deletedAt: null,
};

function answer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  return { status, body, text: JSON.stringify(body), headers: new Headers({ 'content-type': type, ...headers }) };
}

function refusal(status: number, code: string, detail = 'No.'): Reply {
  const error = { message: detail, code, data: {} };
  return answer(status, { type: `urn:whence:problem:${code}`, title: 'No', status, detail, code, error });
}

describe('the faults that fuzz tests detect', () => {
  const judging = {
    interface: interfaceOf(servedDocument('X-Service')),
    isDocumented: documentedAnswers('X-Service'),
    foreignMark: 'foreign-1',
  };
  const nobody: Credential = { ...KEY, name: 'NOBODY', scheme: 'none' };
  const writing: Write[] = [{ table: 'collaborators', verb: 'update', columns: ['name'] }];
  const create: Attempt = { ...ATTEMPT, method: 'POST', path: '/v1/custom-events' };
  const cases: readonly (readonly [what: string, kind: FaultKind, attempt: Attempt, reply: Reply, writes?: Write[]])[] =
    [
      ['a 500 response', 'failed', ATTEMPT, refusal(500, 'internal')],
      ['a status that is not in the document', 'undocumented', ATTEMPT, refusal(410, 'link-expired')],
      ['a field that is not in the document', 'undocumented', ATTEMPT, answer(200, { ...EVENT, secret: 1 })],
      ['a refusal without a problem document', 'no-problem', ATTEMPT, answer(404, {}, { 'content-type': 'text/html' })],
      [
        'a stack trace of the service',
        'says-too-much',
        ATTEMPT,
        refusal(404, 'not-found', 'at load (src/store/x.ts:7:1)'),
      ],
      ['a name of another organization', 'foreign', ATTEMPT, answer(200, { ...EVENT, name: 'of foreign-1' })],
      ['a 200 response to a caller without a key', 'let-in', { ...ATTEMPT, credential: nobody }, answer(200, EVENT)],
      [
        'a 404 response to a caller without a key',
        'let-in',
        { ...ATTEMPT, credential: nobody },
        refusal(404, 'not-found'),
      ],
      [
        'a 200 response to a key that lacks the scope',
        'let-in',
        { ...ATTEMPT, credential: { ...KEY, scopes: [] } },
        answer(200, EVENT),
      ],
      ['a 403 response to a key with the required scope', 'shut-out', ATTEMPT, refusal(403, 'scope-required')],
      [
        'a 405 response without the allowed methods in Allow',
        'wrong-allow',
        { ...ATTEMPT, method: 'PUT' },
        refusal(405, 'method-not-allowed'),
      ],
      ['a 200 response for an unknown path', 'unknown-path', { ...ATTEMPT, path: '/v1/secrets' }, answer(200, {})],
      ['a refusal that has changed rows', 'refused-but-written', create, refusal(422, 'invalid-request'), writing],
      [
        'a refusal that has sent an email',
        'refused-but-written',
        create,
        refusal(422, 'invalid-request'),
        [{ table: 'outgoing_emails', verb: 'insert', columns: [] }],
      ],
      ['a read that has changed rows', 'read-but-written', ATTEMPT, answer(200, EVENT), writing],
      [
        'a 201 response to a body that the document forbids',
        'forbidden-but-taken',
        { ...create, body: { kind: 'value', value: new Members([['slug', true]]) } },
        answer(201, EVENT),
      ],
    ];
  for (const [what, kind, attempt, reply, writes = []] of cases)
    it(`include ${what}`, () => {
      const kinds = faultsOf(judging, attempt, reply, writes).map((fault) => fault.kind);
      assert.ok(kinds.includes(kind), kinds.join());
    });

  it('do not include a correct response', () => {
    const seen: Write[] = [{ table: 'api_keys', verb: 'update', columns: ['last_used_at'] }];
    assert.deepEqual(faultsOf(judging, ATTEMPT, refusal(404, 'not-found'), seen), []);
  });

  it('are reported with a request that is shrunk to the parts that reproduce the fault', () => {
    const { at, resolve } = judging.interface;
    const call = at('/v1/programs')?.calls.get('POST');
    assert.ok(call);
    const knowledge = { memory: new Memory(), foreign: new Memory(), credentials: [KEY] };
    const drafts = draftsOfCall(call, { resolve, edges: 0.1, hostile: 0.05 });
    const bodyOf = (draft: Draft) => attemptOf({ ...draft, spoils: [] }, knowledge).body;
    const isFine = (draft: Draft) => {
      const body = bodyOf(draft);
      return body.kind !== 'value' || !jsonText(body.value).includes('"windowDays"');
    };
    const { counterexample } = fc.check(fc.property(drafts, isFine), { seed: SEED, numRuns: 1_000 });
    assert.ok(counterexample);
    const [draft] = counterexample;
    const body = bodyOf(draft);
    assert.ok(body.kind === 'value' && body.value instanceof Members);
    assert.deepEqual(draft.spoils, []);
    assert.deepEqual(draft.values, []);
    assert.ok(body.value.list.some(([name]) => name === 'windowDays'));
    assert.ok(body.value.list.length <= (resolve(call.body ?? {}).required?.length ?? 0) + 1, jsonText(body.value));
  });
});

describe('fuzz requests to public calls', () => {
  it('isAtOpenDoor: recognizes a public call in any spelling of its path', () => {
    const found = interfaceOf(servedDocument('X-Service'));
    const isOpen = (path: string) => isAtOpenDoor({ interface: found }, { path });
    for (const path of ['/v1/portals/a/links', '/v1/p%6Frtals/a/links', '/v1/sessions']) assert.ok(isOpen(path), path);
    for (const path of ['/v1/programs', '/v1/portal', '/v1/nowhere', '/v1/%zz']) assert.ok(!isOpen(path), path);
  });

  it('openGate: runs a public call alone, and other calls wait for it', async () => {
    const { pass, alone } = openGate();
    const [first, only] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done: string[] = [];
    const note = (name: string) => async () => void done.push(name);
    const going = pass(() => first.promise.then(note('first')));
    await turns();
    const all = [
      going,
      alone(() => only.promise.then(note('alone'))),
      pass(note('second')),
      alone(note('alone again')),
      pass(note('third')),
    ];
    const failing = pass(() => Promise.reject(new Error('no'))).catch(note('failed'));
    only.resolve();
    await turns();
    assert.deepEqual(done, []);
    first.resolve();
    await Promise.all([...all, failing]);
    assert.deepEqual(done.slice(0, 3), ['first', 'alone', 'alone again']);
    assert.deepEqual(new Set(done.slice(3)), new Set(['failed', 'second', 'third']));
  });

  it('watchWrites: watchOne returns the writes in all organizations, and since doesn’t return them again', async () => {
    const service = await startService({ WHENCE_ROLE: 'api' });
    const { database } = service;
    await service.foundOrganization('Another');
    const { rows } = await database.query<{ id: number }>('select id from organizations order by id');
    const [mine, another] = rows.map(({ id }) => String(id)) as [string, string];
    const writes = await watchWrites(database);
    const write = (organization: string) =>
      database.query('update organizations set name = name || $2 where id = $1', [organization, 'x']);
    const tables = (written: readonly Write[]) => written.map(({ table, columns }) => [table, ...columns]);
    const ONE = ['organizations', 'name'];
    await write(mine);
    assert.deepEqual(tables(await writes.since(mine)), [ONE]);
    const written = await writes.watchOne();
    assert.deepEqual(await written(), []);
    const writtenNow = await writes.watchOne();
    await Promise.all([write(mine), write(another)]);
    assert.deepEqual(tables(await writtenNow()), [ONE, ONE]);
    assert.deepEqual([await writes.since(mine), await writes.since(another)], [[], []]);
    await write(another);
    assert.deepEqual(tables(await writes.since(another)), [ONE]);
    assert.deepEqual(tables(await writes.ever(another)), [ONE, ONE]);
    await service.stop();
  });
});

/** Waits long enough for all promises that are not blocked to settle. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

it('idNameOf: returns the name of the request field that refers to a resource', () => {
  for (const [noun, name] of [
    ['aliases', 'aliasId'],
    ['programs', 'programId'],
    ['program-groups', 'programGroupId'],
    ['people', 'personId'],
    ['audit-entries', 'auditEntryId'],
  ] as const)
    assert.equal(idNameOf(noun), name);
});

describe('reportOf: the report of a fuzz campaign', () => {
  const { calls } = interfaceOf(servedDocument('X-Service'));
  /** The result of a campaign in which each call returned each of its documented statuses below 500 once. */
  const all: Reached = new Map(
    calls.map(({ id, statuses }) => [
      id,
      new Map(statuses.filter((status) => status < 500).map((status) => [status, 1])),
    ]),
  );
  const outcome: JudgedOutcome = {
    sent: 1,
    statuses: new Map([[200, 1]]),
    reached: all,
    calls,
    longest: { ms: 7.4, call: 'getProgram' },
    worlds: 1,
    findings: [],
    breaches: [],
  };
  const onlyRefused = (id: string): Reached => new Map([...all, [id, new Map([[429, 9]])]]);
  const judgedReport = (more: Partial<JudgedOutcome>) => {
    const { lines, failed } = reportOf({ ...outcome, ...more });
    return { text: lines.join('\n'), failed };
  };

  it('doesn’t fail if every call was reached', () => {
    const { text, failed } = judgedReport({});
    assert.equal(failed, false, text);
    assert.doesNotMatch(text, /✖|never \d/);
    assert.match(text, /the longest answer took 7 ms \(getProgram\)/);
  });

  it('fails for an unlisted call that never succeeded, and names the call', () => {
    for (const reached of [onlyRefused('getProgram'), new Map([...all].filter(([id]) => id !== 'getProgram'))]) {
      const { text, failed } = judgedReport({ reached });
      assert.equal(failed, true);
      assert.match(text, /^✖ getProgram was never answered with success/m);
    }
  });

  it('does not fail for the few calls that are listed, with reasons, as never successful', () => {
    const ids = Object.keys(NOT_BY_CHANCE);
    assert.deepEqual(
      ids.filter((id) => !calls.some((call) => call.id === id)),
      [],
    );
    assert.ok(ids.length < 15);
    for (const id of ids) {
      const { text, failed } = judgedReport({ reached: onlyRefused(id) });
      assert.equal(failed, false, id);
      assert.match(text, new RegExp(`not by chance, since .*\\b${id}\\b`));
    }
  });

  it('lists documented statuses that never occurred, and fails for undocumented statuses', () => {
    const unseen = judgedReport({ reached: onlyRefused('createPasskey') }).text;
    assert.match(unseen, /^ {2}never 409: createPasskey$/m);
    const { text, failed } = judgedReport({
      reached: new Map([...all, ['getProgram', new Map([200, 418].map((status) => [status, 1] as const))]]),
    });
    assert.equal(failed, true);
    assert.match(text, /^✖ getProgram 418 is not in the document$/m);
  });

  it('fails for a finding or a breach of an invariant', () => {
    const finding = { kind: 'failed', says: '500', caller: 0, number: 1, curl: 'curl' } as const;
    assert.equal(judgedReport({ findings: [finding] }).failed, true);
    assert.equal(judgedReport({ breaches: [{ invariant: 1 }] }).failed, true);
  });
});
