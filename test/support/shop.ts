import assert from 'node:assert/strict';
import { pino } from 'pino';
import { inTransaction } from '#platform/postgres/database.ts';
import { ENCRYPTION_KEY } from './encryption-key.ts';
import type { Reply, TestService } from './service.ts';
import { readConfig } from '#app/config.ts';
import { type Service, startService } from '#app/main.ts';

export type Conversion = {
  id: number;
  type: string;
  status: string;
  programId: number;
  programVersion: number;
  collaboratorId: number;
  transactionId: number;
  obligationId: number;
  amount: number;
  currency: string;
  reason?: string | null;
};
export type Obligation = { id: number; conversionId: number; amount: number; status: string };
export type Explanation = {
  reason?: string;
  why?: string;
  base: number;
  candidates: {
    collaboratorId: number;
    programId?: number;
    outcome: string;
    reason?: string;
    share?: number;
    score?: number;
  }[];
  text: string;
};

/** The actions of a merchant's shop. Every call must succeed. */
export type Shop = {
  readonly program: (change?: Record<string, unknown>) => Promise<number>;
  readonly collaborator: (code: string, change?: Record<string, unknown>) => Promise<number>;
  /** Reports a visit and returns the opportunity's public number. */
  readonly visit: (code: string, options?: { oid?: string; userId?: number | string; key?: string }) => Promise<string>;
  readonly sell: (externalId: string, trackingId: string, change?: Record<string, unknown>) => Promise<Reply>;
  /** Reports that a visitor applied a coupon. The coupon code is an alias of the type `coupon`. */
  readonly applyCoupon: (code: string, trackingId: string) => Promise<Reply>;
  readonly custom: (event: string, trackingId: string, collaboratorId?: number | string) => Promise<Reply>;
  readonly lead: (trackingId: string, change?: Record<string, unknown>) => Promise<Reply>;
  readonly renew: (externalId: string, saleExternalId: string, change?: Record<string, unknown>) => Promise<Reply>;
  readonly refund: (externalId: string) => Promise<Reply>;
  /** Reports a refund with a `refundId`, and an amount or items. */
  readonly refundPart: (externalId: string, part: Record<string, unknown>) => Promise<Reply>;
  readonly reverse: (externalId: string, refundId: string) => Promise<Reply>;
  readonly correct: (externalId: string, content: Record<string, unknown>) => Promise<Reply>;
  /** Rejects all conversions of a decided transaction. */
  readonly reject: (externalId: string) => Promise<Reply>;
  /** Credits a decided transaction manually. */
  readonly credit: (externalId: string, body: Record<string, unknown>) => Promise<Reply>;
  readonly change: (path: string, body: Record<string, unknown>) => Promise<Reply>;
  readonly get: <Body>(path: string) => Promise<Body>;
  readonly transactionOf: (externalId: string) => Promise<{ id: number; status: string; opportunityId: number }>;
  /** Waits for the pipeline, then returns a sale's conversions in the order of their ids. */
  readonly earned: (externalId: string) => Promise<Conversion[]>;
  readonly explain: (externalId: string) => Promise<Explanation>;
};

export function openShop(service: Pick<TestService, 'request' | 'secretKey' | 'settled'>): Shop {
  const key = service.secretKey;
  const must = async (status: number, call: Promise<Reply>): Promise<Reply> => {
    const reply = await call;
    assert.equal(reply.status, status, reply.text);
    return reply;
  };
  const get = async <Body>(path: string): Promise<Body> =>
    (await must(200, service.request('GET', path, { key }))).body as Body;
  const create = async (path: string, body: unknown): Promise<number> =>
    ((await must(201, service.request('POST', path, { key, body }))).body as { id: number }).id;
  const transactionOf = async (externalId: string) => {
    const [found] = await get<{ id: number; status: string; opportunityId: number }[]>(
      `/v1/transactions?externalId=${encodeURIComponent(externalId)}`,
    );
    assert.ok(found, `no transaction ${externalId}`);
    return found;
  };
  return {
    get,
    transactionOf,
    program: (change = {}) =>
      create('/v1/programs', { name: 'Affiliates', reward: { type: 'percent', percent: 10 }, ...change }),
    collaborator: (code, change = {}) =>
      create('/v1/collaborators', { name: code, aliases: [{ type: 'tracking', code }], ...change }),
    visit: async (code, { oid, userId, key: withKey = key } = {}) => {
      const reply = await must(
        200,
        service.request('POST', '/v1/event/site-visited', {
          key: withKey,
          body: { collaboratorId: `tracking:${code}`, ...(userId === undefined ? {} : { userId }) },
          headers: oid === undefined ? {} : { 'X-Service-OID': oid },
        }),
      );
      return oidOf(reply);
    },
    sell: (externalId, trackingId, change = {}) =>
      must(200, service.request('POST', '/v1/event/sale', { key, body: saleBody(externalId, trackingId, change) })),
    applyCoupon: (code, trackingId) =>
      must(200, service.request('POST', '/v1/event/coupon-applied', { key, body: { code, trackingId } })),
    custom: (event, trackingId, collaboratorId) =>
      must(200, service.request('POST', '/v1/event/custom', { key, body: { event, trackingId, collaboratorId } })),
    lead: (trackingId, change = {}) =>
      must(200, service.request('POST', '/v1/event/lead', { key, body: { trackingId, ...change } })),
    renew: (externalId, saleExternalId, change = {}) =>
      must(
        200,
        service.request('POST', '/v1/event/renewal', {
          key,
          body: { source: 'shop', externalId, saleExternalId, total: 100, ...change },
        }),
      ),
    refund: (externalId) =>
      must(200, service.request('POST', '/v1/event/refund', { key, body: { source: 'shop', externalId } })),
    refundPart: (externalId, part) =>
      must(200, service.request('POST', '/v1/event/refund', { key, body: { source: 'shop', externalId, ...part } })),
    reverse: (externalId, refundId) => {
      const body = { source: 'shop', externalId, refundId };
      return must(200, service.request('POST', '/v1/event/refund-reversal', { key, body }));
    },
    correct: (externalId, body) =>
      must(
        200,
        service.request('POST', '/v1/event/sale-correction', { key, body: { source: 'shop', externalId, ...body } }),
      ),
    reject: async (externalId) => {
      const { id } = await transactionOf(externalId);
      const ids = (await get<Conversion[]>(`/v1/conversions?transactionId=${id}`)).map((each) => each.id);
      const body = { action: 'reject', reason: 'Own order', ids };
      return must(200, service.request('POST', '/v1/conversions/bulk', { key, body }));
    },
    credit: async (externalId, body) => {
      const path = `/v1/transactions/${(await transactionOf(externalId)).id}/credits`;
      return must(201, service.request('POST', path, { key, body }));
    },
    change: (path, body) => must(200, service.request('PATCH', path, { key, body })),
    earned: async (externalId) => {
      await service.settled();
      const { id } = await transactionOf(externalId);
      return get<Conversion[]>(`/v1/conversions?transactionId=${id}&sort=id`);
    },
    explain: async (externalId) => {
      await service.settled();
      return get<Explanation>(`/v1/transactions/${(await transactionOf(externalId)).id}/explanation`);
    },
  };
}

export function saleBody(externalId: string, trackingId: string, change: Record<string, unknown> = {}) {
  return { source: 'shop', externalId, total: 100, trackingId, ...change };
}

export function oidOf(reply: Reply): string {
  const oid = reply.headers.get('X-Service-OID');
  assert.ok(oid !== null && /^[1-9]\d{0,15}$/.test(oid), 'the response has the opportunity’s number');
  return oid;
}

/** Starts a second service on the same database, as in production with separate `worker` and `api` processes. */
export function startBeside(service: TestService, settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const config = readConfig({
    DATABASE_URL: service.databaseUrl,
    PORT: '0',
    WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY,
    ...settings,
  });
  return startService(config, pino({ level: 'silent' }), () => {});
}

/**
 * Simulates the passing of time by moving the stored times in TIMES into the past. Windows and timers depend on the
 * database's clock, which a test can't change.
 */
export function letPass({ database }: TestService, interval: string): Promise<void> {
  return inTransaction(database, async (connection) => {
    // The lock stops workers from updating daily sums, because they would read a mix of old and new times. Each table's
    // times move in a separate transaction, so that no concurrent decision deadlocks with them.
    await connection.query('lock table sum_marks in exclusive mode');
    for (const [table, columns] of Object.entries(TIMES)) {
      const moved = columns.map((column) => `${column} = ${column} - $1::interval`).join(', ');
      await database.query(`update ${table} set ${moved}`, [interval]);
    }
    // Counted awards may now belong to another period, so the next decision counts all awards again.
    await database.query('delete from award_counters');
    // Daily sums now belong to other days, so they are calculated again.
    for (const table of ['sum_marks', 'visit_sums', 'sale_sums']) await connection.query(`delete from ${table}`);
  });
}

const TIMES: Readonly<Record<string, readonly string[]>> = {
  visits: ['occurred_at', 'reported_at'],
  visit_keys: ['created_at'],
  visit_partitions: ['opened_at'],
  opportunities: ['created_at'],
  program_versions: ['created_at'],
  engagements: ['first_at', 'last_at'],
  transactions: ['occurred_at', 'reported_at'],
  events: ['occurred_at', 'reported_at'],
  jobs: ['run_at'],
  conversions: ['approve_at'],
};

/** Returns a key of an organization with the tier `lite`. The key has the scope to report, but reports are refused. */
export async function liteKey(service: TestService): Promise<string> {
  const founder = await service.foundOrganization('Lite');
  // Create a separate key, because the service would cache the founder's own key with the initial tier.
  const body = { label: 'reporter', scopes: ['events:write'] };
  const made = await service.request('POST', '/v1/api-keys', { key: founder, body });
  await service.request('PATCH', '/v1/organization', { key: founder, body: { tier: 'lite' } });
  return (made.body as { rawKey: string }).rawKey;
}
