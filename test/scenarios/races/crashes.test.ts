import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { randomOf, SEED } from '#test/support/random.ts';
import { countRounds } from '#test/support/rounds.ts';
import { attachEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';

const KEY = `sk_live_${'k'.repeat(43)}`;
const CALLERS = 16;
const ROUNDS = countRounds(60, 3);

type Client = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>;

/** `ok` means that the sale was acknowledged. `unknown` means that the sale may or may not have been written. */
type Outcome = 'ok' | 'unknown';

describe(`a service that is killed (TEST_SEED=${SEED})`, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whence-crash-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const start = () => startProcess({ WHENCE_DATA_DIR: folder, WHENCE_SECRET_KEY: KEY });
  const clientOf =
    ({ url }: ServiceProcess): Client =>
    async (path, body, headers = {}) => {
      const answer = await fetch(`${url}/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return answer;
    };
  const sale = (id: string, trackingId: string) => ({ source: 'shop', externalId: id, total: 100, trackingId });

  it(`stores and decides every acknowledged sale exactly once after ${ROUNDS} kills under load`, async () => {
    const outcomes = new Map<string, { outcome: Outcome; trackingId: string }>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = randomOf(SEED + round);
      const service = await start();
      const call = clientOf(service);
      if (round === 0) {
        await call('/programs', { name: 'P', reward: { type: 'percent', percent: 10 }, autoApprove: true });
        await call('/collaborators', { name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] });
      }
      let killed = false;
      const killAfter = 60 + Math.floor(random() * 400);
      let acknowledged = 0;
      const caller = async (n: number): Promise<void> => {
        for (let turn = 0; !killed; turn += 1) {
          const id = `${round}-${n}-${turn}`;
          let trackingId = '';
          try {
            const visit = await call('/event/site-visited', { collaboratorId: 'tracking:ada' });
            trackingId = visit.headers.get('X-Service-OID') ?? '';
            if (visit.status !== 200) continue;
            outcomes.set(id, { outcome: 'unknown', trackingId });
            const answer = await call('/event/sale', sale(id, trackingId));
            if (answer.status === 200) outcomes.set(id, { outcome: 'ok', trackingId });
            acknowledged += 1;
            if (acknowledged === killAfter) {
              killed = true;
              service.signal('SIGKILL');
            }
          } catch {
            return; // The connection broke, so the outcome is unknown.
          }
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)));
      await service.exited;
    }

    const service = await start();
    const call = clientOf(service);
    const database = openDatabase((await attachEmbedded(folder))?.url as string, { connections: 2 });
    const stored = async (): Promise<Set<string>> => {
      const { rows } = await database.query<{ external_id: string }>('select external_id from transactions');
      assert.equal(new Set(rows.map((row) => row.external_id)).size, rows.length, 'each sale is stored once');
      return new Set(rows.map((row) => row.external_id));
    };
    const there = await stored();
    const acknowledged = [...outcomes].filter(([, { outcome }]) => outcome === 'ok').map(([id]) => id);
    assert.ok(acknowledged.length > ROUNDS * 60, 'sales were reported under load');
    assert.deepEqual(
      acknowledged.filter((id) => !there.has(id)),
      [],
      'nothing acknowledged is lost',
    );
    assert.deepEqual(
      [...there].filter((id) => !outcomes.has(id)),
      [],
      'no sale is stored that was never sent',
    );

    // Reports with an unknown outcome must succeed when they are repeated with the same ids.
    for (const [id, { trackingId }] of outcomes) {
      if (there.has(id) && acknowledged.includes(id)) continue;
      assert.equal((await call('/event/sale', sale(id, trackingId))).status, 200);
    }
    assert.deepEqual(await stored(), new Set(outcomes.keys()));
    await settled(database);
    const { rows } = await database.query<{ n: number }>(
      `select count(*) as n from conversions where status = 'approved'`,
    );
    assert.equal(rows[0]?.n, outcomes.size);
    assert.deepEqual((await verify(database)).breaches, []);
    await database.end();
    service.signal('SIGTERM');
    assert.equal(await service.exited, 0);
  });

  it('finishes accepted requests on SIGTERM and exits with 0', async () => {
    const service = await start();
    const call = clientOf(service);
    const visit = await call('/event/site-visited', { collaboratorId: 'tracking:ada' });
    const trackingId = visit.headers.get('X-Service-OID') as string;
    const statuses = new Map<string, number>();
    // Each caller has one connection, and stops when the server announces that it will close the connection.
    const caller = async (n: number): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let turn = 0; ; turn += 1) {
        const id = `term-${n}-${turn}`;
        const { status, closes } = await post(agent, `${service.url}/v1/event/sale`, sale(id, trackingId));
        statuses.set(id, status);
        if (statuses.size === 200) {
          // Under npm, a single Ctrl-C sends several signals to the service.
          for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) service.signal(signal);
        }
        if (closes) break;
      }
      agent.destroy();
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)));
    assert.ok(statuses.size >= 200);
    assert.equal(await service.exited, 0);
    assert.deepEqual(new Set(statuses.values()), new Set([200]));
  });
});

function post(agent: Agent, url: string, body: unknown): Promise<{ status: number; closes: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const call = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, closes: answer.headers.connection === 'close' }),
      );
    });
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });
}

async function settled(database: ReturnType<typeof openDatabase>): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const { rows } = await database.query<{ n: number }>('select count(*) as n from jobs');
    if (rows[0]?.n === 0) return;
    assert.ok(performance.now() < deadline, 'the pipeline continues');
    // Polling without a pause would slow the pipeline that the test waits for.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
