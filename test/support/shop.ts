import assert from 'node:assert/strict';
import { pino } from 'pino';
import { inTransaction } from '#store/database.ts';
import { ENCRYPTION_KEY } from './encryption-key.ts';
import type { Reply, TestService } from './service.ts';
import { readConfig } from '../../src/config.ts';
import { type Service, startService } from '../../src/main.ts';

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

/** What a merchant's shop does, in its own words. Every call must succeed unless it says otherwise. */
export type Shop = {
  readonly program: (change?: Record<string, unknown>) => Promise<number>;
  readonly collaborator: (code: string, change?: Record<string, unknown>) => Promise<number>;
  /** Answers the opportunity's number. */
  readonly visit: (code: string, options?: { oid?: string; userId?: number; key?: string }) => Promise<string>;
  readonly sell: (externalId: string, trackingId: string, change?: Record<string, unknown>) => Promise<Reply>;
  /** The coupon is an alias of the type `coupon`. */
  readonly applyCoupon: (code: string, trackingId: string) => Promise<Reply>;
  readonly custom: (event: string, trackingId: string, collaboratorId?: number | string) => Promise<Reply>;
  readonly lead: (trackingId: string, change?: Record<string, unknown>) => Promise<Reply>;
  readonly renew: (externalId: string, saleExternalId: string, change?: Record<string, unknown>) => Promise<Reply>;
  readonly refund: (externalId: string) => Promise<Reply>;
  readonly change: (path: string, body: Record<string, unknown>) => Promise<Reply>;
  readonly get: <Body>(path: string) => Promise<Body>;
  readonly transactionOf: (externalId: string) => Promise<{ id: number; status: string; opportunityId: number }>;
  /** After the pipeline: what a sale has earned, by collaborator. */
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
    assert.ok(found, `there is a transaction ${externalId}`);
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
  assert.ok(oid !== null && /^[1-9]\d{0,15}$/.test(oid), 'the answer names the opportunity');
  return oid;
}

/** Another process's worth of service on the same database: `worker` and `api` as in life. */
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
 * Lets time pass: everything that was stored happened so much earlier. The database's clock decides windows and timers,
 * so it is the stored times that move.
 */
export function letPass({ database }: TestService, interval: string): Promise<void> {
  return inTransaction(database, async (connection) => {
    // Whoever adds up what is shown waits: half of the times would be the old ones. The times themselves move in
    // transactions of their own, so that nobody who decides waits for one row and holds another.
    await connection.query('lock table sum_marks in exclusive mode');
    for (const [table, columns] of Object.entries(TIMES)) {
      const moved = columns.map((column) => `${column} = ${column} - $1::interval`).join(', ');
      await database.query(`update ${table} set ${moved}`, [interval]);
    }
    // What was counted in a period may be in another one now: the next decision that asks counts anew.
    await database.query('delete from award_counters');
    // What was added up by day is of other days now: it is added up again.
    for (const table of ['sum_marks', 'visit_sums', 'sale_sums']) await connection.query(`delete from ${table}`);
  });
}

const TIMES: Readonly<Record<string, readonly string[]>> = {
  visits: ['occurred_at'],
  visit_keys: ['created_at'],
  visit_partitions: ['opened_at'],
  opportunities: ['created_at'],
  program_versions: ['created_at'],
  engagements: ['first_at', 'last_at'],
  transactions: ['occurred_at'],
  events: ['occurred_at'],
  jobs: ['run_at'],
  conversions: ['approve_at'],
};

/** A key that may report, of another organization, which lacks the tier for it. */
export async function liteKey(service: TestService): Promise<string> {
  const founder = await service.foundOrganization('Lite');
  // The founder's own key would be remembered with the tier that it began with.
  const body = { label: 'reporter', scopes: ['events:write'] };
  const made = await service.request('POST', '/v1/api-keys', { key: founder, body });
  await service.request('PATCH', '/v1/organization', { key: founder, body: { tier: 'lite' } });
  return (made.body as { rawKey: string }).rawKey;
}
