import { invalidRequest, type Problem, problem } from '#contract/problem.ts';
import { formatMicroseconds } from '#domain/instant.ts';
import type { CollaboratorId } from '#domain/ids.ts';
import { formatMajor } from '#domain/money.ts';
import type { Statement } from '#domain/ledger.ts';
import type { Database } from '#store/database.ts';
import {
  type FoundStatements,
  MAX_STATEMENT_ENTRIES,
  readStatements,
  type StatementEntry,
  type StatementRequest,
} from '#store/read/statements.ts';
import { answerCsv } from '../csv.ts';
import { type Answer, answer, type HandlersFor } from '../handler.ts';

export function statementHandlers(database: Database): HandlersFor<'getStatement' | 'downloadStatement'> {
  return {
    getStatement: async ({ auth, params: { id }, query }) => {
      const request = requestOf(query);
      const found = await readStatements(database, auth.organizationId, id, request);
      return answerStatements(found, (statements) =>
        answer(200, { collaboratorId: id, from: request.from, to: request.to, currencies: statements.map(show) }),
      );
    },

    downloadStatement: async ({ auth, params: { id }, query }) => {
      const found = await readStatements(database, auth.organizationId, id, requestOf(query));
      return answerStatements(found, (statements) => answerFile(id, statements));
    },
  };
}

function requestOf({
  from,
  to,
  currency,
}: {
  from?: Date | undefined;
  to?: Date | undefined;
  currency?: string | undefined;
}): StatementRequest {
  return { from: from ?? null, to: to ?? null, currency: currency ?? null };
}

function answerStatements(
  found: FoundStatements,
  show: (statements: readonly Statement<StatementEntry>[]) => Answer,
): Answer | Problem {
  switch (found.kind) {
    case 'found':
      return show(found.statements);
    case 'no-collaborator':
      return problem('not-found');
    case 'too-long': {
      const detail = `There are more than ${MAX_STATEMENT_ENTRIES} entries: ask for a shorter span.`;
      return invalidRequest([{ pointer: '/to', code: 'too-many', detail }]);
    }
    default:
      return found satisfies never;
  }
}

function show({ lines, ...statement }: Statement<StatementEntry>): object {
  return {
    ...statement,
    entries: lines.map((line) => ({ ...line, occurredAt: formatMicroseconds(line.occurredAt) })),
  };
}

const COLUMNS = [
  'time',
  'entry',
  'kind',
  'currency',
  'amount',
  'from account',
  'to account',
  'effect',
  'balance',
  'source',
  'order',
  'transaction',
  'conversion',
  'obligation',
  'payout',
];

function answerFile(id: CollaboratorId, statements: readonly Statement<StatementEntry>[]): Answer {
  const rows = statements.flatMap(({ currency, opening, closing, lines }) => [
    frame('opening', currency, formatMajor(opening)),
    ...lines.map((line) => [
      formatMicroseconds(line.occurredAt),
      line.id,
      line.kind,
      currency,
      formatMajor(line.amount),
      line.debit,
      line.credit,
      formatMajor(line.effect),
      formatMajor(line.balance),
      line.source,
      line.externalId,
      line.transactionId,
      line.conversionId,
      line.obligationId,
      line.payoutId,
    ]),
    frame('closing', currency, formatMajor(closing)),
  ]);
  return answerCsv(`statement-${id}.csv`, COLUMNS, rows);
}

/** A line that is no entry: where the balance stands before them, and after. */
function frame(kind: 'opening' | 'closing', currency: string, balance: string): (string | null)[] {
  return COLUMNS.map((column) =>
    column === 'kind' ? kind : column === 'currency' ? currency : column === 'balance' ? balance : null,
  );
}
