import type { OrganizationId } from '#core/ids.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Tenant } from '../postgres/tenant.ts';

/**
 * Queues emails in the transaction of the change that they report. Each message must be an email that a SecretBox has
 * encrypted. An email that is not sent within `expiresInSeconds` is deleted.
 */
export async function insertEmails(
  { connection, organizationId }: Tenant,
  messages: readonly Uint8Array[],
  expiresInSeconds: number,
): Promise<void> {
  await connection.query(
    `insert into outgoing_emails (organization_id, message, expires_at)
     select $1, message, now() + make_interval(secs => $3) from unnest($2::bytea[]) as message`,
    [organizationId, messages, expiresInSeconds],
  );
}

export type WaitingEmail = {
  readonly organizationId: OrganizationId;
  readonly id: number;
  readonly message: Buffer;
  /** The number of attempts to send the email, including the current attempt. */
  readonly tries: number;
  readonly isLate: boolean;
};

/**
 * Claims up to `limit` due emails for `leaseSeconds`. During that time, no other process claims them. If an email is
 * neither deleted nor delayed during the lease, it is claimed again, because its process is assumed to be lost.
 * Organizations take turns, so an organization with many emails doesn't delay other organizations. Within an
 * organization, the email that expires first is sent first, so a login link doesn't wait for notices. The query skips
 * from organization to organization, so its cost doesn't depend on the number of due emails.
 */
export async function claimEmails(connection: Queryable, limit: number, leaseSeconds: number): Promise<WaitingEmail[]> {
  const { rows } = await connection.query<WaitingEmail>({
    name: 'claim-emails',
    text: `
      with recursive waiting (organization_id) as (
        (select organization_id from outgoing_emails order by organization_id limit 1)
        union all
        select n.organization_id from waiting w cross join lateral (
          select organization_id from outgoing_emails
          where organization_id > w.organization_id order by organization_id limit 1
        ) n
      ), due as materialized (
        select organization_id, id from (
          select d.*, row_number() over (partition by d.organization_id order by d.expires_at, d.id) as place
          from waiting w cross join lateral (
            select organization_id, id, expires_at, due_at from outgoing_emails
            where organization_id = w.organization_id
              and (due_at <= now()) is true -- in a form that doesn't match the index \`outgoing_emails_due\`
            order by expires_at, id limit $1 for update skip locked
          ) d
        ) d order by place, due_at limit $1
      )
      update outgoing_emails m set tries = tries + 1, due_at = now() + make_interval(secs => $2)
      from due d where m.organization_id = d.organization_id and m.id = d.id
      returning m.organization_id as "organizationId", m.id, m.message, m.tries, m.expires_at <= now() as "isLate"`,
    values: [limit, leaseSeconds],
  });
  return rows;
}

/** Returns whether an organization has at least `number` emails that are not sent yet. */
export async function hasWaitingEmails({ connection, organizationId }: Tenant, number: number): Promise<boolean> {
  const { rowCount } = await connection.query(
    'select from outgoing_emails where organization_id = $1 limit 1 offset $2',
    [organizationId, number - 1],
  );
  return rowCount === 1;
}

/** Deletes an email that was sent or that must no longer be sent. */
export async function removeEmail(connection: Queryable, { organizationId, id }: WaitingEmail): Promise<void> {
  await connection.query('delete from outgoing_emails where organization_id = $1 and id = $2', [organizationId, id]);
}

/** Schedules the next attempt to send an email in `seconds`, unless another process has claimed the email since. */
export async function delayEmail(
  connection: Queryable,
  { organizationId, id, tries }: WaitingEmail,
  seconds: number,
): Promise<void> {
  await connection.query(
    `update outgoing_emails set due_at = now() + make_interval(secs => $4) where organization_id = $1 and id = $2 and tries = $3`,
    [organizationId, id, tries, seconds],
  );
}
