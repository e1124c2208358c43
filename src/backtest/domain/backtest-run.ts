import type { ProgramId } from '#core/ids.ts';
import type { DraftResult } from './backtest.ts';
import type { Draft } from './draft.ts';

export const BACKTEST_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number];

/** The reasons why a backtest fails. */
export const BACKTEST_FAILURES = [
  'too-many-transactions',
  'copy-took-too-long',
  'result-too-large',
  'interrupted',
] as const;
export type BacktestFailure = (typeof BACKTEST_FAILURES)[number];

/** The maximum number of drafts that a backtest compares. Its duration grows with their number. */
export const MAX_DRAFTS = 5;
/** The maximum length of the period of a backtest, in days. */
export const MAX_BACKTEST_DAYS = 1_096;
/** The maximum number of backtests of an organization that are queued or running. */
export const MAX_UNFINISHED = 3;
/**
 * The maximum number of ended backtests of an organization, together with a new one. Starting a backtest deletes the
 * oldest ended backtests.
 */
export const MAX_ENDED = 20;
/** The maximum number of times that a backtest is run, if its process or connection is lost or an error occurs. */
export const MAX_RUNS = 3;
/** The maximum number of collaborators whom a draft enrolls. */
export const MAX_ENROLLED = 1_000;
/**
 * The maximum size of a result, in characters. Most of its tables have rows for each draft and currency. A response
 * with a larger result would delay other calls.
 */
export const MAX_RESULT_CHARACTERS = 4_000_000;
/** The size of the fields of a row without its texts, in characters. */
const ROW_CHARACTERS = 200;
/** The size of an earner with a long name, in characters. */
const EARNER_CHARACTERS = 300;

/** A draft of one program with its name. The fields are those of a drafted program in the engine. */
export type NamedDraft = Omit<Draft['programs'][number], 'programId'> & { readonly name: string };

/** Returns a draft for the engine. `programId` is null for a program that doesn't exist yet. */
export function draftOf(programId: ProgramId | null, { name, ...program }: NamedDraft): Draft {
  return { name, programs: [{ ...program, programId }] };
}

/** Returns the approximate number of characters of a result, as it is shown. */
export function sizeOf({ totals, partners, months, lines, hands, differing }: DraftResult): number {
  const rows = totals.length + partners.length + months.length + lines.length + hands.length + differing.length;
  return (
    rows * ROW_CHARACTERS +
    sum(partners, ({ name }) => name.length) +
    sum(lines, ({ name }) => name?.length ?? 0) +
    sum(hands, ({ source, externalId, recordedEarners, draftedEarners }) => {
      return source.length + externalId.length + (recordedEarners.length + draftedEarners.length) * EARNER_CHARACTERS;
    }) +
    sum(differing, ({ source, externalId, recordedText, draftedText }) => {
      return source.length + externalId.length + recordedText.length + draftedText.length;
    })
  );
}

function sum<Item>(items: readonly Item[], sizeOfItem: (item: Item) => number): number {
  return items.reduce((size, item) => size + sizeOfItem(item), 0);
}

/** Returns the progress in whole percent. It is below 100 until the result is stored. */
export function progressPercent({ decided, total }: { readonly decided: number; readonly total: number }): number {
  return total === 0 ? 0 : Math.min(99, Math.floor((decided * 100) / total));
}
