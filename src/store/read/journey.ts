import type {
  CollaboratorId,
  EngagementId,
  EventId,
  OpportunityId,
  OrganizationId,
  ProgramId,
  TransactionId,
  UserId,
} from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { Queryable } from '../database.ts';

/** Ids of opportunities are the rows'; the door shows their public numbers. */
export type JourneyStep =
  | {
      readonly kind: 'visit';
      readonly at: Date;
      readonly eventId: EventId;
      readonly opportunityId: OpportunityId;
      readonly collaboratorId: CollaboratorId;
      readonly alias?: string;
      readonly userId?: UserId;
      readonly reason?: string;
    }
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
  | {
      readonly kind: 'sale';
      readonly at: Date;
      readonly transactionId: TransactionId;
      readonly opportunityId: OpportunityId;
      readonly source: string;
      readonly externalId: string;
      readonly total: Minor;
      readonly currency: string;
      readonly status: string;
    }
  | {
      readonly kind: 'refund';
      readonly at: Date;
      readonly transactionId: TransactionId;
      readonly refundedAmount: Minor;
      readonly currency: string;
    };

/** The newest visits that are listed; older ones are counted. */
const MAX_LISTED_VISITS = 1_000;

/**
 * What happened to opportunities (a survivor and its merged members), in the order of the events' ids: that is the order
 * in which it was committed, also where two share a moment.
 */
export async function readJourney(
  connection: Queryable,
  organizationId: OrganizationId,
  members: readonly OpportunityId[],
): Promise<{ steps: JourneyStep[]; omitted: number }> {
  const placed = [
    ...(await readVisits(connection, organizationId, members)),
    ...(await readEngagements(connection, organizationId, members)),
    ...(await readMerges(connection, organizationId, members)),
    ...(await readSales(connection, organizationId, members)),
    ...(await readRefunds(connection, organizationId, members)),
  ];
  // A visit comes before the engagement that it began: the sort is stable.
  placed.sort((a, b) => a.order - b.order);
  return {
    steps: placed.map(({ step }) => step),
    omitted:
      (await countVisits(connection, organizationId, members)) -
      placed.filter(({ step }) => step.kind === 'visit').length,
  };
}

type Placed = { readonly order: number; readonly step: JourneyStep };
/** What is selected of a step: its columns are named as its fields. */
type Row<Kind extends JourneyStep['kind']> = Omit<
  Extract<JourneyStep, { kind: Kind }>,
  'kind' | 'alias' | 'userId' | 'reason'
> & {
  readonly order: number;
};
type Read = (
  connection: Queryable,
  organizationId: OrganizationId,
  members: readonly OpportunityId[],
) => Promise<Placed[]>;

/** Leans on visits_opportunity. */
const readVisits: Read = async (connection, organizationId, members) => {
  const { rows } = await connection.query<
    Row<'visit'> & { alias: string | null; userId: UserId | null; reason: string | null }
  >(
    `select v.id as "order", v.occurred_at as at, v.id as "eventId", v.opportunity_id as "opportunityId",
       v.collaborator_id as "collaboratorId", v.user_id as "userId", v.reason,
       (select a.type || ':' || a.code from aliases a where a.organization_id = $1 and a.id = v.alias_id) as alias
     from visits v where v.organization_id = $1 and v.opportunity_id = any ($2::bigint[])
     order by v.id desc limit $3`,
    [organizationId, members, MAX_LISTED_VISITS],
  );
  return rows.map(({ order, alias, userId, reason, ...row }) => ({
    order,
    step: {
      kind: 'visit',
      ...row,
      ...(alias === null ? {} : { alias }),
      ...(userId === null ? {} : { userId }),
      ...(reason === null ? {} : { reason }),
    },
  }));
};

async function countVisits(
  connection: Queryable,
  organizationId: OrganizationId,
  members: readonly OpportunityId[],
): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    'select count(*) as count from visits where organization_id = $1 and opportunity_id = any ($2::bigint[])',
    [organizationId, members],
  );
  return rows[0]?.count ?? 0;
}

/** Leans on engagements_triple. */
const readEngagements: Read = async (connection, organizationId, members) => {
  const { rows } = await connection.query<Row<'engagement'>>(
    `select first_visit_id as "order", first_at as at, id as "engagementId", opportunity_id as "opportunityId",
       program_id as "programId", collaborator_id as "collaboratorId", status, score, last_at as "lastAt"
     from engagements where organization_id = $1 and opportunity_id = any ($2::bigint[]) order by id`,
    [organizationId, members],
  );
  return rows.map(({ order, ...row }) => ({ order, step: { kind: 'engagement', ...row } }));
};

/** A merge draws a number from the events' sequence; the visit that made it comes next, and has the time. */
const readMerges: Read = async (connection, organizationId, members) => {
  const { rows } = await connection.query<Row<'merge'>>(
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

/** Leans on transactions_opportunity. */
const readSales: Read = async (connection, organizationId, members) => {
  const { rows } = await connection.query<Omit<Row<'sale'>, 'total'> & { total: number }>(
    `select event_id as "order", occurred_at as at, id as "transactionId", opportunity_id as "opportunityId", source,
       external_id as "externalId", total, currency, status
     from transactions where organization_id = $1 and opportunity_id = any ($2::bigint[])`,
    [organizationId, members],
  );
  return rows.map(({ order, ...row }) => ({
    order,
    step: { kind: 'sale', ...row, total: BigInt(row.total) as Minor },
  }));
};

const readRefunds: Read = async (connection, organizationId, members) => {
  const { rows } = await connection.query<Omit<Row<'refund'>, 'refundedAmount'> & { refundedAmount: number }>(
    `select e.id as "order", e.occurred_at as at, t.id as "transactionId", t.refunded_amount as "refundedAmount",
       t.currency
     from transactions t
     join events e on e.organization_id = t.organization_id and e.transaction_id = t.id and e.type = 'RefundTriggered'
     where t.organization_id = $1 and t.opportunity_id = any ($2::bigint[])`,
    [organizationId, members],
  );
  return rows.map(({ order, ...row }) => ({
    order,
    step: { kind: 'refund', ...row, refundedAmount: BigInt(row.refundedAmount) as Minor },
  }));
};
