import { type ExplainedCandidate, limitHold, MAX_LISTED_CANDIDATES } from '../domain/explanation.ts';
import type { ConversionId, EventId, OpportunityId, OrganizationId, Seq, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { PayableKind } from '#programs/domain/program.ts';
import type { Award, SaleDecision } from '../domain/sale-decision.ts';
import type { Connection } from '#platform/postgres/database.ts';
import { parameterColumns } from '#platform/postgres/parameter-columns.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type DecidedSale = {
  readonly transactionId: TransactionId;
  readonly opportunityId: OpportunityId | null;
  readonly eventId: EventId;
  readonly kind: PayableKind;
  readonly currency: string;
  readonly seq: Seq;
  readonly decision: SaleDecision;
};

export type Credit = {
  readonly transactionId: TransactionId;
  readonly opportunityId: OpportunityId | null;
  readonly seq: Seq;
  readonly award: Award;
  readonly author: string;
  readonly note: string | null;
};

/** A candidate as `explanations.candidates` stores it: amounts and instants (microseconds) as JSON integers. */
export type StoredCandidate = Omit<ExplainedCandidate, Amounts | 'earnedForTier'> & {
  readonly [Amount in Amounts]?: number;
} & { readonly earnedForTier?: { readonly sum: number; readonly count: number } };
type Amounts = 'base' | 'reward' | 'uncapped' | 'share' | 'cut' | 'earnedForCap' | 'tierFrom';

/** Writes the decisions of a batch: conversions with their obligations, and an explanation for each sale. */
export async function saveDecisions(
  { connection, organizationId }: Tenant<Connection>,
  sales: readonly DecidedSale[],
): Promise<void> {
  await connection.query({
    name: 'save-decisions',
    text: `
      with explained as (
        insert into explanations
          (organization_id, transaction_id, event_id, decided_at, decided_seq, as_of_event, in_payable_units, base, currency, reason,
           candidates, omitted)
        select $1, transaction_id, event_id, now(), seq, true, true, base, currency, reason, candidates, omitted
        from ${EXPLAINED}
      ), ${CONVERTED}
      ${OWED}`,
    values: decisionValues(organizationId, sales),
  });
}

/** Writes a conversion of type `manual` with its obligation and its calculation. Returns the id of the conversion. */
export async function saveCredit(
  { connection, organizationId }: Tenant<Connection>,
  credit: Credit,
  explained: ExplainedCandidate | null,
): Promise<ConversionId> {
  const { rows } = await connection.query<{ id: ConversionId }>(
    `with ${CONVERTED} ${OWED} returning conversion_id as id`,
    awardValues(organizationId, [{ ...credit, type: 'manual', eventId: credit.seq as number as EventId }]),
  );
  const { id } = rows[0] as { id: ConversionId };
  if (explained !== null) {
    await connection.query('update conversions set explained = $3 where organization_id = $1 and id = $2', [
      organizationId,
      id,
      storeCandidates([explained]),
    ]);
  }
  return id;
}

/** Returns the parameters for statements that write or compare decisions with `AWARDED` and `EXPLAINED`. */
export function decisionValues(organizationId: OrganizationId, sales: readonly DecidedSale[]): unknown[] {
  const awarded = sales.flatMap(({ decision, kind, ...sale }) =>
    decision.awards.map((award) => ({ ...sale, award, type: kind, author: null, note: null })),
  );
  return [...awardValues(organizationId, awarded), ...EXPLANATION.arraysOf(sales)];
}

type Awarded = Omit<Credit, 'author'> & {
  /** The event of the report or manual credit that the award is for. */
  readonly eventId: EventId;
  readonly type: DecidedSale['kind'] | 'manual';
  readonly author: string | null;
};

function awardValues(organizationId: OrganizationId, awarded: readonly Awarded[]): unknown[] {
  return [organizationId, ...AWARD.arraysOf(awarded)];
}

/** The parameters of awards. They follow $1, the organization. */
const AWARD = parameterColumns<Awarded>(2, {
  transaction_id: ['bigint', ({ transactionId }) => transactionId],
  opportunity_id: ['bigint', ({ opportunityId }) => opportunityId],
  type: ['text', ({ type }) => type],
  seq: ['bigint', ({ seq }) => seq],
  author: ['text', ({ author }) => author],
  note: ['text', ({ note }) => note],
  program_id: ['bigint', ({ award }) => award.programId],
  program_version: ['int', ({ award }) => award.programVersion],
  collaborator_id: ['bigint', ({ award }) => award.collaboratorId],
  engagement_id: ['bigint', ({ award }) => award.engagementId],
  amount: ['bigint', ({ award }) => award.amount],
  currency: ['text', ({ award }) => award.currency],
  weight: ['bigint', ({ award }) => award.weight],
  by_quantity: ['bool', ({ award }) => award.byQuantity],
  status: ['text', ({ award }) => award.status],
  approve_at: ['bigint', ({ award }) => award.approveAt],
  // PostgreSQL requires equal lengths for the arrays in a nested array, so each list is sent as one text.
  hold_reasons: ['text', ({ award }) => (award.holdReasons.length === 0 ? null : award.holdReasons.join(' '))],
  by_coupon: ['bool', ({ award }) => award.byCoupon],
  event_id: ['bigint', ({ eventId }) => eventId],
});

const EXPLANATION = parameterColumns<DecidedSale>(AWARD.next, {
  transaction_id: ['bigint', ({ transactionId }) => transactionId],
  event_id: ['bigint', ({ eventId }) => eventId],
  seq: ['bigint', ({ seq }) => seq],
  base: ['bigint', ({ decision }) => decision.base],
  currency: ['text', ({ currency }) => currency],
  reason: ['text', ({ decision }) => decision.reason],
  candidates: ['jsonb', ({ decision }) => storeCandidates(decision.candidates.slice(0, MAX_LISTED_CANDIDATES))],
  omitted: ['int', ({ decision }) => Math.max(0, decision.candidates.length - MAX_LISTED_CANDIDATES)],
});

/** SQL for a set of rows, one for each award. The parameter $1 is the organization. */
export const AWARDED = AWARD.unnest('a');

/** SQL for a set of rows, one for each explanation. */
export const EXPLAINED = EXPLANATION.unnest('x');

const CONVERTED = `converted as (
  insert into conversions
    (organization_id, transaction_id, opportunity_id, type, decided_seq, author, note, program_id, program_version,
     collaborator_id, engagement_id, awarded, amount, currency, weight, by_quantity, status, approve_at,
     hold_reasons, by_coupon, event_id, in_payable_units, created_at, updated_at)
  select $1, transaction_id, opportunity_id, type, seq, author, note, program_id, program_version,
    collaborator_id, engagement_id, amount, amount, currency, weight, by_quantity, status,
    to_timestamp(0) + approve_at * interval '1 microsecond', string_to_array(hold_reasons, ' '), by_coupon, event_id, true, now(), now()
  from ${AWARDED}
  returning id, collaborator_id, amount, currency, status
)`;

const OWED = `
insert into obligations
  (organization_id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
select $1, id, collaborator_id, amount, currency, case status when 'approved' then 'pending' else 'draft' end, now(), now()
from converted`;

function storeCandidates(candidates: readonly ExplainedCandidate[]): string {
  // JSON has no bigint. Amounts fit into a double exactly, because the SQL domain `minor` limits them.
  return JSON.stringify(candidates, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

/** Converts candidates from their stored form, as the inverse of `storeCandidates`. */
export function readCandidates(stored: readonly StoredCandidate[]): ExplainedCandidate[] {
  return stored.map(({ base, reward, uncapped, share, cut, earnedForCap, tierFrom, earnedForTier, hold, ...rest }) => ({
    ...rest,
    ...(hold === undefined ? {} : { hold: limitHold(hold) }),
    ...amounts({ base, reward, uncapped, share, cut, earnedForCap }),
    ...(tierFrom === undefined ? {} : { tierFrom: BigInt(tierFrom) }),
    ...(earnedForTier === undefined
      ? {}
      : { earnedForTier: { sum: BigInt(earnedForTier.sum) as Minor, count: earnedForTier.count } }),
  }));
}

function amounts<Name extends string>(stored: { readonly [Of in Name]: number | undefined }): { [Of in Name]?: Minor } {
  const present = Object.entries<number | undefined>(stored).filter(([, amount]) => amount !== undefined);
  return Object.fromEntries(present.map(([name, amount]) => [name, BigInt(amount ?? 0)])) as { [Of in Name]?: Minor };
}
