import type { CreditGround } from '../domain/credit.ts';
import type { CollaboratorId, ProgramId, Seq, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Candidate } from '../domain/facts.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { AT_ONCE } from '#platform/worker/jobs.ts';

export type CreditKey = {
  readonly transactionId: TransactionId;
  readonly programId: ProgramId;
  readonly collaboratorId: CollaboratorId;
};

/**
 * Returns the current facts for a manual credit and the transaction's total after corrections. Returns undefined if the
 * transaction doesn't exist. The caller must have locked the transaction.
 */
export async function findCreditGround(
  { connection, organizationId }: Tenant<Connection>,
  { transactionId, programId, collaboratorId }: CreditKey,
): Promise<(CreditGround & { readonly total: Minor }) | undefined> {
  const { rows } = await connection.query<
    Omit<CreditGround, 'collaborator'> & {
      total: number;
      active: boolean | null;
      userId: Candidate['collaborator']['userId'];
      enrolled: boolean;
    }
  >(
    `select t.status, t.total,
       exists (select from explanations x where x.organization_id = $1 and x.transaction_id = t.id) as "isDecided",
       exists (
         select from conversions c where c.organization_id = $1 and c.transaction_id = t.id
           and c.program_id = $3 and c.collaborator_id = $4 and (c.type = 'manual' or c.status <> 'rejected')
       ) as "isCredited",
       p.version as "programVersion",
       c.status = 'active' as active,
       c.user_id as "userId",
       exists (
         select from enrollments e where e.organization_id = $1 and e.program_id = $3 and e.collaborator_id = $4
           and e.until_version is null
       ) as enrolled
     from transactions t
     left join (
       select p.id, p.version from programs p
       join program_versions v
         on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version and v.status <> 'deleted'
       where p.organization_id = $1 and p.id = $3
     ) p on true
     left join collaborators c on c.organization_id = $1 and c.id = $4 and c.status <> 'deleted'
     where t.organization_id = $1 and t.id = $2`,
    [organizationId, transactionId, programId, collaboratorId],
  );
  const [found] = rows;
  if (found === undefined) return undefined;
  const { active, userId, enrolled, total, ...ground } = found;
  return {
    ...ground,
    total: BigInt(total) as Minor,
    collaborator: active === null ? null : { active, userId, enrolled },
  };
}

/**
 * Returns the number of manual credits on a locked transaction, and the sum that they awarded, in hundredths. Rejected
 * credits count only for the number.
 */
export async function sumCredits(
  { connection, organizationId }: Tenant<Connection>,
  transactionId: TransactionId,
): Promise<{ readonly count: number; readonly sum: Minor }> {
  const { rows } = await connection.query<{ count: number; sum: string }>(
    `select count(*), coalesce(sum(awarded) filter (where status <> 'rejected'), 0)::text as sum from conversions
     where organization_id = $1 and transaction_id = $2 and type = 'manual'`,
    [organizationId, transactionId],
  );
  const { count, sum } = rows[0] as { count: number; sum: string };
  return { count, sum: BigInt(sum) as Minor };
}

/**
 * Writes the event of a manual credit. Returns the event's id, which is the credit's position in the decision sequence.
 * If the transaction has refunds with a refundId, also adds a job that deducts them from the credit. Payout runs
 * exclude the credit until that job has run.
 */
export async function recordCredit(
  { connection, organizationId }: Tenant<Connection>,
  transactionId: TransactionId,
): Promise<Seq> {
  const { rows } = await connection.query<{ seq: Seq }>(
    `with granted as (
       insert into events (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at)
       select $1, nextval('event_ids'), 'CreditGranted', t.source, t.reported_opportunity_id, t.id, g.config_version, now()
       from transactions t join organizations g on g.id = $1
       where t.organization_id = $1 and t.id = $2
       returning id
     ), queued as (
       insert into jobs (organization_id, event_id, transaction_id, type, run_at)
       select $1, id, $2, 'RefundTriggered', ${AT_ONCE} from granted
       where exists (select from refunds where organization_id = $1 and transaction_id = $2)
     )
     select id as seq from granted`,
    [organizationId, transactionId],
  );
  return (rows[0] as { seq: Seq }).seq;
}

/** Returns whether a report that is at least `seconds` old still has a pending job. Dead-lettered jobs don't count. */
export async function hasBacklog(
  { connection, organizationId }: Tenant<Connection>,
  seconds: number,
): Promise<boolean> {
  const { rows } = await connection.query<{ waits: boolean }>(
    `select exists (
       select from jobs j join events e on e.organization_id = j.organization_id and e.id = j.event_id
       where j.organization_id = $1 and j.dead_lettered_at is null
         and coalesce(e.reported_at, e.occurred_at) <= now() - make_interval(secs => $2)
     ) as waits`,
    [organizationId, seconds],
  );
  return rows[0]?.waits === true;
}
