import type { Explanation } from '#domain/explanation.ts';
import type { ConversionId, OrganizationId, TransactionId } from '#domain/ids.ts';
import type { Instant } from '#domain/instant.ts';
import type { Minor } from '#domain/money.ts';
import type { ProgramVersion } from '#domain/program.ts';
import type { Queryable } from '../database.ts';
import { readCandidates, type StoredCandidate } from '../decisions.ts';
import { findProgramVersions } from '../program-versions.ts';

/** A decision with the versions of the programs that its candidates name. */
export type FoundExplanation =
  | { readonly kind: 'found'; readonly explanation: Explanation; readonly programs: readonly ProgramVersion[] }
  /** The transaction exists; the pipeline has not been there. */
  | { readonly kind: 'not-decided' }
  | { readonly kind: 'no-transaction' };

export async function readExplanation(
  connection: Queryable,
  organizationId: OrganizationId,
  transactionId: TransactionId,
): Promise<FoundExplanation> {
  const { rows } = await connection.query<Row>(
    `select t.id as transaction_id, (extract(epoch from x.decided_at) * 1000000)::bigint as decided_at, x.base,
       x.currency, x.reason, x.candidates, x.omitted
     from transactions t
     left join explanations x on x.organization_id = t.organization_id and x.transaction_id = t.id
     where t.organization_id = $1 and t.id = $2`,
    [organizationId, transactionId],
  );
  const row = rows[0];
  if (row === undefined) return { kind: 'no-transaction' };
  if (row.decided_at === null) return { kind: 'not-decided' };
  const explanation = explanationOf(row);
  return { kind: 'found', explanation, programs: await programsOf(connection, organizationId, explanation) };
}

/** The sale of a conversion, or undefined. */
export async function findTransactionOf(
  connection: Queryable,
  organizationId: OrganizationId,
  conversionId: ConversionId,
): Promise<TransactionId | undefined> {
  const { rows } = await connection.query<{ transaction_id: TransactionId }>(
    'select transaction_id from conversions where organization_id = $1 and id = $2',
    [organizationId, conversionId],
  );
  return rows[0]?.transaction_id;
}

type Row = {
  transaction_id: TransactionId;
  decided_at: Instant | null;
  base: number;
  currency: string;
  reason: Explanation['reason'];
  candidates: StoredCandidate[];
  omitted: number;
};

function explanationOf(row: Row): Explanation {
  return {
    transactionId: row.transaction_id,
    decidedAt: row.decided_at as Instant,
    base: BigInt(row.base) as Minor,
    currency: row.currency,
    reason: row.reason,
    candidates: readCandidates(row.candidates),
    omitted: row.omitted,
  };
}

async function programsOf(
  connection: Queryable,
  organizationId: OrganizationId,
  { candidates }: Explanation,
): Promise<ProgramVersion[]> {
  const named = new Map(
    candidates.flatMap(({ programId, programVersion }) =>
      programId === undefined || programVersion === undefined
        ? []
        : [[`${programId}/${programVersion}`, { programId, version: programVersion }]],
    ),
  );
  return named.size === 0 ? [] : findProgramVersions(connection, organizationId, [...named.values()]);
}
