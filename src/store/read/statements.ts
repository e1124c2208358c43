import { effectOf, type LedgerEntry, type Moved, type Statement, statementOf } from '#domain/ledger.ts';
import type { CollaboratorId, ConversionId, OrganizationId, TransactionId } from '#domain/ids.ts';
import { type Connection, type Database, inSnapshot } from '../database.ts';
import { ENTRY_COLUMNS, type EntryRow, readEntry } from '../seals.ts';
import { readMoved } from './balances.ts';

/** An entry with the sale that it is about; of a payout's payment there is none. */
export type StatementEntry = LedgerEntry & {
  readonly conversionId: ConversionId | null;
  readonly transactionId: TransactionId | null;
  readonly source: string | null;
  readonly externalId: string | null;
};

/** From (inclusive) and to (exclusive), null without an end; null for every currency. */
export type StatementRequest = {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly currency: string | null;
};

export type FoundStatements =
  | { readonly kind: 'found'; readonly statements: readonly Statement<StatementEntry>[] }
  | { readonly kind: 'no-collaborator' }
  | { readonly kind: 'too-long' };

/** Entries of one statement at most, of all currencies together: it is made in one piece, in memory. */
export const MAX_STATEMENT_ENTRIES = 20_000;

/** Nothing is before it. */
const BEGINNING = new Date(0);

/**
 * The statements of a collaborator, one for each currency, by currency: where the balance stood, and every entry of the
 * span in the order of its time. All is read from one snapshot, so that opening and entries belong together.
 */
export function readStatements(
  database: Database,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  { from, to, currency }: StatementRequest,
): Promise<FoundStatements> {
  return inSnapshot(database, async (connection) => {
    const before = await readMoved(connection, organizationId, collaboratorId, from ?? BEGINNING);
    if (before === undefined) return { kind: 'no-collaborator' };
    const entries = await readEntries(connection, [organizationId, collaboratorId, from, to, currency]);
    if (entries.length > MAX_STATEMENT_ENTRIES) return { kind: 'too-long' };
    return { kind: 'found', statements: statementsOf(before, entries, currency) };
  });
}

function statementsOf(
  before: readonly Moved[],
  entries: readonly StatementEntry[],
  currency: string | null,
): Statement<StatementEntry>[] {
  const all = new Set([...before, ...entries].map((each) => each.currency));
  const shown = currency === null ? [...all].sort() : [currency];
  const opening = Map.groupBy(before, (moved) => moved.currency);
  const lines = Map.groupBy(entries, (entry) => entry.currency);
  return shown.map((each) => statementOf(each, effectOf(opening.get(each) ?? []), lines.get(each) ?? []));
}

type StatementRow = EntryRow & Pick<StatementEntry, 'conversionId' | 'transactionId' | 'source' | 'externalId'>;

async function readEntries(connection: Connection, values: readonly unknown[]): Promise<StatementEntry[]> {
  const { rows } = await connection.query<StatementRow>(
    `select e.*, c.id as "conversionId", t.id as "transactionId", t.source, t.external_id as "externalId"
     from (
       select organization_id, ${ENTRY_COLUMNS} from ledger_entries
       where organization_id = $1 and collaborator_id = $2 and ($3::timestamptz is null or occurred_at >= $3)
         and ($4::timestamptz is null or occurred_at < $4) and ($5::text is null or currency = $5)
       order by ledger_entries.occurred_at, id limit ${MAX_STATEMENT_ENTRIES + 1}
     ) e
     left join obligations o on o.organization_id = e.organization_id and o.id = e.obligation_id
     left join conversions c on c.organization_id = e.organization_id and c.id = o.conversion_id
     left join transactions t on t.organization_id = e.organization_id and t.id = c.transaction_id
     order by e.occurred_at, e.id`,
    [...values],
  );
  return rows.map((row) => ({
    ...readEntry(row),
    conversionId: row.conversionId,
    transactionId: row.transactionId,
    source: row.source,
    externalId: row.externalId,
  }));
}
