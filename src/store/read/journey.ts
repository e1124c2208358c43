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
type Read = (
  connection: Queryable,
  organizationId: OrganizationId,
  members: readonly OpportunityId[],
) => Promise<Placed[]>;

/** Leans on visits_opportunity. */
const readVisits: Read = async (connection, organizationId, members) => {
  const { rows } = await connection.query<{
    event_id: EventId;
    at: Date;
    opportunity_id: OpportunityId;
    collaborator_id: CollaboratorId;
    alias: string | null;
    user_id: UserId | null;
    reason: string | null;
  }>(
    `select v.id as event_id, v.occurred_at as at, v.opportunity_id, v.collaborator_id, v.user_id, v.reason,
       (select a.type || ':' || a.code from aliases a where a.organization_id = $1 and a.id = v.alias_id) as alias
     from visits v where v.organization_id = $1 and v.opportunity_id = any ($2::bigint[])
     order by v.id desc limit $3`,
    [organizationId, members, MAX_LISTED_VISITS],
  );
  return rows.map((row) => ({
    order: row.event_id,
    step: {
      kind: 'visit',
      at: row.at,
      eventId: row.event_id,
      opportunityId: row.opportunity_id,
      collaboratorId: row.collaborator_id,
      ...(row.alias === null ? {} : { alias: row.alias }),
      ...(row.user_id === null ? {} : { userId: row.user_id }),
      ...(row.reason === null ? {} : { reason: row.reason }),
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
  const { rows } = await connection.query<{
    id: EngagementId;
    order: number;
    opportunity_id: OpportunityId;
    program_id: ProgramId;
    collaborator_id: CollaboratorId;
    status: string;
    score: number;
    first_at: Date;
    last_at: Date;
  }>(
    `select id, first_visit_id as "order", opportunity_id, program_id, collaborator_id, status, score, first_at, last_at
     from engagements where organization_id = $1 and opportunity_id = any ($2::bigint[]) order by id`,
    [organizationId, members],
  );
  return rows.map((row) => ({
    order: row.order,
    step: {
      kind: 'engagement',
      at: row.first_at,
      engagementId: row.id,
      opportunityId: row.opportunity_id,
      programId: row.program_id,
      collaboratorId: row.collaborator_id,
      status: row.status,
      score: row.score,
      lastAt: row.last_at,
    },
  }));
};

/** A merge draws a number from the events' sequence; the visit that made it comes next, and has the time. */
const readMerges: Read = async (connection, organizationId, members) => {
  const { rows } = await connection.query<{
    order: number;
    id: OpportunityId;
    merged_into: OpportunityId;
    at: Date | null;
  }>(
    `select o.merged_by as "order", o.id, o.merged_into,
       (select v.occurred_at from visits v
        where v.organization_id = $1 and v.opportunity_id = any ($2::bigint[]) and v.id >= o.merged_by
        order by v.id limit 1) as at
     from opportunities o
     where o.organization_id = $1 and o.id = any ($2::bigint[]) and o.merged_into is not null`,
    [organizationId, members],
  );
  return rows.map((row) => ({
    order: row.order,
    step: { kind: 'merge', at: row.at, opportunityId: row.id, mergedInto: row.merged_into },
  }));
};

/** Leans on transactions_opportunity. */
const readSales: Read = async (connection, organizationId, members) => {
  const { rows } = await connection.query<{
    id: TransactionId;
    order: number;
    opportunity_id: OpportunityId;
    source: string;
    external_id: string;
    total: number;
    currency: string;
    status: string;
    occurred_at: Date;
  }>(
    `select id, event_id as "order", opportunity_id, source, external_id, total, currency, status, occurred_at
     from transactions where organization_id = $1 and opportunity_id = any ($2::bigint[])`,
    [organizationId, members],
  );
  return rows.map((row) => ({
    order: row.order,
    step: {
      kind: 'sale',
      at: row.occurred_at,
      transactionId: row.id,
      opportunityId: row.opportunity_id,
      source: row.source,
      externalId: row.external_id,
      total: BigInt(row.total) as Minor,
      currency: row.currency,
      status: row.status,
    },
  }));
};

const readRefunds: Read = async (connection, organizationId, members) => {
  const { rows } = await connection.query<{
    id: TransactionId;
    order: number;
    refunded_amount: number;
    currency: string;
    at: Date;
  }>(
    `select t.id, e.id as "order", t.refunded_amount, t.currency, e.occurred_at as at
     from transactions t
     join events e on e.organization_id = t.organization_id and e.transaction_id = t.id and e.type = 'RefundTriggered'
     where t.organization_id = $1 and t.opportunity_id = any ($2::bigint[])`,
    [organizationId, members],
  );
  return rows.map((row) => ({
    order: row.order,
    step: {
      kind: 'refund',
      at: row.at,
      transactionId: row.id,
      refundedAmount: BigInt(row.refunded_amount) as Minor,
      currency: row.currency,
    },
  }));
};
