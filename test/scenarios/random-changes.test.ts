// What a merchant sets up, in an order that is drawn at random, said to two processes over one database and to the small model
// of test/model. What comes out otherwise is told as shortly as it happens.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type Command, command } from '#test/model/command.ts';
import { type Call, foresee } from '#test/model/foresee.ts';
import { emptyModel, type Model } from '#test/model/model.ts';
import { assertShows, compareReads } from '#test/model/reads.ts';
import { type Caller, openCaller } from '#test/support/caller.ts';
import { type Pair, startPair } from '#test/support/pair.ts';
import { SEED } from '#test/support/random.ts';
import { eachRound, rounds } from '#test/support/rounds.ts';
import type { Reply, Request } from '#test/support/service.ts';

const COMMANDS = { minLength: 1, maxLength: 80, size: 'max' } as const;
const SHORTENING_MS = 60_000;

describe(`changes in any order, over two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let there: Caller;
  let merchants = 0;
  /** What has been asked for, with what came of it. */
  const met = new Map<string, number>();
  before(async () => {
    pair = await startPair();
    there = openCaller(pair.other.url);
  });
  after(async () => {
    there.leave();
    await pair.isSound();
    await pair.stop();
  });

  it('leave what they say, are told as they are, and are refused where they must be', async (test) => {
    await eachRound(rounds(400, 8), async (round) => {
      const found = await fc.check(fc.asyncProperty(fc.array(command, COMMANDS), live), {
        seed: SEED + round,
        numRuns: 1,
        // Else a first run is drawn short and plain.
        unbiased: true,
        interruptAfterTimeLimit: SHORTENING_MS,
      });
      if (!found.failed) return;
      const [shortest = []] = found.counterexample ?? [];
      throw new Error(shortest.map((each) => JSON.stringify(each)).join('\n'), { cause: found.errorInstance });
    });
    test.diagnostic(
      [...met]
        .map(([what, times]) => `${what} ${times}`)
        .sort()
        .join(', '),
    );
  });

  /** A merchant of their own goes through all of it. */
  async function live(commands: readonly Command[]): Promise<void> {
    merchants += 1;
    const key = await pair.service.foundOrganization(`Merchant ${merchants}`);
    const model = emptyModel(String(merchants));
    for (const [n, each] of commands.entries()) {
      const request = each.elsewhere ? there.send : pair.service.request;
      await obey(request, key, model, each, n);
    }
    await compareReads((path) => pair.service.request('GET', path, { key }), model);
    await compareReads((path) => there.send('GET', path, { key }), model);
  }

  async function obey(request: Request, key: string, model: Model, each: Command, n: number): Promise<void> {
    const call = foresee(model, each);
    const what = `${n}: ${call.method} ${call.path}`;
    const send = () => sent(request, key, call, `command-${n}`);
    const reply = await send();
    const { outcome } = call;
    note(call, reply);
    assert.equal(reply.status, outcome.status, `${what}: ${reply.text}`);
    if ('code' in outcome) assert.equal((reply.body as { code: string }).code, outcome.code, what);
    else {
      assertShows(reply.body, outcome.apply(reply.body as { id: number }), what);
      if (outcome.isAudited) model.audit.push(call.operation);
    }
    await nameAliases(request, key, model);
    if (!each.again || call.method !== 'POST' || call.isDoneAgain === true) return;
    const repeated = await send();
    assert.deepEqual([repeated.status, repeated.text], [reply.status, again(reply, repeated)], `${what}, again`);
    const isKept = repeated.headers.get('idempotent-replayed') === 'true';
    assert.equal(isKept, !('code' in outcome), `${what}, again`);
  }

  /** A refusal names its own request. */
  const again = (first: Reply, second: Reply): string => (first.status < 300 ? first.text : second.text);

  function note({ operation }: Call, { status }: Reply): void {
    const what = `${operation} ${status}`;
    met.set(what, (met.get(what) ?? 0) + 1);
  }
});

function sent(request: Request, key: string, { method, path, body }: Call, name: string): Promise<Reply> {
  const headers = method === 'POST' ? { 'Idempotency-Key': name } : {};
  return request(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
}

/** Whoever is created with codes is not told their ids. */
async function nameAliases(request: Request, key: string, { aliases }: Model): Promise<void> {
  const unnamed = aliases.filter(({ id }) => id === 0);
  for (const owner of new Set(unnamed.map(({ collaboratorId }) => collaboratorId))) {
    for (const status of ['current', 'retired']) {
      const { body } = await request('GET', `/v1/collaborators/${owner}/aliases?sort=id&status=${status}`, { key });
      for (const { id, type, code } of body as { id: number; type: string; code: string }[]) {
        const isNamed = aliases.some((alias) => alias.id === id);
        const found = unnamed.find(
          (alias) => alias.id === 0 && alias.status === status && alias.type === type && alias.code === code,
        );
        if (!isNamed && found !== undefined) found.id = id;
      }
    }
  }
}
