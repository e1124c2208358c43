import { type Candidate, MAX_LISTED_CANDIDATES } from '#domain/explanation.ts';
import type { EventId, OpportunityId, OrganizationId, TransactionId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { SaleDecision } from '#domain/sale-decision.ts';
import type { Connection } from './database.ts';

export type DecidedSale = {
  readonly transactionId: TransactionId;
  readonly opportunityId: OpportunityId;
  readonly eventId: EventId;
  readonly currency: string;
  readonly decision: SaleDecision;
};

/** A candidate as explanations.candidates keeps it: amounts and instants (microseconds) as JSON integers. */
export type StoredCandidate = Omit<Candidate, Amounts> & { readonly [Amount in Amounts]?: number };
type Amounts = 'base' | 'reward' | 'share';

/** Writes the decisions of a batch: conversions with their obligations, and every sale's explanation. */
export async function saveDecisions(
  connection: Connection,
  organizationId: OrganizationId,
  sales: readonly DecidedSale[],
): Promise<void> {
  const awards = sales.flatMap(({ transactionId, opportunityId, currency, decision }) =>
    decision.awards.map((award) => ({ ...award, transactionId, opportunityId, currency })),
  );
  await connection.query({
    name: 'save-decisions',
    text: SAVE_DECISIONS,
    values: [
      organizationId,
      sales.map((sale) => sale.transactionId),
      sales.map((sale) => sale.eventId),
      sales.map((sale) => sale.decision.base),
      sales.map((sale) => sale.currency),
      sales.map((sale) => sale.decision.reason),
      sales.map((sale) => storeCandidates(sale.decision.candidates.slice(0, MAX_LISTED_CANDIDATES))),
      sales.map((sale) => Math.max(0, sale.decision.candidates.length - MAX_LISTED_CANDIDATES)),
      awards.map((award) => award.transactionId),
      awards.map((award) => award.opportunityId),
      awards.map((award) => award.programId),
      awards.map((award) => award.programVersion),
      awards.map((award) => award.collaboratorId),
      awards.map((award) => award.engagementId),
      awards.map((award) => award.amount),
      awards.map((award) => award.currency),
      awards.map((award) => award.status),
      awards.map((award) => award.reason),
      awards.map((award) => award.approveAt),
    ],
  });
}

const SAVE_DECISIONS = `
with explained as (
  insert into explanations
    (organization_id, transaction_id, event_id, decided_at, base, currency, reason, candidates, omitted)
  select $1, transaction_id, event_id, now(), base, currency, reason, candidates, omitted
  from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::jsonb[], $8::int[])
    as x (transaction_id, event_id, base, currency, reason, candidates, omitted)
), converted as (
  insert into conversions
    (organization_id, transaction_id, opportunity_id, program_id, program_version, collaborator_id, engagement_id,
     awarded, amount, currency, status, reason, approve_at, created_at, updated_at)
  select $1, transaction_id, opportunity_id, program_id, program_version, collaborator_id, engagement_id,
    amount, amount, currency, status, reason, to_timestamp(0) + approve_at * interval '1 microsecond', now(), now()
  from unnest($9::bigint[], $10::bigint[], $11::bigint[], $12::int[], $13::bigint[], $14::bigint[], $15::bigint[],
      $16::text[], $17::text[], $18::text[], $19::bigint[])
    as a (transaction_id, opportunity_id, program_id, program_version, collaborator_id, engagement_id, amount,
      currency, status, reason, approve_at)
  returning id, collaborator_id, amount, currency, status
)
insert into obligations
  (organization_id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
select $1, id, collaborator_id, amount, currency,
  case status when 'approved' then 'pending' when 'pending' then 'draft' else 'rejected' end, now(), now()
from converted`;

/** Rejects all that transactions (locked) have earned: conversions, and obligations that are in no payout. */
export async function rejectConversions(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
  reason: string,
): Promise<void> {
  await connection.query({
    name: 'reject-conversions',
    text: `
      with rejected as (
        update conversions set status = 'rejected', reason = $3, updated_at = now()
        where organization_id = $1 and transaction_id = any ($2::bigint[]) and status <> 'rejected'
        returning id
      )
      update obligations set status = 'rejected', updated_at = now()
      where organization_id = $1 and conversion_id = any (array(select id from rejected)) and amount >= 0
        and status in ('draft', 'pending')`,
    values: [organizationId, transactionIds, reason],
  });
}

function storeCandidates(candidates: readonly Candidate[]): string {
  // Amounts fit a double exactly (domain minor), and JSON has no bigint.
  return JSON.stringify(candidates, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

/** The inverse of what saveDecisions stores. */
export function readCandidates(stored: readonly StoredCandidate[]): Candidate[] {
  return stored.map(({ base, reward, share, ...rest }) => ({
    ...rest,
    ...(base === undefined ? {} : { base: BigInt(base) as Minor }),
    ...(reward === undefined ? {} : { reward: BigInt(reward) as Minor }),
    ...(share === undefined ? {} : { share: BigInt(share) as Minor }),
  }));
}
