import type { CreditGround } from '#domain/credit.ts';
import type { CollaboratorId, OrganizationId, ProgramId, Tick, TransactionId } from '#domain/ids.ts';
import type { Candidate } from '#domain/sale-decision.ts';
import type { Connection } from './database.ts';
import { AT_ONCE } from './jobs.ts';

export type CreditKey = {
  readonly transactionId: TransactionId;
  readonly programId: ProgramId;
  readonly collaboratorId: CollaboratorId;
};

/** The state of things at this moment; undefined without the transaction, which is locked where it exists. */
export async function findCreditGround(
  connection: Connection,
  organizationId: OrganizationId,
  { transactionId, programId, collaboratorId }: CreditKey,
): Promise<CreditGround | undefined> {
  const { rows } = await connection.query<
    Omit<CreditGround, 'collaborator'> & {
      active: boolean | null;
      userId: Candidate['collaborator']['userId'];
      enrolled: boolean;
    }
  >(
    `select t.status,
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
  const { active, userId, enrolled, ...ground } = found;
  return { ...ground, collaborator: active === null ? null : { active, userId, enrolled } };
}

/**
 * Writes the event that a credit is, and answers its id: the tick of the credit. Where money of the transaction went back
 * already, the worker is asked to take it off the credit too, as for a refund; until then no run takes it.
 */
export async function recordCredit(
  connection: Connection,
  organizationId: OrganizationId,
  transactionId: TransactionId,
): Promise<Tick> {
  const { rows } = await connection.query<{ tick: Tick }>(
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
     select id as tick from granted`,
    [organizationId, transactionId],
  );
  return (rows[0] as { tick: Tick }).tick;
}
