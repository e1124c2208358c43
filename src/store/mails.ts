import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from './database.ts';

/** Leaves mails to be sent, in the transaction of what they tell. Each message went through the SecretBox. */
export async function insertMails(
  connection: Queryable,
  organizationId: OrganizationId,
  messages: readonly Uint8Array[],
  expiresInSeconds: number,
): Promise<void> {
  await connection.query(
    `insert into mails (organization_id, message, expires_at)
     select $1, message, now() + make_interval(secs => $3) from unnest($2::bytea[]) as message`,
    [organizationId, messages, expiresInSeconds],
  );
}

export type WaitingMail = {
  readonly organizationId: OrganizationId;
  readonly id: number;
  readonly message: Buffer;
  /** This one among them. */
  readonly tries: number;
  readonly isLate: boolean;
};

/**
 * Takes up to `limit` mails that are due, for `leaseSeconds`: whoever has taken them is lost if they are still there then.
 * Two processes never hold the same one.
 */
export async function claimMails(connection: Queryable, limit: number, leaseSeconds: number): Promise<WaitingMail[]> {
  const { rows } = await connection.query<WaitingMail>({
    name: 'claim-mails',
    text: `
      with due as materialized (
        select organization_id, id from mails where due_at <= now() order by due_at limit $1 for update skip locked
      )
      update mails m set tries = tries + 1, due_at = now() + make_interval(secs => $2)
      from due d where m.organization_id = d.organization_id and m.id = d.id
      returning m.organization_id as "organizationId", m.id, m.message, m.tries, m.expires_at <= now() as "isLate"`,
    values: [limit, leaseSeconds],
  });
  return rows;
}

/** It was sent, or is not to be sent any more. */
export async function removeMail(connection: Queryable, { organizationId, id }: WaitingMail): Promise<void> {
  await connection.query('delete from mails where organization_id = $1 and id = $2', [organizationId, id]);
}

/** It is to be tried again, if nobody else has taken it since. */
export async function delayMail(
  connection: Queryable,
  { organizationId, id, tries }: WaitingMail,
  seconds: number,
): Promise<void> {
  await connection.query(
    `update mails set due_at = now() + make_interval(secs => $4) where organization_id = $1 and id = $2 and tries = $3`,
    [organizationId, id, tries, seconds],
  );
}
