import { faultAt, type Problem, problem } from '#core/contract/problem.ts';
import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import type { Statement, StatementLine } from '../domain/ledger.ts';
import type { Database } from '#platform/postgres/database.ts';
import { mapSlices } from '#platform/postgres/lists/slices.ts';
import {
  MAX_STATEMENT_ENTRIES,
  openStatements,
  type StatementEntry,
  type StatementRequest,
  type Statements,
} from '../store/read/statements.ts';
import type { CsvRecord } from '#platform/http/csv.ts';
import { type Answer, answerOutcome } from '#platform/http/handler.ts';
import { answerLongCsv, answerLongJson } from '#platform/http/streams.ts';

export type Line = StatementLine<StatementEntry>;

export type StatementCall = {
  readonly organizationId: OrganizationId;
  readonly collaboratorId: CollaboratorId;
  readonly query: {
    readonly from?: Date | undefined;
    readonly to?: Date | undefined;
    readonly currency?: string | undefined;
  };
};

/**
 * Streams the statements of a collaborator as JSON: the fields of `head`, the period, and the statement of each
 * currency, with its lines as `showLine` returns them. Returns a problem if the collaborator is unknown, or if there
 * are more than MAX_STATEMENT_ENTRIES ledger entries.
 */
export function answerStatements(
  database: Database,
  call: StatementCall,
  head: object,
  showLine: (line: Line) => object,
): Promise<Answer | Problem> {
  const { from, to } = requestOf(call);
  return answerOpened(database, call, ({ statements, linesOf, close }) => {
    const currencies = statements.map((statement) => ({
      ...statement,
      entries: mapSlices(linesOf(statement), showLine),
    }));
    return answerLongJson({ ...head, from, to, currencies }, close);
  });
}

export type StatementFile = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly record: (line: Line) => CsvRecord;
  /** Returns the CSV record with the opening balance or the closing balance. */
  readonly frame: (kind: 'opening' | 'closing', statement: Statement) => CsvRecord;
};

/**
 * Streams the statements of a collaborator as a CSV file for spreadsheets. Returns the same problems as
 * `answerStatements`.
 */
export function answerStatementFile(
  database: Database,
  call: StatementCall,
  { name, columns, record, frame }: StatementFile,
): Promise<Answer | Problem> {
  return answerOpened(database, call, (opened) => answerLongCsv(name, columns, records(opened), opened.close));

  async function* records({ statements, linesOf }: Statements): AsyncGenerator<readonly CsvRecord[]> {
    for (const statement of statements) {
      yield [frame('opening', statement)];
      yield* mapSlices(linesOf(statement), record);
      yield [frame('closing', statement)];
    }
  }
}

async function answerOpened(
  database: Database,
  call: StatementCall,
  show: (statements: Statements) => Answer,
): Promise<Answer | Problem> {
  const opened = await openStatements(
    { connection: database, organizationId: call.organizationId },
    call.collaboratorId,
    requestOf(call),
  );
  return answerOutcome(opened, {
    opened: show,
    'no-collaborator': problem('not-found'),
    'too-long': () => {
      const detail = `There are more than ${MAX_STATEMENT_ENTRIES} ledger entries. Request a shorter period.`;
      return faultAt('/to', 'too-many', detail);
    },
  });
}

function requestOf({ query: { from, to, currency } }: StatementCall): StatementRequest {
  return { from: from ?? null, to: to ?? null, currency: currency ?? null };
}
