import type { OpportunityId, OrganizationId } from '#domain/ids.ts';
import { type KeptReport, repeatOf, type ReportKey } from '#domain/report-key.ts';
import type { Database } from '#store/database.ts';
import { findKeptReports } from '#store/visit-keys.ts';
import type { Waiting } from './report-rounds.ts';

export type Keyed = {
  /** Its Idempotency-Key, by which it is known again when it is sent twice. */
  readonly key: ReportKey | null;
};
export type Recorded = { readonly kind: 'recorded'; readonly opportunityId: OpportunityId };
/** The key was used for another request. */
export type OtherRequest = { readonly kind: 'other-request' };

/** What a statement, or a transaction, has made of some reports: all that it wrote, or the keys that were used before. */
export type Written = {
  /** By the index of the report. */
  readonly placed: ReadonlyMap<number, OpportunityId>;
  readonly kept: ReadonlyMap<string, KeptReport>;
};

type Outcomes = (object | undefined)[];

/**
 * Has `write` write reports of which those with one key are done once, and puts what is known of each into `outcomes`.
 * Of one key `write` gets the first alone. Where keys were used before it writes nothing and says so, and is asked again
 * without them. What is left without an outcome after this has to wait for another round.
 */
export async function recordOnce<Report extends Waiting<Keyed>>(
  reports: readonly Report[],
  outcomes: Outcomes,
  write: (reports: readonly Report[]) => Promise<Written>,
): Promise<void> {
  let open = reports;
  while (open.length > 0) {
    const { placed, kept } = await write(firstOfEachKey(open));
    const known = new Map(kept);
    for (const { index, report } of open) {
      const opportunityId = placed.get(index);
      if (opportunityId === undefined) continue;
      outcomes[index] = { kind: 'recorded', opportunityId } satisfies Recorded;
      if (report.key !== null) known.set(report.key.key, { request: report.key.request, opportunityId });
    }
    open = tellRepeats(open, known, outcomes);
    if (kept.size === 0) return;
  }
}

/** For reports that `recordOnce` will not see, since there is nothing to write: those that are no repeats. */
export async function withoutRepeats<Report extends Waiting<Keyed>>(
  database: Database,
  organizationId: OrganizationId,
  reports: readonly Report[],
  outcomes: Outcomes,
): Promise<readonly Report[]> {
  const keys = reports.flatMap(({ report }) => report.key?.key ?? []);
  return tellRepeats(reports, await findKeptReports(database, organizationId, keys), outcomes);
}

function firstOfEachKey<Report extends Waiting<Keyed>>(reports: readonly Report[]): Report[] {
  const seen = new Set<string>();
  return reports.filter(({ report: { key } }) => {
    if (key === null) return true;
    const isFirst = !seen.has(key.key);
    seen.add(key.key);
    return isFirst;
  });
}

/** Answers those that have no outcome yet. */
function tellRepeats<Report extends Waiting<Keyed>>(
  reports: readonly Report[],
  kept: ReadonlyMap<string, KeptReport>,
  outcomes: Outcomes,
): Report[] {
  for (const { index, report } of reports) {
    const known = report.key === null ? undefined : kept.get(report.key.key);
    if (report.key !== null && known !== undefined) outcomes[index] ??= repeatOf(report.key, known);
  }
  return reports.filter(({ index }) => outcomes[index] === undefined);
}
