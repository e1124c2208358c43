import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { MAX_WAITING_CALLS } from '#platform/http/call-limits.ts';
import { tally } from '#test/support/pair.ts';
import { lockWaits } from '#test/support/paused.ts';
import { problemCode } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { openShop } from '#test/support/shop.ts';
import { confirmationToken } from '#notifications/domain/confirmation-token.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { ENCRYPTION_KEY } from '#test/support/encryption-key.ts';
import { logIn, makePerson } from '#test/support/people.ts';
import { newNetwork, openMailbox, openPortal } from '#test/support/portal.ts';
import type { OrganizationId, PersonId } from '#core/ids.ts';

const CALLS = 40;
/** The number of changes and of reads that one organization may run at once on the eight connections for calls. */
const [CHANGES, READS] = [2, 3];
/** The number of calls without a login that may run at once on the eight connections for calls. */
const VISITORS = 2;

describe('waiting calls of one organization', () => {
  let service: TestService;
  let holder: Client;
  /** A client that opens no transaction, because a transaction sees `pg_stat_activity` as of its first read. */
  let watcher: Client;
  let otherKey: string;
  before(async () => {
    service = await startService();
    [holder, watcher] = [0, 1].map(() => new Client({ connectionString: service.databaseUrl })) as [Client, Client];
    await Promise.all([holder.connect(), watcher.connect()]);
    otherKey = await service.foundOrganization('Other');
    await openShop(service).collaborator('ada');
  });
  after(async () => {
    await Promise.all([holder.end(), watcher.end()]);
    await service.stop();
  });

  const change = (n: number, key = service.secretKey): Promise<Reply> =>
    service.request('PATCH', '/v1/portal-settings', { key, body: { supportEmail: `mugs-${n}@mugs.example` } });
  /** Runs `work` while changes of the first organization and reads of custom events wait for locks. */
  const whileHeld = async (work: () => Promise<void>): Promise<void> => {
    await holder.query('begin');
    try {
      await holder.query('lock table custom_events in access exclusive mode');
      await holder.query('select from organizations where id = (select min(id) from organizations) for no key update');
      await work();
    } finally {
      await holder.query('rollback');
    }
  };
  const lockedStatements = async (): Promise<number> => {
    const { rows } = await watcher.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.n ?? NaN;
  };

  /** Asserts that another organization’s reads succeed, and that at most `waiting` statements wait for locks. */
  const assertOthersAreServed = async (waiting: number): Promise<void> => {
    const others = Array.from({ length: CALLS }, () => service.request('GET', '/v1/programs', { key: otherKey }));
    assert.deepEqual(tally(await Promise.all(others)), { 200: CALLS });
    assert.ok((await lockedStatements()) <= waiting);
  };

  it('requests for login links that wait for a change leave connections free for other organizations', async () => {
    const opened = await service.request('PATCH', '/v1/portal-settings', {
      key: service.secretKey,
      body: { slug: 'mugs', landingUrl: 'https://mugs.example/' },
    });
    assert.equal(opened.status, 200, opened.text);
    let logins: Promise<Reply>[] = [];
    await whileHeld(async () => {
      logins = Array.from({ length: 15 }, (_, n) =>
        service.request('POST', '/v1/portals/mugs/links', { body: { email: `p${n}@mugs.example` } }),
      );
      await lockWaits(watcher, 1);
      await assertOthersAreServed(1);
      // A login is rejected after a second, so that the logins of other portals get its place.
      const refused = await Promise.race(logins);
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
    });
    const statuses = tally(await Promise.all(logins));
    assert.deepEqual(Object.keys(statuses), ['200', '503']);
    const closed = await service.request('PATCH', '/v1/portal-settings', {
      key: service.secretKey,
      body: { slug: null },
    });
    assert.equal(closed.status, 200, closed.text);
  });

  it('logins that wait for a change of their account leave connections free, and don’t count as attempts', async () => {
    const { id, email } = await makePerson(service, 'viewer', 'vic@mugs.example');
    let logins: Promise<Reply>[] = [];
    await holder.query('begin');
    try {
      await holder.query('select from people where id = $1 for no key update', [id]);
      logins = Array.from({ length: 15 }, () => logIn(service, email));
      await lockWaits(watcher, VISITORS);
      await assertOthersAreServed(VISITORS);
      const refused = await Promise.race(logins);
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
    } finally {
      await holder.query('rollback');
    }
    assert.deepEqual(Object.keys(tally(await Promise.all(logins))), ['201', '503']);
  });

  it('a person can log in while other changes by the same person are running', async () => {
    const { id, email } = await makePerson(service, 'viewer', 'busy@mugs.example');
    await holder.query('begin');
    try {
      await holder.query(`select pg_advisory_xact_lock_shared(hashtextextended($1, 0))`, [`1 caller person ${id}`]);
      await holder.query('select from people where id = $1 for share', [id]);
      assert.equal((await logIn(service, email)).status, 201);
    } finally {
      await holder.query('rollback');
    }
  });

  it('links in emails that wait for a change of their person leave connections free for other organizations', async () => {
    const { id } = await makePerson(service, 'viewer', 'eve@mugs.example');
    const { hashKey } = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));
    const token = confirmationToken(hashKey, { organizationId: 1 as OrganizationId, personId: id as PersonId });
    let confirmations: Promise<Reply>[] = [];
    await holder.query('begin');
    try {
      await holder.query('select from people where id = $1 for share', [id]);
      confirmations = Array.from({ length: 15 }, () =>
        service.request('POST', `/confirm-address/${token}`, { headers: { 'x-forwarded-for': newNetwork() } }),
      );
      await lockWaits(watcher, VISITORS);
      await assertOthersAreServed(VISITORS);
    } finally {
      await holder.query('rollback');
    }
    const statuses = Object.keys(tally(await Promise.all(confirmations)));
    assert.ok(
      statuses.every((status) => status === '200' || status === '503'),
      statuses.join(', '),
    );
  });

  it('portal sessions that wait for each other leave places for the merchant’s reads', async () => {
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    await openShop(service).collaborator('ben', { email: 'ben@mugs.example' });
    const ben = await portal.enter('ben@mugs.example');
    await holder.query('begin');
    let sessions: Promise<Reply>[] = [];
    try {
      await holder.query('lock table program_versions in access exclusive mode');
      sessions = Array.from({ length: READS + 1 }, () => ben.call('GET', '/v1/portal/session'));
      await lockWaits(watcher, 1);
      const read = await service.request('GET', '/v1/webhooks', { key: service.secretKey });
      assert.equal(read.status, 200, read.text);
    } finally {
      await holder.query('rollback');
    }
    assert.deepEqual(tally(await Promise.all(sessions)), { 200: READS + 1 });
  });

  it('use only the organization’s share of connections, so that other organizations can read and change', async () => {
    let changes: Promise<Reply>[] = [];
    let reads: Promise<Reply>[] = [];
    await whileHeld(async () => {
      changes = Array.from({ length: CALLS }, (_, n) => change(n));
      reads = changes.map(() => service.request('GET', '/v1/custom-events', { key: service.secretKey }));
      await lockWaits(watcher, CHANGES + READS);
      const others = await Promise.all(
        Array.from({ length: CALLS }, (_, n) => [
          service.request('GET', '/v1/programs', { key: otherKey }),
          change(n, otherKey),
        ]).flat(),
      );
      assert.deepEqual(tally(others), { 200: 2 * CALLS });
      // When a read times out, the next waiting read replaces it. In between, fewer statements wait for locks.
      await lockWaits(watcher, CHANGES + READS);
      assert.ok((await lockedStatements()) <= CHANGES + READS);
    });
    assert.deepEqual(tally(await Promise.all(changes)), { 200: CALLS });
    // A read that waits for longer than a few seconds gets 503. The calls of the other organization may have taken that
    // long.
    assert.ok((await Promise.all(reads)).every(({ status }) => status === 200 || status === 503));
  });

  it('do not delay reports of the same organization', async () => {
    let waiting: Promise<Reply>[] = [];
    await whileHeld(async () => {
      waiting = Array.from({ length: CALLS }, (_, n) => change(n));
      await lockWaits(watcher, CHANGES);
      const reports = await Promise.all(
        Array.from({ length: CALLS }, () =>
          service.request('POST', '/v1/event/site-visited', {
            key: service.secretKey,
            body: { collaboratorId: 'tracking:ada' },
          }),
        ),
      );
      assert.deepEqual(tally(reports), { 200: CALLS });
    });
    await Promise.all(waiting);
  });

  it('are rejected with 429 if too many wait', async () => {
    let waiting: Promise<Reply>[] = [];
    await whileHeld(async () => {
      waiting = Array.from({ length: CHANGES + MAX_WAITING_CALLS + 1 }, (_, n) => change(n));
      const refused = await Promise.race(waiting);
      assert.deepEqual(
        [refused.status, problemCode(refused), refused.headers.get('retry-after')],
        [429, 'rate-limited', '1'],
      );
    });
    assert.deepEqual(tally(await Promise.all(waiting)), { 200: CHANGES + MAX_WAITING_CALLS, 429: 1 });
  });
});
