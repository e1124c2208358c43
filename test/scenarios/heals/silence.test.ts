import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLine } from '../../../tools/chaos/line.ts';
import { createDatabase } from '#test/support/database.ts';
import { HEALED_WITHIN_MS, REFUSED_UNANSWERED_WITHIN_MS, waitWithin } from '#test/support/healing.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';

const KEY = `sk_live_${'k'.repeat(43)}`;
/** The number of concurrent list requests. It exceeds the limit of one organization, so some requests wait. */
const LISTS = 12;

describe('a service whose database becomes unresponsive without closing connections', () => {
  let database: Database;
  let drop: () => Promise<void>;
  let line: Awaited<ReturnType<typeof openLine>>;
  let service: ServiceProcess;
  let oid: string;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url, { connections: 2 });
    line = await openLine(created.url);
    service = await startProcess({ DATABASE_URL: line.url, WHENCE_SECRET_KEY: KEY, LOG_LEVEL: 'fatal' });
    assert.equal((await post('/programs', { name: 'P', reward: { type: 'percent', percent: 10 } })).status, 201);
    const ada = { name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] };
    assert.equal((await post('/collaborators', ada)).status, 201);
    oid = (await post('/event/site-visited', { collaboratorId: 'tracking:ada' })).headers.get(
      'X-Service-OID',
    ) as string;
  });
  after(async () => {
    service.signal('SIGKILL');
    await line.close();
    await database.end();
    await drop();
  });

  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const visit = async () => (await post('/event/site-visited', { collaboratorId: 'tracking:ada' })).status;
  const sell = (externalId: string) => post('/event/sale', { source: 'shop', externalId, total: 10, trackingId: oid });
  const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200;

  /**
   * Asserts that all kinds of calls get 503 in time: reports, a change, the readiness check, and more list requests
   * than may run concurrently. Asserts that `/healthz` still returns 200.
   */
  const refuses = async (): Promise<void> => {
    const began = performance.now();
    const refused = await Promise.all([
      post('/event/site-visited', { collaboratorId: 'tracking:ada' }),
      sell('amid'),
      post('/collaborators', { name: 'Bob' }),
      fetch(`${service.url}/readyz`),
      ...Array.from({ length: LISTS }, () =>
        fetch(`${service.url}/v1/collaborators`, { headers: { authorization: `Bearer ${KEY}` } }),
      ),
    ]);
    const took = performance.now() - began;
    assert.deepEqual(
      refused.map(({ status, headers }) => [status, headers.get('retry-after')]),
      refused.map(() => [503, '1']),
    );
    assert.ok(took < REFUSED_UNANSWERED_WITHIN_MS, `the refusals took ${took} ms`);
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  };
  const heals = () =>
    waitWithin(HEALED_WITHIN_MS, 'the service recovers', async () => (await isReady()) && (await visit()) === 200);

  it('returns 503 within three seconds, and recovers once the database responds', async () => {
    assert.equal((await sell('before')).status, 200);
    await line.trouble({ kind: 'unresponsive' });
    await refuses();
    await line.mend();
    await heals();
  });

  it('returns 503 throughout a longer outage, then recovers without a lost or duplicate sale', async () => {
    await line.trouble({ kind: 'unresponsive' });
    await refuses();
    await refuses();
    await line.mend();
    await heals();
    assert.equal((await sell('amid')).status, 200);
    const { rows } = await database.query<{ n: number }>('select count(*) as n from transactions');
    assert.deepEqual(rows, [{ n: 2 }]);
    assert.deepEqual((await verify(database)).breaches, []);
  });
});
