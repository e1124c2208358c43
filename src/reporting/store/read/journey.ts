import type {
  CollaboratorId,
  EngagementId,
  EventId,
  OpportunityId,
  OrganizationId,
  ProgramId,
  TransactionId,
  UserId,
} from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { PayableKind } from '#programs/domain/program.ts';
import { type PlatformUserId, shownUser } from '#core/user.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readAllInSlices } from '#platform/postgres/lists/slices.ts';
import { userText } from '#collaborators/store/read/users.ts';
import { COUPON_APPLIED } from '#programs/domain/custom-event.ts';

type VisitStep = {
  readonly at: Date;
  readonly eventId: EventId;
  readonly opportunityId: OpportunityId;
  readonly collaboratorId: CollaboratorId;
  readonly alias?: string;
  readonly userId?: PlatformUserId;
  readonly reason?: string;
};

type SaleStep = {
  readonly at: Date;
  readonly transactionId: TransactionId;
  readonly opportunityId: OpportunityId;
  readonly source: string;
  readonly externalId: string;
  readonly total: Minor;
  readonly currency: string;
  readonly status: string;
};

/** A step with internal opportunity ids, which the HTTP layer replaces with public numbers. */
export type JourneyStep =
  | ({ readonly kind: 'visit' | 'coupon' } & VisitStep)
  /** A custom event. `event` is its slug. */
  | ({ readonly kind: 'custom'; readonly event: string } & VisitStep)
  | {
      readonly kind: 'engagement';
      readonly at: Date;
      readonly engagementId: EngagementId;
      readonly opportunityId: OpportunityId;
      readonly programId: ProgramId;
      readonly collaboratorId: CollaboratorId;
      readonly status: string;
      readonly score: number;
      readonly lastAt: Date;
    }
  | {
      readonly kind: 'merge';
      readonly at: Date | null;
      readonly opportunityId: OpportunityId;
      readonly mergedInto: OpportunityId;
    }
  | ({ readonly kind: 'sale' } & SaleStep)
  | ({ readonly kind: 'renewal'; readonly renewsTransactionId: TransactionId } & SaleStep)
  /** A lead has neither a total nor a currency. */
  | ({ readonly kind: 'lead' } & Omit<SaleStep, 'total' | 'currency'>)
  | {
      readonly kind: 'refund';
      readonly at: Date;
      readonly transactionId: TransactionId;
      readonly source: string;
      readonly externalId: string;
      readonly refundedAmount: Minor;
      readonly currency: string;
    }
  | {
      readonly kind: 'refund-reversal';
      readonly at: Date;
      readonly transactionId: TransactionId;
      readonly source: string;
      readonly externalId: string;
      readonly restoredAmount: Minor;
      readonly currency: string;
    }
  | {
      readonly kind: 'correction';
      readonly at: Date;
      readonly transactionId: TransactionId;
      readonly source: string;
      readonly externalId: string;
      /** The change of the total. */
      readonly correctedAmount: Minor;
      readonly currency: string;
    };

/**
 * The maximum number of listed steps in each of these groups:
 *
 * - visits, coupons and custom events
 * - sales, renewals and leads
 * - refunds, reversals and corrections of the listed sales
 *
 * The newest steps of each group are listed. Older steps of the first two groups are only counted.
 */
const MAX_LISTED_STEPS = 1_000;
const VISIT_KINDS: ReadonlySet<JourneyStep['kind']> = new Set(['visit', 'coupon', 'custom']);
const SALE_KINDS: ReadonlySet<JourneyStep['kind']> = new Set(['sale', 'renewal', 'lead']);

/**
 * Returns the events of an opportunity and of the opportunities merged into it, sorted by event id. The event ids of an
 * opportunity have the order of the commits, even if two events have the same time. `omitted` is the number of visits,
 * coupons, custom events, sales, renewals and leads that are not listed. Must be called in a transaction.
 */
export async function readJourney(
  tenant: Tenant<Connection>,
  members: readonly OpportunityId[],
  maxSteps = MAX_LISTED_STEPS,
): Promise<{ steps: JourneyStep[]; omitted: number }> {
  const { connection, organizationId } = tenant;
  const placed = [
    ...(await readVisits(tenant, members, maxSteps)),
    ...(await readEngagements(connection, organizationId, members)),
    ...(await readMerges(connection, organizationId, members)),
    ...(await readSales(tenant, members, maxSteps)),
    ...(await readRefunds(tenant, members, maxSteps)),
  ];
  // Sorting is stable, so a visit stays before the engagement that it began.
  placed.sort((a, b) => a.order - b.order);
  const listed = placed.filter(({ step }) => VISIT_KINDS.has(step.kind) || SALE_KINDS.has(step.kind)).length;
  return {
    steps: placed.map(({ step }) => step),
    omitted: (await countRows(tenant, 'visits', members)) + (await countRows(tenant, 'transactions', members)) - listed,
  };
}

type Placed = { readonly order: number; readonly step: JourneyStep };
/** A selected row of a step, with columns named after the step's fields. */
type Row<Kind extends JourneyStep['kind']> = Omit<Extract<JourneyStep, { kind: Kind }>, 'kind'> & {
  readonly order: number;
};
type Read = (
  connection: Connection,
  organizationId: OrganizationId,
  members: readonly OpportunityId[],
) => Promise<Placed[]>;

type VisitRow = Omit<VisitStep, 'alias' | 'userId' | 'reason'> & {
  readonly order: number;
  readonly trigger: string | null;
  readonly alias: string | null;
  readonly userId: UserId | null;
  readonly userText: string | null;
  readonly reason: string | null;
};

/** Reads visits, coupons and custom events. Uses the index `visits_opportunity`. */
async function readVisits(
  { connection, organizationId }: Tenant<Connection>,
  members: readonly OpportunityId[],
  limit: number,
): Promise<Placed[]> {
  const rows = await readAllInSlices<VisitRow>(
    connection,
    `select v.id as "order", v.occurred_at as at, v.id as "eventId", v.opportunity_id as "opportunityId",
       v.collaborator_id as "collaboratorId", v.user_id as "userId", ${userText('v', '$1')} as "userText", v.reason, v.trigger,
       (select a.type || ':' || a.code from aliases a where a.organization_id = $1 and a.id = v.alias_id) as alias
     from visits v where v.organization_id = $1 and v.opportunity_id = any ($2::bigint[])
     order by v.id desc limit $3`,
    [organizationId, members, limit],
  );
  return rows.map(({ order, ...row }) => ({ order, step: visitStep(row) }));
}

function visitStep({ trigger, alias, userId, userText: text, reason, ...row }: Omit<VisitRow, 'order'>): JourneyStep {
  const user = shownUser(userId, text);
  const step = {
    ...row,
    ...(alias === null ? {} : { alias }),
    ...(user === null ? {} : { userId: user }),
    ...(reason === null ? {} : { reason }),
  };
  if (trigger === null) return { kind: 'visit', ...step };
  return trigger === COUPON_APPLIED ? { kind: 'coupon', ...step } : { kind: 'custom', event: trigger, ...step };
}

async function countRows(
  { connection, organizationId }: Tenant<Connection>,
  table: 'visits' | 'transactions',
  members: readonly OpportunityId[],
): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*) as count from ${table} where organization_id = $1 and opportunity_id = any ($2::bigint[])`,
    [organizationId, members],
  );
  return rows[0]?.count ?? 0;
}

/** Reads engagements. Uses the index `engagements_triple`. */
const readEngagements: Read = async (connection, organizationId, members) => {
  const rows = await readAllInSlices<Row<'engagement'>>(
    connection,
    `select first_visit_id as "order", first_at as at, id as "engagementId", opportunity_id as "opportunityId",
       program_id as "programId", collaborator_id as "collaboratorId", status, score, last_at as "lastAt"
     from engagements where organization_id = $1 and opportunity_id = any ($2::bigint[]) and copy_of is null order by id`,
    [organizationId, members],
  );
  return rows.map(({ order, ...row }) => ({ order, step: { kind: 'engagement', ...row } }));
};

/**
 * Reads merges. A merge has no time of its own. Its time is the time of the visit that caused the merge: the first of
 * the opportunities' visits whose event id is at least `merged_by`.
 */
const readMerges: Read = async (connection, organizationId, members) => {
  const rows = await readAllInSlices<Row<'merge'>>(
    connection,
    `select o.merged_by as "order", o.id as "opportunityId", o.merged_into as "mergedInto",
       (select v.occurred_at from visits v
        where v.organization_id = $1 and v.opportunity_id = any ($2::bigint[]) and v.id >= o.merged_by
        order by v.id limit 1) as at
     from opportunities o
     where o.organization_id = $1 and o.id = any ($2::bigint[]) and o.merged_into is not null`,
    [organizationId, members],
  );
  return rows.map(({ order, ...row }) => ({ order, step: { kind: 'merge', ...row } }));
};

type SaleRow = Omit<SaleStep, 'total'> & {
  readonly order: number;
  readonly type: PayableKind;
  readonly total: number;
  readonly renewsTransactionId: TransactionId | null;
};

/** Reads the newest sales, renewals and leads. Uses the index `transactions_opportunity`. */
async function readSales(
  { connection, organizationId }: Tenant<Connection>,
  members: readonly OpportunityId[],
  limit: number,
): Promise<Placed[]> {
  const rows = await readAllInSlices<SaleRow>(
    connection,
    `select event_id as "order", type, occurred_at as at, id as "transactionId", opportunity_id as "opportunityId",
       source, external_id as "externalId", total, currency, status, renews as "renewsTransactionId"
     from transactions where organization_id = $1 and opportunity_id = any ($2::bigint[])
     order by event_id desc limit $3`,
    [organizationId, members, limit],
  );
  return rows.map(({ order, ...row }) => ({ order, step: saleStep(row) }));
}

function saleStep({ type, renewsTransactionId, total, ...row }: Omit<SaleRow, 'order'>): JourneyStep {
  if (type === 'lead') {
    const { currency: _, ...lead } = row;
    return { kind: 'lead', ...lead };
  }
  const sale = { ...row, total: BigInt(total) as Minor };
  return renewsTransactionId === null ? { kind: 'sale', ...sale } : { kind: 'renewal', ...sale, renewsTransactionId };
}

type RefundRow = Omit<Row<'refund'>, 'refundedAmount'> & {
  readonly type: 'RefundTriggered' | 'RefundReversed' | 'SaleCorrected';
  readonly refunded: number;
  readonly corrected: number | null;
};

/** Reads the newest refunds, reversals and corrections of the newest sales. Uses the index `events_after_report`. */
async function readRefunds(
  { connection, organizationId }: Tenant<Connection>,
  members: readonly OpportunityId[],
  limit: number,
): Promise<Placed[]> {
  const rows = await readAllInSlices<RefundRow>(
    connection,
    `select e.id as "order", e.occurred_at as at, t.id as "transactionId", t.source, t.external_id as "externalId",
       t.currency, e.type, e.refunded, e.corrected
     from (
       select * from transactions where organization_id = $1 and opportunity_id = any ($2::bigint[])
       order by event_id desc limit $3
     ) t
     join events e on e.organization_id = $1 and e.transaction_id = t.id
       and e.type in ('RefundTriggered', 'RefundReversed', 'SaleCorrected')
     order by e.id desc limit $3`,
    [organizationId, members, limit],
  );
  return rows.map(({ order, ...row }) => ({ order, step: refundStep(row) }));
}

function refundStep({ type, refunded, corrected, ...row }: Omit<RefundRow, 'order'>): JourneyStep {
  switch (type) {
    case 'RefundTriggered':
      return { kind: 'refund', ...row, refundedAmount: BigInt(refunded) as Minor };
    case 'RefundReversed':
      return { kind: 'refund-reversal', ...row, restoredAmount: BigInt(-refunded) as Minor };
    case 'SaleCorrected':
      return { kind: 'correction', ...row, correctedAmount: BigInt(corrected ?? 0) as Minor };
    default:
      return type satisfies never;
  }
}
