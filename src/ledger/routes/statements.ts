import type * as contract from '../contract/statement.ts';
import { formatMicroseconds } from '#core/instant.ts';
import { formatMajor } from '#core/money.ts';
import type { HandlersFor } from '#platform/http/handler.ts';
import { answerStatementFile, answerStatements, type StatementFile } from './statement-answers.ts';

export const statementHandlers: HandlersFor<typeof contract> = {
  getStatement: ({ auth: { organizationId }, tenant, params: { id: collaboratorId }, query }) =>
    answerStatements(tenant.connection, { organizationId, collaboratorId, query }, { collaboratorId }, (line) => ({
      ...line,
      occurredAt: formatMicroseconds(line.occurredAt),
    })),

  downloadStatement: ({ auth: { organizationId }, tenant, params: { id: collaboratorId }, query }) => {
    const file = { ...FILE, name: `statement-${collaboratorId}.csv` };
    return answerStatementFile(tenant.connection, { organizationId, collaboratorId, query }, file);
  },
};

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

const FILE: Omit<StatementFile, 'name'> = {
  columns: COLUMNS,
  record: (line) => [
    formatMicroseconds(line.occurredAt),
    line.id,
    line.kind,
    line.currency,
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
  ],
  frame: (kind, { currency, [kind]: balance }) =>
    COLUMNS.map((column) => {
      if (column === 'kind') return kind;
      if (column === 'currency') return currency;
      return column === 'balance' ? formatMajor(balance) : null;
    }),
};
