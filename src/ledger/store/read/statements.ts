import type { CollaboratorId, ConversionId, TransactionId } from '#core/ids.ts';
import {
  effectOf,
  type KindMoved,
  type LedgerEntry,
  type Moved,
  type Statement,
  statementLines,
  type StatementLine,
  statementOf,
} from '../../domain/ledger.ts';
import type { Minor } from '#core/money.ts';
import { type Connection, type Database, openSnapshot } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { ENTRY_COLUMNS, type EntryRow, readEntry } from '../chain.ts';
import { readSlices } from '#platform/postgres/lists/slices.ts';
import { readMoved } from './balances.ts';

/** A ledger entry with its sale. Ledger entries for the payment of a payout have no sale. */
export type StatementEntry = LedgerEntry & {
  readonly conversionId: ConversionId | null;
  readonly transactionId: TransactionId | null;
  readonly source: string | null;
  readonly externalId: string | null;
};

/**
 * The requested period: `from` (inclusive) and `to` (exclusive), each null without a limit. A null `currency` means all
 * currencies.
 */
export type StatementRequest = {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly currency: string | null;
};

export type OpenedStatements =
  ({ readonly kind: 'opened' } & Statements) | { readonly kind: 'no-collaborator' } | { readonly kind: 'too-long' };

/**
 * The statements, one for each currency, sorted by currency. All are read from one snapshot, so they are consistent.
 */
export type Statements = {
  readonly statements: readonly Statement[];
  /** Returns the lines of one statement in slices, sorted by time. Read one statement at a time. */
  readonly linesOf: (statement: Statement) => AsyncGenerator<StatementLine<StatementEntry>[]>;
  readonly close: () => Promise<void>;
};

/** The maximum number of ledger entries in a statement, for all currencies together. */
export const MAX_STATEMENT_ENTRIES = 20_000;

const BEGINNING = new Date(0);

/**
 * Opens the statements of a collaborator. The caller must close them. Returns `no-collaborator` if the collaborator
 * doesn't exist, and `too-long` if there are more than MAX_STATEMENT_ENTRIES ledger entries.
 */
export async function openStatements(
  { connection: database, organizationId }: Tenant<Database>,
  collaboratorId: CollaboratorId,
  { from, to, currency }: StatementRequest,
): Promise<OpenedStatements> {
  const { connection, close } = await openSnapshot(database);
  try {
    const before = await readMoved({ connection, organizationId }, collaboratorId, from ?? BEGINNING);
    const span = [organizationId, collaboratorId, from, to, currency];
    const moved = before && (await readSpan(connection, span));
    if (moved === undefined || moved === 'too-long') {
      await close();
      return { kind: moved ?? 'no-collaborator' };
    }
    return {
      kind: 'opened',
      statements: statementsOf(before ?? [], moved, currency),
      linesOf: (statement) => readLines(connection, [...span.slice(0, 4), statement.currency], statement.opening),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function statementsOf(
  before: readonly Moved[],
  moved: readonly KindMoved[],
  currency: string | null,
): readonly Statement[] {
  const all = new Set([...before, ...moved].map((each) => each.currency));
  const shown = currency === null ? [...all].sort() : [currency];
  const opening = Map.groupBy(before, (each) => each.currency);
  const within = Map.groupBy(moved, (each) => each.currency);
  return shown.map((each) => statementOf(each, effectOf(opening.get(each) ?? []), within.get(each) ?? []));
}

/** SQL condition for the ledger entries of a statement. Uses the index `ledger_entries_collaborator`. */
const SPAN = `organization_id = $1 and collaborator_id = $2 and ($3::timestamptz is null or occurred_at >= $3)
  and ($4::timestamptz is null or occurred_at < $4) and ($5::text is null or currency = $5)`;

type SpanRow = Omit<KindMoved, 'amount'> & { readonly amount: string };

/** Returns the sums of a period's ledger entries by kind and account. Returns `too-long` if there are too many. */
async function readSpan(connection: Connection, span: readonly unknown[]): Promise<KindMoved[] | 'too-long'> {
  const { rows } = await connection.query<SpanRow>(
    `select currency, kind, debit, credit, sum(amount)::text as amount, count(*) as entries
     from (
       select currency, kind, debit, credit, amount from ledger_entries
       where ${SPAN} order by occurred_at, id limit ${MAX_STATEMENT_ENTRIES + 1}
     ) e
     group by 1, 2, 3, 4`,
    [...span],
  );
  const entries = rows.reduce((sum, row) => sum + row.entries, 0);
  if (entries > MAX_STATEMENT_ENTRIES) return 'too-long';
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) as Minor }));
}

type StatementRow = EntryRow & Pick<StatementEntry, 'conversionId' | 'transactionId' | 'source' | 'externalId'>;

async function* readLines(
  connection: Connection,
  span: readonly unknown[],
  opening: Minor,
): AsyncGenerator<StatementLine<StatementEntry>[]> {
  const slices = readSlices<StatementRow>(
    connection,
    `select e.*, c.id as "conversionId", t.id as "transactionId", t.source, t.external_id as "externalId"
     from (
       select organization_id, ${ENTRY_COLUMNS} from ledger_entries
       where ${SPAN} order by ledger_entries.occurred_at, id limit ${MAX_STATEMENT_ENTRIES}
     ) e
     left join obligations o on o.organization_id = e.organization_id and o.id = e.obligation_id
     left join conversions c on c.organization_id = e.organization_id and c.id = o.conversion_id
     left join transactions t on t.organization_id = e.organization_id and t.id = c.transaction_id
     order by e.occurred_at, e.id`,
    span,
  );
  let before = opening;
  for await (const rows of slices) {
    const lines = statementLines(before, rows.map(entryOf));
    before = lines.at(-1)?.balance ?? before;
    yield lines;
  }
}

function entryOf(row: StatementRow): StatementEntry {
  const { conversionId, transactionId, source, externalId } = row;
  return { ...readEntry(row), conversionId, transactionId, source, externalId };
}
