import type { OrganizationId } from '#core/ids.ts';
import { type Connection, type Database, inSnapshot } from '#platform/postgres/database.ts';
import { lockVisits } from '#tracking/store/retention.ts';
import { CHAIN } from './chain.ts';
import { CONNECTORS } from './connectors.ts';
import { DECISIONS } from './decisions.ts';
import { FIGURES } from './figures.ts';
import type { Invariant } from './invariant.ts';
import { LEDGER } from './ledger.ts';
import { OWED } from './owed.ts';
import { PEOPLE } from './people.ts';
import { REFERENCES } from './references.ts';
import { REPORTS } from './reports.ts';
import { RUNS } from './runs.ts';
import { VISITS } from './visits.ts';

export type Breach = { readonly invariant: string; readonly detail: string };

/** The maximum number of violations shown for one invariant. Further violations add no information. */
const MAX_BREACHES = 20;

const INVARIANTS: readonly Invariant[] = [
  ...REPORTS,
  ...CONNECTORS,
  ...DECISIONS,
  ...OWED,
  ...RUNS,
  ...LEDGER,
  ...CHAIN,
  ...VISITS,
  ...PEOPLE,
  ...REFERENCES,
  ...FIGURES,
];

/**
 * Checks every invariant on one consistent snapshot, read-only, for one organization or all. Returns the violations.
 * The text of each violation starts with its organization id, so that the row can be found.
 */
export function verify(
  database: Database,
  organizationId?: OrganizationId,
): Promise<{ checked: number; breaches: Breach[] }> {
  return inSnapshot(database, async (connection) => {
    await lockVisits(connection);
    await connection.query(ORDINARY_PLANS);
    const breaches: Breach[] = [];
    for (const invariant of INVARIANTS) {
      const details = await breaksOf(connection, invariant, organizationId ?? null);
      breaches.push(...details.map((detail) => ({ invariant: invariant.name, detail })));
    }
    return { checked: INVARIANTS.length, breaches };
  });
}

/**
 * Settings for ordinary plans: each query is planned for its parameters, and sequential scans are allowed. The
 * connection may be of a pool with other settings (`steadyPlans`).
 */
const ORDINARY_PLANS = `
  set local plan_cache_mode = force_custom_plan;
  set local enable_seqscan = on;
  set local enable_bitmapscan = on`;

async function breaksOf(
  connection: Connection,
  { query, find }: Invariant,
  organizationId: OrganizationId | null,
): Promise<string[]> {
  if (find !== undefined) return (await find(connection, organizationId)).slice(0, MAX_BREACHES);
  // A materialized query is planned to find all its rows. This plan is appropriate, because a query without violations
  // runs to its end. A plan for the first rows would search row by row, which takes a hundred times as long. Execution
  // still stops at the limit.
  const { rows } = await connection.query<{ detail: string }>(
    `with breach as materialized (${query}) select detail from breach limit ${MAX_BREACHES}`,
    [organizationId],
  );
  return rows.map(({ detail }) => detail);
}
