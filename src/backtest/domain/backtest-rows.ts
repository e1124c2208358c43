import { formatMajor, type Minor } from '#core/money.ts';
import type { StoredDraftResult } from './stored-result.ts';

/** The columns of the file with the results of a backtest. */
export const BACKTEST_COLUMNS = [
  'draft',
  'table',
  'id',
  'name',
  'currency',
  'revenue',
  'recorded',
  'drafted',
  'difference',
  'recordedExplanation',
  'draftedExplanation',
] as const;

type Cell = string | number | null;

type Row = {
  readonly table: string;
  readonly id: Cell;
  readonly name: string | null;
  readonly revenue?: number;
  readonly texts?: readonly [string, string];
  readonly of: { readonly currency: string; readonly recorded: number; readonly drafted: number };
};

/**
 * Returns the rows of a draft's result for a file, with amounts in major units. `nameOf` returns the name of a
 * collaborator.
 */
export function backtestRows(
  draft: string,
  result: StoredDraftResult,
  nameOf: (collaboratorId: number) => string,
): Cell[][] {
  const names = (ids: readonly number[]): string => ids.map(nameOf).join(', ');
  const rows: Row[] = [
    ...result.totals.map((of) => ({ table: 'total', id: null, name: null, revenue: of.revenue, of })),
    ...result.partners.map((of) => ({
      table: 'collaborator',
      id: of.collaboratorId,
      name: nameOf(of.collaboratorId),
      of,
    })),
    ...result.months.map((of) => ({ table: 'month', id: of.month, name: null, revenue: of.revenue, of })),
    ...result.lines.map((of) => ({ table: 'line', id: of.type, name: of.name, of })),
    ...result.hands.map((of) => ({
      table: 'changed-hands',
      id: of.transactionId,
      name: of.externalId,
      texts: [names(of.recordedEarners), names(of.draftedEarners)] as const,
      of,
    })),
    ...result.differing.map((of) => ({
      table: 'difference',
      id: of.transactionId,
      name: of.externalId,
      texts: [of.recordedText, of.draftedText] as const,
      of,
    })),
  ];
  return rows.map(({ table, id, name, revenue, texts = [null, null], of: { currency, recorded, drafted } }) => [
    draft,
    table,
    id,
    name,
    currency,
    revenue === undefined ? null : major(revenue),
    major(recorded),
    major(drafted),
    major(drafted - recorded),
    ...texts,
  ]);
}

function major(amount: number): string {
  return formatMajor(BigInt(amount) as Minor);
}
