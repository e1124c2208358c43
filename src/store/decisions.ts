import { type ExplainedCandidate, MAX_LISTED_CANDIDATES } from '#domain/explanation.ts';
import type { ConversionId, EventId, OpportunityId, OrganizationId, Tick, TransactionId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { PayableKind } from '#domain/program.ts';
import type { Award, SaleDecision } from '#domain/sale-decision.ts';
import type { Connection } from './database.ts';

export type DecidedSale = {
  readonly transactionId: TransactionId;
  readonly opportunityId: OpportunityId;
  readonly eventId: EventId;
  readonly kind: PayableKind;
  readonly currency: string;
  readonly tick: Tick;
  readonly decision: SaleDecision;
};

/** What a person has credited, beside what the sale's decision has. */
export type Credit = {
  readonly transactionId: TransactionId;
  readonly opportunityId: OpportunityId;
  readonly tick: Tick;
  readonly award: Award;
  readonly author: string;
  readonly note: string | null;
};

/** A candidate as explanations.candidates keeps it: amounts and instants (microseconds) as JSON integers. */
export type StoredCandidate = Omit<ExplainedCandidate, Amounts | 'earnedForTier'> & {
  readonly [Amount in Amounts]?: number;
} & { readonly earnedForTier?: { readonly sum: number; readonly count: number } };
type Amounts = 'base' | 'reward' | 'uncapped' | 'share' | 'cut' | 'earnedForCap' | 'tierFrom';

/** Writes the decisions of a batch: conversions with their obligations, and every sale's explanation. */
export async function saveDecisions(
  connection: Connection,
  organizationId: OrganizationId,
  sales: readonly DecidedSale[],
): Promise<void> {
  await connection.query({
    name: 'save-decisions',
    text: `
      with explained as (
        insert into explanations
          (organization_id, transaction_id, event_id, decided_at, decided_tick, base, currency, reason, candidates, omitted)
        select $1, transaction_id, event_id, now(), tick, base, currency, reason, candidates, omitted
        from ${EXPLAINED}
      ), ${CONVERTED}
      ${OWED}`,
    values: decisionValues(organizationId, sales),
  });
}

/** Writes a conversion of type `manual` with its obligation, and how it was worked out; answers its id. */
export async function saveCredit(
  connection: Connection,
  organizationId: OrganizationId,
  credit: Credit,
  explained: ExplainedCandidate | null,
): Promise<ConversionId> {
  const { rows } = await connection.query<{ id: ConversionId }>(
    `with ${CONVERTED} ${OWED} returning conversion_id as id`,
    awardValues(organizationId, [{ ...credit, type: 'manual' }]),
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

/** What the statements that write or compare decisions read from `AWARDED` and `EXPLAINED`. */
export function decisionValues(organizationId: OrganizationId, sales: readonly DecidedSale[]): unknown[] {
  const awarded = sales.flatMap(({ decision, kind, ...sale }) =>
    decision.awards.map((award) => ({ ...sale, award, type: kind, author: null, note: null })),
  );
  return [
    ...awardValues(organizationId, awarded),
    sales.map((sale) => sale.transactionId),
    sales.map((sale) => sale.eventId),
    sales.map((sale) => sale.tick),
    sales.map((sale) => sale.decision.base),
    sales.map((sale) => sale.currency),
    sales.map((sale) => sale.decision.reason),
    sales.map((sale) => storeCandidates(sale.decision.candidates.slice(0, MAX_LISTED_CANDIDATES))),
    sales.map((sale) => Math.max(0, sale.decision.candidates.length - MAX_LISTED_CANDIDATES)),
  ];
}

/** Awards; $1 is the organization. */
export const AWARDED = `
  unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::int[],
      $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::bigint[], $15::bool[], $16::text[], $17::bigint[],
      $18::text[], $19::bool[])
    as a (transaction_id, opportunity_id, type, tick, author, note, program_id, program_version, collaborator_id,
      engagement_id, amount, currency, weight, by_quantity, status, approve_at, hold_reasons, by_coupon)`;

/** Explanations. */
export const EXPLAINED = `
  unnest($20::bigint[], $21::bigint[], $22::bigint[], $23::bigint[], $24::text[], $25::text[], $26::jsonb[], $27::int[])
    as x (transaction_id, event_id, tick, base, currency, reason, candidates, omitted)`;

type Awarded = Omit<Credit, 'author'> & {
  readonly type: DecidedSale['kind'] | 'manual';
  readonly author: string | null;
};

function awardValues(organizationId: OrganizationId, awarded: readonly Awarded[]): unknown[] {
  return [
    organizationId,
    awarded.map(({ transactionId }) => transactionId),
    awarded.map(({ opportunityId }) => opportunityId),
    awarded.map(({ type }) => type),
    awarded.map(({ tick }) => tick),
    awarded.map(({ author }) => author),
    awarded.map(({ note }) => note),
    awarded.map(({ award }) => award.programId),
    awarded.map(({ award }) => award.programVersion),
    awarded.map(({ award }) => award.collaboratorId),
    awarded.map(({ award }) => award.engagementId),
    awarded.map(({ award }) => award.amount),
    awarded.map(({ award }) => award.currency),
    awarded.map(({ award }) => award.weight),
    awarded.map(({ award }) => award.byQuantity),
    awarded.map(({ award }) => award.status),
    awarded.map(({ award }) => award.approveAt),
    // An array of arrays has rows of one length: each goes as one text.
    awarded.map(({ award }) => (award.holdReasons.length === 0 ? null : award.holdReasons.join(' '))),
    awarded.map(({ award }) => award.byCoupon),
  ];
}

const CONVERTED = `converted as (
  insert into conversions
    (organization_id, transaction_id, opportunity_id, type, decided_tick, author, note, program_id, program_version,
     collaborator_id, engagement_id, awarded, amount, currency, weight, by_quantity, status, approve_at,
     hold_reasons, by_coupon, created_at, updated_at)
  select $1, transaction_id, opportunity_id, type, tick, author, note, program_id, program_version,
    collaborator_id, engagement_id, amount, amount, currency, weight, by_quantity, status,
    to_timestamp(0) + approve_at * interval '1 microsecond', string_to_array(hold_reasons, ' '), by_coupon, now(), now()
  from ${AWARDED}
  returning id, collaborator_id, amount, currency, status
)`;

const OWED = `
insert into obligations
  (organization_id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
select $1, id, collaborator_id, amount, currency, case status when 'approved' then 'pending' else 'draft' end, now(), now()
from converted`;

function storeCandidates(candidates: readonly ExplainedCandidate[]): string {
  // Amounts fit a double exactly (domain minor), and JSON has no bigint.
  return JSON.stringify(candidates, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}

/** The inverse of what saveDecisions stores. */
export function readCandidates(stored: readonly StoredCandidate[]): ExplainedCandidate[] {
  return stored.map(({ base, reward, uncapped, share, cut, earnedForCap, tierFrom, earnedForTier, ...rest }) => ({
    ...rest,
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
