import type { CollaboratorId, TransactionId, UserId } from '#core/ids.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** A collaborator's claim on a purchase of an erased visitor. `visitor` is the negated id of the erasure. */
export type SelfQuestion = {
  readonly transactionId: TransactionId;
  readonly collaboratorId: CollaboratorId;
  readonly visitor: UserId;
};

export type TombstoneMatch = Omit<SelfQuestion, 'visitor'> & {
  /**
   * Whether the collaborator had the visitor's user id in the configuration of the transaction's event. If not, the
   * collaborator had it in an earlier configuration.
   */
  readonly isNow: boolean;
};

/**
 * Returns the claims whose collaborator had the visitor's user id in the configuration of the transaction's event or in
 * an earlier configuration. Uses primary keys.
 */
export async function findTombstones(
  { connection, organizationId }: Tenant,
  questions: readonly SelfQuestion[],
): Promise<TombstoneMatch[]> {
  const { rows } = await connection.query<TombstoneMatch>(
    `select q.transaction_id as "transactionId", q.collaborator_id as "collaboratorId",
       bool_or(s.config_version = current.config_version) as "isNow"
     from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as q (transaction_id, collaborator_id, visitor)
     cross join lateral (
       select event_id from transactions where organization_id = $1 and id = q.transaction_id offset 0
     ) t
     cross join lateral (select config_version from events where organization_id = $1 and id = t.event_id offset 0) e
     cross join lateral (
       select max(config_version) as config_version from collaborator_versions
       where organization_id = $1 and collaborator_id = q.collaborator_id and config_version <= e.config_version
     ) current
     join self_referral_tombstones s on s.organization_id = $1 and s.erasure_id = -q.visitor
       and s.collaborator_id = q.collaborator_id and s.config_version <= e.config_version
     group by 1, 2`,
    [
      organizationId,
      questions.map(({ transactionId }) => transactionId),
      questions.map(({ collaboratorId }) => collaboratorId),
      questions.map(({ visitor }) => visitor),
    ],
  );
  return rows;
}

/** Returns whether the erased visitor had the collaborator's current user id. Uses primary keys. */
export async function hasTombstone(
  { connection, organizationId }: Tenant,
  { collaboratorId, visitor }: Omit<SelfQuestion, 'transactionId'>,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `select from self_referral_tombstones s
     join collaborator_versions v on v.organization_id = $1 and v.collaborator_id = $2
       and v.config_version = s.config_version
     join collaborators c on c.organization_id = $1 and c.id = $2 and c.user_id = v.user_id
     where s.organization_id = $1 and s.erasure_id = -$3::bigint and s.collaborator_id = $2
     limit 1`,
    [organizationId, collaboratorId, visitor],
  );
  return rowCount === 1;
}
