import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { type DemoKeys, fillDatabase } from '#tools/demo/stage.ts';
import { trafficOf } from '#tools/demo/traffic.ts';
import { DAY, HOUR } from '#tools/traffic/story.ts';
import { createDatabase } from '../../support/database.ts';
import { ENCRYPTION_KEY } from '../../support/encryption-key.ts';
import { readConfig } from '#app/config.ts';
import { startService } from '#app/main.ts';
import { Whence } from '#sdk/whence.ts';
import { openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';

/** The start of the demo data. It is in the past, so that the true time does not affect the data. */
const FROM = Date.UTC(2026, 4, 11);
const SPAN = { from: FROM, until: FROM + 4 * DAY + 18 * HOUR, shoppers: 18, seed: 3 };
const SETTINGS = { WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY, WEBHOOKS_PRIVATE_ADDRESSES: 'true' };
const log = pino({ level: 'silent' });

/** The fraud signals that have an example in the demo. */
const HELD_FOR = ['ad-referrer', 'buyer-details', 'deny-list', 'quick-sale', 'visits-from-address'];

type Filled = { readonly own: Awaited<ReturnType<typeof createDatabase>>; readonly keys: DemoKeys };

describe('the demo data', () => {
  const filled: Filled[] = [];
  before(async () => {
    const fill = async (): Promise<Filled> => {
      const own = await createDatabase();
      return { own, keys: await fillDatabase({ databaseUrl: own.url, span: SPAN, log, settings: SETTINGS }) };
    };
    filled.push(...(await Promise.all([fill(), fill()])));
  });
  after(async () => {
    for (const { own } of filled) await own.drop();
  });

  /**
   * Returns the organization, the portal, the figures, owed amounts, conversions, payouts, collaborator signals and
   * pending collaborators, as the API shows them. The service runs without a worker, so that nothing changes.
   */
  const seen = async ({ own, keys }: Filled): Promise<Record<string, unknown>> => {
    const config = readConfig({ ...SETTINGS, DATABASE_URL: own.url, PORT: '0', WHENCE_ROLE: 'api' });
    const service = await startService(config, log, () => {});
    const whence = new Whence({ baseUrl: service.url, apiKey: keys.secretKey });
    const days = { from: '2026-05-10', until: '2026-05-16' };
    const figures = async (by: 'total' | 'day' | 'program' | 'collaborator' | 'source') => {
      const { computedAt: _, ...rest } = await whence.figures.get({ ...days, by });
      return rest;
    };
    try {
      return {
        organization: await whence.organization.get(),
        portal: await whence.portals.get('teapot'),
        total: await figures('total'),
        byDay: await figures('day'),
        byProgram: await figures('program'),
        byCollaborator: await figures('collaborator'),
        bySource: await figures('source'),
        owed: await whence.owed.get(),
        conversions: await whence.conversions.list({ sort: 'id' }).toArray({ limit: 1_000 }).then(withoutNumbers),
        payouts: await whence.payouts.list({ sort: 'id' }).toArray({ limit: 100 }),
        signals: await whence.collaboratorSignals.get(),
        pending: await whence.collaborators.list({ status: 'pending', sort: 'id' }).toArray({ limit: 10 }),
      };
    } finally {
      await service.stop();
    }
  };
  /** Omits the opportunity numbers. They differ between the databases, because each organization has a random key. */
  const withoutNumbers = (all: readonly { opportunityId: number | null }[]): unknown[] =>
    all.map(({ opportunityId: _, ...rest }) => rest);

  it('has the same figures each time it is generated', async () => {
    const [one, other] = await Promise.all(filled.map(seen));
    assert.deepEqual(one, other);
    const { total, pending, organization, portal, conversions, signals } = one as {
      signals: { reason: string; collaboratorName: string }[];
      total: { rows: { visits: number; sales: number }[] };
      pending: { name: string }[];
      organization: { demo: boolean };
      portal: { demo: boolean };
      conversions: { review: string; holdReasons?: string[] }[];
    };
    const held = conversions.filter(({ review }) => review === 'held').flatMap(({ holdReasons = [] }) => holdReasons);
    assert.deepEqual([...new Set(held)].sort(), HELD_FOR);
    assert.deepEqual(
      signals.map(({ reason, collaboratorName }) => [reason, collaboratorName]),
      ['Kettle Codes', 'Coupon Kettle', 'Kettle Coupons'].map((name) => ['sign-ups-from-network', name]),
    );
    assert.ok(organization.demo && portal.demo);
    assert.ok((total.rows[0]?.visits ?? 0) > 70 && (total.rows[0]?.sales ?? 0) >= 4, JSON.stringify(total));
    assert.deepEqual(
      pending.map(({ name }) => name),
      ['Bruno Breadcrumb', 'Kettle Coupons', 'Coupon Kettle', 'Kettle Codes', 'Sunny Saffron', 'Vera Velvet'],
    );
  });

  it('passes verification, has all visits in its time span, and leaves the clock correct', async () => {
    for (const { own } of filled) {
      const database = openDatabase(own.url, { connections: 1 });
      assert.deepEqual((await verify(database)).breaches, []);
      const { rows } = await database.query<{ now: Date; late: number; commits: string }>(
        `select now(), current_setting('synchronous_commit') as commits,
           (select count(*) from visits where occurred_at not between $1 and $2) as late`,
        [new Date(SPAN.from), new Date(SPAN.until)],
      );
      await database.end();
      assert.ok(Math.abs(Number(rows[0]?.now) - Date.now()) < 60_000);
      assert.deepEqual([rows[0]?.late, rows[0]?.commits], [0, 'on']);
    }
  });

  it('has about 12,000 visits and 700 sales in 90 days', () => {
    const from = Date.UTC(2026, 7, 24);
    const traffic = trafficOf({ from, until: from + 90 * DAY, shoppers: 95, seed: 1 });
    const counts = Object.groupBy(traffic, ({ what }) => what.kind);
    const between = (kind: keyof typeof counts, least: number, most: number) =>
      assert.ok((counts[kind]?.length ?? 0) >= least && (counts[kind]?.length ?? 0) <= most, kind);
    between('visit', 11_000, 13_000);
    between('sale', 600, 800);
    between('refund', 30, 70);
    between('lead', 15, 60);
    assert.ok(traffic.every(({ at }, n) => n === 0 || at >= (traffic[n - 1]?.at ?? 0)));
  });
});
