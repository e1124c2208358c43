import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { ProgramTerms } from '#programs/domain/program.ts';

/** One set of changed programs. A draft without programs has the terms that were in force. */
export type Draft = { readonly name: string; readonly programs: readonly DraftedProgram[] };

/** A program with the terms of a draft, which apply to all touches and to the transactions of the period. */
export type DraftedProgram = {
  /** The existing program that the draft replaces. Null for a program that doesn't exist yet. */
  readonly programId: ProgramId | null;
  readonly terms: ProgramTerms & { readonly name: string; readonly description: string | null };
  /** The enrolled collaborators. Null means the enrollments as they were recorded. */
  readonly enrolled: readonly CollaboratorId[] | null;
};

/** The span in which the transactions of a backtest occurred. `until` is exclusive. */
export type BacktestPeriod = { readonly from: Instant; readonly until: Instant };

/** The maximum number of transactions that occurred in the period of a backtest. */
export const MAX_BACKTESTED = 200_000;

/**
 * The maximum number of transactions outside the period that a backtest copies, because decisions in the period depend
 * on them.
 */
export const MAX_DEPENDENCIES = 500_000;

/**
 * The time in milliseconds after which a backtest fails before its next statement if it still has a snapshot of the
 * database. During the snapshot, the database can't remove dead rows of any organization.
 */
export const MAX_SNAPSHOT_MS = 60_000;
