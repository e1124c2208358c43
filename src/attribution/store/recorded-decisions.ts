import type { OrganizationId, TransactionId } from '#core/ids.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { RecordedDecision } from '../domain/corrected-awards.ts';
import {
  AWARDED,
  type DecidedSale,
  decisionValues,
  EXPLAINED,
  readCandidates,
  type StoredCandidate,
} from './decisions.ts';

export type DecidedTransactions = {
  readonly organizationId: OrganizationId;
  readonly transactionIds: readonly TransactionId[];
};

/** A difference between a recorded decision and the result of deciding again. */
export type Difference = {
  readonly organizationId: OrganizationId;
  readonly transactionId: TransactionId;
  readonly detail: string;
};

/**
 * Returns the next decided transactions of one organization, sorted by id, up to `limit`. Returns undefined if there
 * are no more. Skips decisions made before the decision sequence existed.
 */
export async function findNextDecided(
  connection: Queryable,
  after: { readonly organizationId: OrganizationId; readonly transactionId: TransactionId },
  limit: number,
): Promise<DecidedTransactions | undefined> {
  const { rows } = await connection.query<{ organization_id: OrganizationId; transaction_id: TransactionId }>(
    `select organization_id, transaction_id from explanations
     where (organization_id, transaction_id) > ($1, $2) and decided_seq > 0 order by organization_id, transaction_id limit $3`,
    [after.organizationId, after.transactionId, limit],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const transactionIds = rows
    .filter((row) => row.organization_id === first.organization_id)
    .map((row) => row.transaction_id);
  return { organizationId: first.organization_id, transactionIds };
}

/** Loads the recorded decisions of transactions, without the program versions of their candidates. */
export async function loadRecordedDecisions(
  { connection, organizationId }: Tenant,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, Omit<RecordedDecision, 'programs'>>> {
  const { rows } = await connection.query<
    Omit<RecordedDecision, 'programs' | 'candidates'> & {
      readonly id: TransactionId;
      readonly candidates: readonly StoredCandidate[];
    }
  >(
    `select t.id, t.type as kind, t.currency, x.in_payable_units as "inPayableUnits", x.candidates
     from explanations x join transactions t on t.organization_id = $1 and t.id = x.transaction_id
     where x.organization_id = $1 and x.transaction_id = any ($2::bigint[])`,
    [organizationId, transactionIds],
  );
  return new Map(rows.map(({ id, candidates, ...row }) => [id, { ...row, candidates: readCandidates(candidates) }]));
}

/**
 * Returns the differences between the recorded decisions and the results of deciding again, in the explanation and in
 * each award.
 */
export async function findDifferences(
  { connection, organizationId }: Tenant,
  again: readonly DecidedSale[],
): Promise<Difference[]> {
  const { rows } = await connection.query<{ transaction_id: TransactionId; detail: string }>(
    `with explained as (
       select * from ${EXPLAINED}
     ), again as (
       select transaction_id, type, program_id, program_version, collaborator_id, engagement_id, amount, currency, weight,
         by_quantity, string_to_array(hold_reasons, ' ') as hold_reasons, by_coupon
       from ${AWARDED}
     ), recorded as (
       select transaction_id, type, program_id, program_version, collaborator_id, engagement_id, awarded::bigint, currency,
         weight, by_quantity, hold_reasons, by_coupon
       from conversions
       where organization_id = $1 and transaction_id = any ($21::bigint[]) and type <> 'manual'
     )
     select a.transaction_id, format('the explanation was %s of %s, %s, %s; it is %s of %s, %s, %s', x.base, x.currency,
       coalesce(x.reason, 'no reason'), x.candidates, a.base, a.currency, coalesce(a.reason, 'no reason'), a.candidates) as detail
     from explained a
     join explanations x on x.organization_id = $1 and x.transaction_id = a.transaction_id
     where (x.base::bigint, x.currency, x.reason, x.candidates, x.omitted)
       is distinct from (a.base, a.currency, a.reason, a.candidates, a.omitted)
     union all
     select transaction_id, format('only the record has the award %s', d)
     from (select * from recorded except select * from again) d
     union all
     select transaction_id, format('only the new decision has the award %s', d)
     from (select * from again except select * from recorded) d`,
    decisionValues(organizationId, again),
  );
  return rows.map((row) => ({ organizationId, transactionId: row.transaction_id, detail: row.detail }));
}
