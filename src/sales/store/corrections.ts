import type { EventId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { reportMark } from '#programs/store/decision-order.ts';
import { AT_ONCE } from '#platform/worker/jobs.ts';
import type { Correction } from '../domain/correction.ts';
import type { RecordedCorrection, RecordedRefund } from '../domain/refund-report.ts';
import type { ReplacedContent } from '../domain/refund.ts';

type StoredLine = Omit<Line, 'amount' | 'total'> & { readonly amount: number; readonly total: number };

/**
 * A correction as `CORRECTIONS` returns it. `total`, `lines` and `pieces` are the content that it replaced. A returned
 * piece is stored as the refund's event, the position of the line, and the quantity.
 */
export type StoredCorrection = {
  readonly correctedBy: EventId;
  readonly correctionId: string;
  readonly contentHash: string;
  readonly total: number;
  readonly lines: readonly StoredLine[];
  readonly pieces: readonly (readonly [event: EventId, position: number, quantity: number])[];
};

/** SQL for a column with the corrections of transaction `t` as JSON, in their order. It is null if there are none. */
export const CORRECTIONS = `
  case when t.corrections > 0 then (
    select json_agg(json_build_object('correctedBy', c.event_id, 'correctionId', c.correction_id,
      'contentHash', encode(c.content_hash, 'hex'), 'total', c.replaced_total, 'lines', c.replaced_lines,
      'pieces', c.replaced_pieces) order by c.event_id)
    from sale_corrections c where c.organization_id = $1 and c.transaction_id = t.id
  ) end as corrections`;

export function readCorrection({ total, lines, pieces, ...correction }: StoredCorrection): RecordedCorrection {
  const byEvent = Map.groupBy(pieces, ([event]) => event);
  return {
    ...correction,
    total: BigInt(total) as Minor,
    lines: lines.map(readLine),
    pieces: new Map(
      [...byEvent].map(([event, own]) => [event, own.map(([, position, quantity]) => ({ position, quantity }))]),
    ),
  };
}

function readLine({ amount, total, ...line }: StoredLine): Line {
  return { ...line, amount: BigInt(amount) as Minor, total: BigInt(total) as Minor };
}

/**
 * Returns the originally reported lines of the given transactions that were corrected. The decision of a sale uses
 * these lines.
 */
export async function loadReportedLines(
  { connection, organizationId }: Tenant,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, Line[]>> {
  const { rows } = await connection.query<{ id: TransactionId; lines: readonly StoredLine[] }>({
    name: 'load-reported-lines',
    text: `
      select distinct on (transaction_id) transaction_id as id, replaced_lines as lines
      from sale_corrections where organization_id = $1 and transaction_id = any ($2::bigint[])
      order by transaction_id, event_id`,
    values: [organizationId, transactionIds],
  });
  return new Map(rows.map(({ id, lines }) => [id, lines.map(readLine)]));
}

/**
 * A correction of a locked transaction. `refunded` is the change of the transaction's refunded amount. `refunds`
 * contains the transaction's refunds, with their returned pieces assigned to the new lines.
 */
export type CorrectionRow = Correction & {
  readonly transactionId: TransactionId;
  readonly replaced: Omit<ReplacedContent, 'correctedBy'>;
  readonly refunds: readonly RecordedRefund[];
  readonly refunded: Minor;
  /** Whether the transaction was refunded in full before this correction, and no longer is. */
  readonly endsFullRefund: boolean;
  readonly occurredAt: Date | null;
};

/** Writes a correction with its SaleCorrected event and its job, and updates the locked transaction and its lines. */
export async function saveCorrection(tenant: Tenant<Connection>, correction: CorrectionRow): Promise<void> {
  const { connection, organizationId } = tenant;
  const { transactionId, replaced, refunded, total } = correction;
  const pieces = [...replaced.pieces].flatMap(([event, own]) =>
    own.map(({ position, quantity }) => [event, position, quantity]),
  );
  await connection.query({
    name: 'save-correction',
    text: SAVE_CORRECTION,
    values: [
      organizationId,
      transactionId,
      correction.correctionId,
      correction.contentHash,
      total,
      replaced.total,
      JSON.stringify(replaced.lines, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
      JSON.stringify(pieces),
      refunded,
      correction.endsFullRefund,
      correction.occurredAt?.toISOString() ?? null,
    ],
  });
  await replaceLines(tenant, correction);
  await replacePieces(tenant, correction);
}

const SAVE_CORRECTION = `
with reporting as materialized ${reportMark()}, reported as materialized (
  select nextval('event_ids') as event_id from reporting
), logged as (
  insert into events
    (organization_id, id, type, source, opportunity_id, transaction_id, config_version, refunded, corrected, occurred_at,
     reported_at)
  select $1, r.event_id, 'SaleCorrected', t.source, t.reported_opportunity_id, t.id, g.config_version, $9,
    $5::bigint - $6::bigint, coalesce($11::timestamptz, now()), case when $11::timestamptz is not null then now() end
  from reported r
  join transactions t on t.organization_id = $1 and t.id = $2
  join organizations g on g.id = $1
), queued as (
  insert into jobs (organization_id, event_id, transaction_id, type, run_at)
  select $1, event_id, $2, 'SaleCorrected', ${AT_ONCE} from reported
), kept as (
  insert into sale_corrections
    (organization_id, event_id, transaction_id, correction_id, content_hash, total, replaced_total, replaced_lines,
     replaced_pieces, occurred_at)
  select $1, event_id, $2, $3, decode($4, 'hex'), $5, $6, $7::jsonb, $8::jsonb, coalesce($11::timestamptz, now())
  from reported
), ended as (
  -- The full refund was completed by the last refund that has an event.
  insert into reversed_full_refunds (organization_id, transaction_id, refunded_by, reversed_by)
  select $1, $2, (
      select max(e.id) from events e
      where e.organization_id = $1 and e.transaction_id = $2 and e.type = 'RefundTriggered'
    ), r.event_id
  from reported r where $10::boolean
)
update transactions t
set total = $5, reported_total = coalesce(reported_total, total), refunded_amount = refunded_amount + $9, corrections = corrections + 1,
  status = case when $10::boolean then 'complete' else status end,
  refunded_at = case when $10::boolean then null else refunded_at end
where organization_id = $1 and id = $2`;

async function replaceLines(
  { connection, organizationId }: Tenant<Connection>,
  { transactionId, lines }: CorrectionRow,
): Promise<void> {
  await connection.query('delete from transaction_lines where organization_id = $1 and transaction_id = $2', [
    organizationId,
    transactionId,
  ]);
  await connection.query(
    `insert into transaction_lines (organization_id, transaction_id, position, external_id, name, type, quantity, amount, total)
     select $1, $2, l.* from unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::int[], $8::bigint[], $9::bigint[]) as l`,
    [
      organizationId,
      transactionId,
      lines.map((_, index) => index + 1),
      lines.map(({ externalId }) => externalId),
      lines.map(({ name }) => name),
      lines.map(({ type }) => type),
      lines.map(({ quantity }) => quantity),
      lines.map(({ amount }) => amount),
      lines.map(({ total, amount, quantity }) => (total === amount * BigInt(quantity) ? null : total)),
    ],
  );
}

/** Assigns the returned pieces of refunds to the new lines. Deletes the pieces of reversed refunds. */
async function replacePieces(
  { connection, organizationId }: Tenant<Connection>,
  { refunds, replaced }: CorrectionRow,
): Promise<void> {
  if (replaced.pieces.size === 0) return;
  await connection.query('delete from refund_lines where organization_id = $1 and event_id = any ($2::bigint[])', [
    organizationId,
    [...replaced.pieces.keys()],
  ]);
  const pieces = refunds.flatMap(({ eventId, pieces: own }) => own.map((each) => ({ eventId, ...each })));
  await connection.query(
    `insert into refund_lines (organization_id, event_id, position, quantity)
     select $1, l.* from unnest($2::bigint[], $3::int[], $4::int[]) as l`,
    [
      organizationId,
      pieces.map(({ eventId }) => eventId),
      pieces.map(({ position }) => position),
      pieces.map(({ quantity }) => quantity),
    ],
  );
}
