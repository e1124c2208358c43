import {
  type Circumstances,
  type ExplainedConversion,
  type ExplainedCorrection,
  type ExplainedRefund,
  type Explanation,
  markFullRefunds,
  MAX_LISTED_CONVERSIONS,
  MAX_LISTED_REFUNDS,
} from '../../domain/explanation.ts';
import type { CollaboratorId, ConversionId, TransactionId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { findCollaboratorNames } from '#collaborators/store/collaborators.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readCandidates, type StoredCandidate } from '../decisions.ts';
import { findProgramVersions } from '#programs/store/program-versions.ts';
import { REVIEW } from './conversions.ts';

export type FoundExplanation =
  | { readonly kind: 'found'; readonly explanation: Explanation; readonly circumstances: Circumstances }
  /** The transaction exists but is not decided yet. */
  | { readonly kind: 'not-decided' }
  | { readonly kind: 'no-transaction' };

/**
 * Reads a decision and the related data for its explanation. A single statement reads all mutable data except the
 * collaborators' names, so that the data is consistent.
 */
export async function readExplanation(tenant: Tenant, transactionId: TransactionId): Promise<FoundExplanation> {
  const { rows } = await tenant.connection.query<Row>(READ_EXPLANATION, [
    tenant.organizationId,
    transactionId,
    MAX_LISTED_CONVERSIONS,
    MAX_LISTED_REFUNDS,
  ]);
  const row = rows[0];
  if (row === undefined) return { kind: 'no-transaction' };
  if (row.decidedAt === null) return { kind: 'not-decided' };
  const explanation = explanationOf(row, row.decidedAt);
  const corrections = row.corrections.map(({ total, ...each }) => ({ ...each, total: BigInt(total) as Minor }));
  return {
    kind: 'found',
    explanation,
    circumstances: {
      programs: await findNamedPrograms(tenant, explanation, row),
      collaborators: await findNames(tenant, explanation, row),
      conversions: row.conversions.map(readConversion),
      omittedConversions: omitted(row.conversions),
      refunds: markFullRefunds(row.refunds.map(readRefund), corrections.at(-1)?.total ?? explanation.transaction.total),
      omittedRefunds: omitted(row.refunds),
      corrections,
    },
  };
}

/** Returns the transaction of a conversion, or undefined if the conversion doesn't exist. */
export async function findTransactionOf(
  { connection, organizationId }: Tenant,
  conversionId: ConversionId,
): Promise<TransactionId | undefined> {
  const { rows } = await connection.query<{ transaction_id: TransactionId }>(
    'select transaction_id from conversions where organization_id = $1 and id = $2',
    [organizationId, conversionId],
  );
  return rows[0]?.transaction_id;
}

/**
 * SQL that reads a decision with its transaction, conversions, refunds and corrections. Uses the keys of transactions,
 * explanations and refunds, the unique keys of corrections and conversions, and the index `events_after_report`.
 */
const READ_EXPLANATION = `
  select t.id as "transactionId", t.type as kind, t.source, t.external_id as "externalId",
    (extract(epoch from t.occurred_at) * 1000000)::bigint as "occurredAt", coalesce(t.reported_total, t.total) as total,
    t.renews, t.renewal_number as "renewalNumber",
    (extract(epoch from x.decided_at) * 1000000)::bigint as "decidedAt", x.base, x.currency, x.reason, x.candidates,
    x.omitted,
    coalesce((
      select json_agg(c order by c.id) from (
        select id, type, collaborator_id as "collaboratorId", program_id as "programId",
          program_version as "programVersion", awarded, amount, currency, status, reason, author, note, explained,
          nullif(${REVIEW}, 'none') as review, (extract(epoch from created_at) * 1000000)::bigint as "awardedAt", count(*) over () as "all"
        from conversions c where organization_id = $1 and transaction_id = $2
        order by id limit $3
      ) c
    ), '[]') as conversions,
    coalesce((
      select json_agg(r order by r.id) from (
        select e.id, (extract(epoch from e.occurred_at) * 1000000)::bigint as at, f.kind,
          coalesce(f.amount, e.refunded) as amount, f.refund_id as "refundId", (
            select (extract(epoch from v.occurred_at) * 1000000)::bigint from events v
            where v.organization_id = $1 and v.id = f.reversed_by
          ) as "reversedAt", count(*) over () as "all"
        from (
          select id, occurred_at, refunded from events
          where organization_id = $1 and transaction_id = $2 and type = 'RefundTriggered'
          union all
          select event_id, occurred_at, 0 from refunds
          where organization_id = $1 and transaction_id = $2 and without_event
        ) e
        left join refunds f on f.organization_id = $1 and f.event_id = e.id
        order by e.id limit $4
      ) r
    ), '[]') as refunds,
    coalesce((
      select json_agg(json_build_object('at', (extract(epoch from r.occurred_at) * 1000000)::bigint,
        'correctionId', r.correction_id, 'total', r.total) order by r.event_id)
      from sale_corrections r where r.organization_id = $1 and r.transaction_id = $2
    ), '[]') as corrections
  from transactions t
  left join explanations x on x.organization_id = t.organization_id and x.transaction_id = t.id
  where t.organization_id = $1 and t.id = $2`;

/** A row of READ_EXPLANATION. Amounts and instants (in microseconds) are integers. */
type Row = {
  transactionId: TransactionId;
  kind: Explanation['kind'];
  source: string;
  externalId: string;
  occurredAt: Instant;
  total: number;
  renews: TransactionId | null;
  renewalNumber: number | null;
  decidedAt: Instant | null;
  base: number;
  currency: string;
  reason: Explanation['reason'];
  candidates: StoredCandidate[];
  omitted: number;
  conversions: ConversionRow[];
  refunds: RefundRow[];
  corrections: (Omit<ExplainedCorrection, 'total'> & { total: number })[];
};

type ConversionRow = Omit<
  ExplainedConversion,
  'awarded' | 'amount' | 'reason' | 'author' | 'note' | 'explained' | 'review'
> & {
  review: NonNullable<ExplainedConversion['review']> | null;
  explained: StoredCandidate[] | null;
  awarded: number;
  amount: number;
  reason: string | null;
  author: string | null;
  note: string | null;
  all: number;
};

/**
 * A refund as READ_EXPLANATION returns it. A refund that was reported without a refundId has no kind, and is a full
 * refund.
 */
type RefundRow = {
  at: Instant;
  kind: ExplainedRefund['kind'] | null;
  amount: number;
  refundId: string | null;
  reversedAt: Instant | null;
  all: number;
};

function explanationOf(row: Row, decidedAt: Instant): Explanation {
  const { transactionId, kind, source, externalId, occurredAt, renews, renewalNumber } = row;
  return {
    transactionId,
    kind,
    transaction: {
      source,
      externalId,
      occurredAt,
      total: BigInt(row.total) as Minor,
      renewal: renews === null || renewalNumber === null ? null : { of: renews, number: renewalNumber },
    },
    decidedAt,
    base: BigInt(row.base) as Minor,
    currency: row.currency,
    reason: row.reason,
    candidates: readCandidates(row.candidates),
    omitted: row.omitted,
  };
}

function readConversion({
  id,
  awarded,
  amount,
  reason,
  author,
  note,
  explained,
  review,
  all: _,
  ...rest
}: ConversionRow): ExplainedConversion {
  return {
    id,
    ...rest,
    awarded: BigInt(awarded) as Minor,
    amount: BigInt(amount) as Minor,
    ...(reason === null ? {} : { reason }),
    ...(author === null ? {} : { author }),
    ...(note === null ? {} : { note }),
    ...(review === null ? {} : { review }),
    ...explainedOf(explained),
  };
}

function explainedOf(stored: StoredCandidate[] | null): Pick<ExplainedConversion, 'explained'> {
  const [explained] = readCandidates(stored ?? []);
  return explained === undefined ? {} : { explained };
}

function readRefund({ at, kind, amount, refundId, reversedAt }: RefundRow): ExplainedRefund {
  return {
    at,
    kind: kind ?? 'full',
    amount: BigInt(amount) as Minor,
    ...(refundId === null ? {} : { refundId }),
    ...(reversedAt === null ? {} : { reversedAt }),
  };
}

function omitted(rows: readonly { readonly all: number }[]): number {
  return rows[0] === undefined ? 0 : rows[0].all - rows.length;
}

async function findNamedPrograms(
  tenant: Tenant,
  { candidates }: Explanation,
  { conversions }: Row,
): Promise<ProgramVersion[]> {
  const named = new Map(
    [...candidates, ...conversions].flatMap(({ programId, programVersion }) =>
      programId === undefined || programVersion === undefined
        ? []
        : [[`${programId}/${programVersion}`, { programId, version: programVersion }]],
    ),
  );
  return named.size === 0 ? [] : findProgramVersions(tenant, [...named.values()]);
}

function findNames(
  tenant: Tenant,
  { candidates }: Explanation,
  { conversions }: Row,
): Promise<Map<CollaboratorId, string>> {
  const ids = new Set([...candidates, ...conversions].map(({ collaboratorId }) => collaboratorId));
  return findCollaboratorNames(tenant, [...ids]);
}
