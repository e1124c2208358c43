import type { OrganizationId } from '#domain/ids.ts';
import { type Connection, type Database, inSnapshot } from './database.ts';
import { holdVisits } from './retention.ts';
import { CHAIN } from './verify/chain.ts';
import { DECISIONS } from './verify/decisions.ts';
import { FIGURES } from './verify/figures.ts';
import type { Invariant } from './verify/invariant.ts';
import { LEDGER } from './verify/ledger.ts';
import { OWED } from './verify/owed.ts';
import { PEOPLE } from './verify/people.ts';
import { REFERENCES } from './verify/references.ts';
import { REPORTS } from './verify/reports.ts';
import { RUNS } from './verify/runs.ts';
import { VISITS } from './verify/visits.ts';

export type Breach = { readonly invariant: string; readonly detail: string };

/** Rows shown of one broken invariant; the rest is as wrong. */
const MAX_BREACHES = 20;

const INVARIANTS: readonly Invariant[] = [
  ...REPORTS,
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
 * Checks every invariant on one consistent snapshot, read-only, and answers what breaks them: of one organization, or of
 * all. Without an organization id in the text a row could not be found again, so each names its organization first.
 */
export function verify(
  database: Database,
  organizationId?: OrganizationId,
): Promise<{ checked: number; breaches: Breach[] }> {
  return inSnapshot(database, async (connection) => {
    await holdVisits(connection);
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
 * Planned for what it asks, one organization or all, and free to read tables whole: the connection may be the pipeline's,
 * whose plans are made otherwise.
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
  // Apart, so that it is planned for its end, which it comes to as a rule, and not for its first rows: those would be looked
  // for row by row, which takes a hundred times as long. It is read only as far as it is asked.
  const { rows } = await connection.query<{ detail: string }>(
    `with breach as materialized (${query}) select detail from breach limit ${MAX_BREACHES}`,
    [organizationId],
  );
  return rows.map(({ detail }) => detail);
}
