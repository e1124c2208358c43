import type { OpportunityId } from '#core/ids.ts';
import { type KeptReport, repeatOf, type ReportKey } from '#core/report-key.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findKeptReports } from '../store/visit-keys.ts';
import type { WaitingReport } from './report-rounds.ts';

export type Keyed = {
  /** The Idempotency-Key that identifies repeats of the report. Null if the report has none. */
  readonly key: ReportKey | null;
};
export type Recorded = { readonly kind: 'recorded'; readonly opportunityId: OpportunityId };
/** The outcome of a report whose Idempotency-Key was used for another request. */
export type OtherRequest = { readonly kind: 'other-request' };

/**
 * The result of a statement or transaction for some reports: either all written reports, or the keys that were already
 * used.
 */
export type Written = {
  /** The opportunity of each written report, by the report's index. */
  readonly placed: ReadonlyMap<number, OpportunityId>;
  readonly kept: ReadonlyMap<string, KeptReport>;
};

type Outcomes = (object | undefined)[];

/**
 * Records reports with `write`, at most once for each Idempotency-Key, and puts the known outcomes into `outcomes`. If
 * several reports have the same key, `write` gets only the first report. If keys were already used, `write` writes
 * nothing and returns the used keys. `write` is then called again without the reports that have these keys. Reports
 * without an outcome need another round.
 */
export async function recordOnce<Report extends WaitingReport<Keyed>>(
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
    open = answerRepeats(open, known, outcomes);
    if (kept.size === 0) return;
  }
}

/**
 * Sets the outcomes of repeats, and returns the other reports. Use it for reports that write nothing, because such
 * reports are not passed to `recordOnce`.
 */
export async function answerStoredRepeats<Report extends WaitingReport<Keyed>>(
  tenant: Tenant<Database>,
  reports: readonly Report[],
  outcomes: Outcomes,
): Promise<readonly Report[]> {
  const keys = reports.flatMap(({ report }) => report.key?.key ?? []);
  return answerRepeats(reports, await findKeptReports(tenant, keys), outcomes);
}

function firstOfEachKey<Report extends WaitingReport<Keyed>>(reports: readonly Report[]): Report[] {
  const seen = new Set<string>();
  return reports.filter(({ report: { key } }) => {
    if (key === null) return true;
    const isFirst = !seen.has(key.key);
    seen.add(key.key);
    return isFirst;
  });
}

/** Sets the outcomes of repeats, and returns the reports that have no outcome yet. */
function answerRepeats<Report extends WaitingReport<Keyed>>(
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
