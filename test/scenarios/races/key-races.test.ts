import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Pair, startPair } from '#test/support/pair.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import type { ServiceProcess } from '#test/support/process.ts';
import type { TestService } from '#test/support/service.ts';

const HOLDS_AFTER_MS = 1_000;
const ROUNDS = countRounds(200, 12);
/** The number of rounds of a test whose rounds take a second or more. */
const FEW = countRounds(200, 2);
const CALLERS = 8;
const DEADLINE_MS = 30_000;
const PAUSE_MS = 10;

type Call = { readonly begun: number; readonly ended: number; readonly status: number };

describe('API keys with two processes', () => {
  let pair: Pair;
  let service: TestService;
  let other: ServiceProcess;
  before(async () => {
    pair = await startPair();
    ({ service, other } = pair);
  });
  after(() => pair.stop());

  const ask = async (url: string, key: string): Promise<Call> => {
    const begun = performance.now();
    const answer = await fetch(`${url}/v1/organization`, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    return { begun, ended: performance.now(), status: answer.status };
  };
  const manage = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { key: service.secretKey, body });
  const newKey = async () => {
    const made = await manage('POST', '/v1/api-keys', { label: 'Raced' });
    return made.body as { id: number; rawKey: string };
  };

  /** Calls both processes with the key until `until` is true. Pauses while the key is rejected. Returns all calls. */
  async function flood(key: string, until: (calls: readonly Call[]) => boolean): Promise<Call[]> {
    const calls: Call[] = [];
    const deadline = performance.now() + DEADLINE_MS;
    const caller = async (index: number) => {
      while (!until(calls)) {
        if (calls.at(-1)?.status === 401) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        calls.push(await ask(index % 2 === 0 ? service.url : other.url, key));
        assert.ok(performance.now() < deadline, 'the flood ends in time');
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(index)));
    return calls;
  }

  /**
   * Asserts that a key works until it is revoked or rotated, and is rejected from one second after that. `begun` and
   * `ended` are the times when the call that ended the key was sent and answered.
   */
  function assertEnded(calls: readonly Call[], begun: number, ended: number): void {
    for (const call of calls) {
      assert.ok(call.status === 200 || call.status === 401, String(call.status));
      if (call.ended < begun) assert.equal(call.status, 200, 'the key was still valid');
      if (call.begun > ended + HOLDS_AFTER_MS) assert.equal(call.status, 401, `${call.begun - ended} ms after its end`);
    }
  }
  const isLongAfter = (calls: readonly Call[], ended: number | undefined) =>
    ended !== undefined && calls.some(({ begun, status }) => begun > ended + HOLDS_AFTER_MS && status === 401);

  it('a key revoked during 100 or more requests is rejected by both processes a second later', async () => {
    let most = 0;
    await eachRound(FEW, async () => {
      const { id, rawKey } = await newKey();
      let [begun, ended]: (number | undefined)[] = [];
      const flooding = flood(rawKey, (calls) => isLongAfter(calls, ended));
      while ((await ask(other.url, rawKey)).status !== 200);
      begun = performance.now();
      assert.equal((await manage('DELETE', `/v1/api-keys/${id}`)).status, 200);
      ended = performance.now();
      const calls = await flooding;
      assertEnded(calls, begun, ended);
      most = Math.max(most, calls.length);
    });
    assert.ok(most >= 100, `amid ${most} requests`);
  });

  it('a key rotated without overlap ends within a second, and the new key works immediately', async () => {
    await eachRound(FEW, async () => {
      const { id, rawKey } = await newKey();
      let [begun, ended]: (number | undefined)[] = [];
      const flooding = flood(rawKey, (calls) => isLongAfter(calls, ended));
      begun = performance.now();
      const rotated = await manage('POST', `/v1/api-keys/${id}/rotate`, { overlapSeconds: 0 });
      ended = performance.now();
      const next = (rotated.body as { rawKey: string }).rawKey;
      for (const url of [service.url, other.url]) assert.equal((await ask(url, next)).status, 200);
      assertEnded(await flooding, begun, ended);
    });
  });

  it('if 16 callers rotate the same key concurrently, only one succeeds', async () => {
    await eachRound(ROUNDS, async (round) => {
      const { id } = await newKey();
      const statuses = await Promise.all(
        Array.from({ length: 16 }, async (_, index) => {
          const answer = await fetch(`${index % 2 === 0 ? service.url : other.url}/v1/api-keys/${id}/rotate`, {
            method: 'POST',
            headers: { authorization: `Bearer ${service.secretKey}`, 'content-type': 'application/json' },
            body: '{}',
          });
          await answer.arrayBuffer();
          return answer.status;
        }),
      );
      assert.deepEqual(
        statuses.toSorted((one, other) => one - other),
        [201, ...Array.from({ length: 15 }, () => 409)],
        `round ${round}`,
      );
      const { rows } = await service.database.query<{ after: number }>(
        `select count(*) as after from api_keys o join api_keys n on n.id = o.replaced_by where o.id = $1`,
        [id],
      );
      assert.equal(rows[0]?.after, 1);
    });
  });

  it('a key that is rotated and revoked concurrently ends up revoked', async () => {
    await eachRound(ROUNDS, async () => {
      const { id } = await newKey();
      const [rotated, revoked] = await Promise.all([
        manage('POST', `/v1/api-keys/${id}/rotate`, {}),
        manage('DELETE', `/v1/api-keys/${id}`),
      ]);
      assert.ok(rotated.status === 201 || rotated.status === 409, rotated.text);
      assert.equal(revoked.status, 200, revoked.text);
      const { revokedAt } = (await manage('GET', `/v1/api-keys/${id}`)).body as { revokedAt: string | null };
      assert.notEqual(revokedAt, null);
    });
  });
});
