import assert from 'node:assert/strict';
import type { Database } from '#platform/postgres/database.ts';
import type { Request } from '#test/support/caller.ts';

export type Compared = { readonly currency: string; readonly recorded: number; readonly drafted: number };

export type DraftResult = {
  readonly totals: readonly (Compared & {
    readonly revenue: number;
    readonly recordedPercent: number | null;
    readonly draftedPercent: number | null;
    readonly gaining: number;
    readonly losing: number;
    readonly changingHands: number;
  })[];
  readonly collaborators: readonly (Compared & {
    readonly collaboratorId: number;
    readonly collaboratorName: string;
  })[];
  readonly months: readonly (Compared & { readonly month: string; readonly revenue: number })[];
  readonly lines: readonly (Compared & { readonly name: string | null; readonly type: string | null })[];
  readonly changedHands: readonly (Compared & {
    readonly externalId: string;
    readonly recordedEarners: readonly { readonly collaboratorName: string }[];
    readonly draftedEarners: readonly { readonly collaboratorName: string }[];
  })[];
  readonly differences: readonly (Compared & {
    readonly externalId: string;
    readonly recordedText: string;
    readonly draftedText: string;
  })[];
};

export type Backtest = {
  readonly id: number;
  readonly programId: number | null;
  readonly programVersion: number | null;
  readonly status: string;
  readonly progress: number;
  readonly failure: string | null;
  readonly decided: number | null;
  readonly leftOut: number | null;
  readonly drafts: readonly {
    readonly name: string;
    readonly terms: Readonly<Record<string, unknown>>;
    readonly collaboratorIds: readonly number[] | null;
    readonly result: DraftResult | null;
  }[];
};

/** A period that contains every sale of a test. */
export const THESE_YEARS = { from: dayFromNow(-700), until: dayFromNow(30) };

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** The calls of an organization for backtests. */
export type Calls = {
  readonly start: (path: string, drafts: readonly object[], more?: object) => Promise<Backtest>;
  readonly get: (id: number) => Promise<Backtest>;
  /** Waits until a backtest matches, and returns it. */
  readonly until: (id: number, matches: (backtest: Backtest) => boolean) => Promise<Backtest>;
  /** Waits until a backtest ends, and returns it. */
  readonly ended: (id: number) => Promise<Backtest>;
};

const LIMIT_MS = 60_000;
const POLL_MS = 10;

export function openCalls(request: Request, key: string): Calls {
  const get = async (id: number): Promise<Backtest> => {
    const reply = await request('GET', `/v1/backtests/${id}`, { key });
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Backtest;
  };
  const until: Calls['until'] = async (id, matches) => {
    const deadline = performance.now() + LIMIT_MS;
    for (;;) {
      const backtest = await get(id);
      if (matches(backtest)) return backtest;
      assert.ok(performance.now() < deadline, `the backtest is ${backtest.status} at ${backtest.progress}%`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  return {
    start: async (path, drafts, more = {}) => {
      const reply = await request('POST', path, { key, body: { ...THESE_YEARS, drafts, ...more } });
      assert.equal(reply.status, 201, reply.text);
      return reply.body as Backtest;
    },
    get,
    until,
    ended: (id) => until(id, ({ status }) => status !== 'queued' && status !== 'running'),
  };
}

/** The tables of the books, which no backtest may change. */
const BOOKS = [
  'transactions',
  'transaction_lines',
  'refunds',
  'events',
  'jobs',
  'opportunities',
  'visits',
  'engagements',
  'explanations',
  'conversions',
  'obligations',
  'payouts',
  'ledger_entries',
  'programs',
  'program_versions',
  'enrollments',
  'collaborators',
  'collaborator_versions',
];

/** Returns the number of rows and a checksum of each table of the books. */
export async function fingerprint(database: Database): Promise<unknown> {
  const hashes = BOOKS.map(
    (table) =>
      `(select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') from ${table} t)`,
  );
  const { rows } = await database.query(
    `select ${hashes.map((hash, n) => `${hash} as ${BOOKS[n]}`).join()}, (select last_value from event_ids) as events,
       (select last_value from engagement_ids) as engagement_ids`,
  );
  return rows;
}
