import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { HEALED_WITHIN_MS, REFUSED_WITHIN_MS, waitWithin } from '#test/support/healing.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { mountSmallDisk, type SmallDisk, whyNoSmallDisk } from '#test/support/small-disk.ts';
import { openDatabase } from '#platform/postgres/database.ts';
import { attachEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { verify } from '#verify/verify.ts';

const KEY = `sk_live_${'k'.repeat(43)}`;
const DISK_MEGABYTES = 256;
/** The number of connections to open. The embedded PostgreSQL allows fewer. */
const GREED = 60;
/** The time limit, in milliseconds, for steps whose duration the service does not guarantee. */
const LIMIT_MS = 10_000;
const skip = whyNoSmallDisk();

describe('a service whose embedded PostgreSQL runs out of room', () => {
  let disk: SmallDisk | undefined;
  let folder: string;
  let service: ServiceProcess;
  let oid: string;
  let ended = false;
  let sold = 0;
  const acknowledged: string[] = [];
  before(async () => {
    disk = skip === undefined ? mountSmallDisk(DISK_MEGABYTES) : undefined;
    folder = join(disk?.folder ?? (await mkdtemp(join(tmpdir(), 'whence-heals-'))), 'data');
    // Start a separate process, so that an uncaught error ends the service as in production.
    service = await startProcess({ WHENCE_DATA_DIR: folder, WHENCE_SECRET_KEY: KEY, LOG_LEVEL: 'info' });
    void service.exited.then(() => (ended = true));
    assert.equal((await post('/programs', { name: 'P', reward: { type: 'percent', percent: 10 } })).status, 201);
    const ada = { name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] };
    assert.equal((await post('/collaborators', ada)).status, 201);
    oid = (await post('/event/site-visited', { collaboratorId: 'tracking:ada' })).headers.get(
      'X-Service-OID',
    ) as string;
  });
  after(async () => {
    service.signal('SIGTERM');
    await service.exited;
    if (disk === undefined) await rm(join(folder, '..'), { recursive: true, force: true });
    else disk.remove();
  });

  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  /** Reports a new sale and returns the status. Asserts that a refusal is an immediate 503 with Retry-After. */
  async function sell(): Promise<number> {
    const externalId = `sale-${sold++}`;
    const began = performance.now();
    const { status, headers } = await post('/event/sale', { source: 'shop', externalId, total: 10, trackingId: oid });
    const took = performance.now() - began;
    if (status === 200) acknowledged.push(externalId);
    else {
      assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
      assert.ok(took < REFUSED_WITHIN_MS, `the refusal took ${took} ms`);
    }
    return status;
  }

  const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200;
  const urlOfDatabase = async () => (await attachEmbedded(folder))?.url;

  const until = (what: string, holds: () => Promise<boolean>) => waitWithin(LIMIT_MS, what, holds);
  const healed = () =>
    waitWithin(
      HEALED_WITHIN_MS,
      'the service is ready and accepts sales',
      async () => (await isReady()) && (await sell()) === 200,
    );

  /** Asserts that every acknowledged sale is decided, that all invariants hold, and that the service still runs. */
  async function isWhole(): Promise<void> {
    const database = openDatabase((await urlOfDatabase()) as string, { connections: 1 });
    try {
      const stored = async (): Promise<string[]> => {
        const { rows } = await database.query<{ name: string }>(
          `select t.external_id as name from transactions t
           where exists (select from conversions c
             where c.organization_id = t.organization_id and c.transaction_id = t.id)`,
        );
        return rows.map(({ name }) => name);
      };
      await until('every sale is decided', async () => {
        const there = new Set(await stored());
        return acknowledged.every((name) => there.has(name));
      });
      assert.deepEqual((await verify(database)).breaches, []);
    } finally {
      await database.end();
    }
    assert.equal(ended, false, service.printed());
  }

  it('returns 503 immediately if no connection is free, and recovers once connections are free', async () => {
    const url = (await urlOfDatabase()) as string;
    const taken: Client[] = [];
    /** Opens a connection and returns true. Returns false if PostgreSQL refuses the connection. */
    const take = async (): Promise<boolean> => {
      const client = new Client({ connectionString: url });
      client.on('error', () => {});
      try {
        await client.connect();
        taken.push(client);
        return true;
      } catch {
        return false;
      }
    };
    while (taken.length < GREED && (await take()));
    const [first] = taken as [Client];
    await until('the service has lost all its connections', async () => {
      await first.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'whence'`);
      while (await take());
      return (await sell()) === 503 && !(await isReady());
    });
    await Promise.all(taken.map((client) => client.end()));
    await healed();
    await isWhole();
  });

  it('returns 503 immediately on a full disk, and recovers once there is space', { skip }, async () => {
    disk?.fill();
    await until('a sale is refused', async () => (await sell()) === 503);
    disk?.free();
    await healed();
    await isWhole();
  });

  it('restarts PostgreSQL by itself after a full disk made PostgreSQL exit', { skip }, async () => {
    const url = (await urlOfDatabase()) as string;
    disk?.fill();
    await until('PostgreSQL has ended', async () => {
      const client = new Client({ connectionString: url });
      client.on('error', () => {});
      // PostgreSQL exits if it must create a new WAL file and the disk has no space for the file.
      const went = client.connect().then(() => client.query('select pg_switch_wal()'));
      await went.catch(() => {});
      await client.end().catch(() => {});
      await sell();
      return service.printed().includes('its disk is full');
    });
    assert.equal(await isReady(), false);
    assert.equal(await sell(), 503);
    disk?.free();
    await healed();
    await isWhole();
    assert.match(service.printed(), /PostgreSQL runs again/);
  });
});
