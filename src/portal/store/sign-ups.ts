import { addressOf } from '#access/domain/person.ts';
import type { FormAnswer } from '../domain/application-form.ts';
import type { CollaboratorStatus } from '#collaborators/domain/collaborator.ts';
import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type AddressOwner = {
  readonly id: CollaboratorId;
  readonly name: string;
  readonly status: CollaboratorStatus;
};

/** The number of look-alike addresses that can't hide the collaborators with an address. */
const MAX_LOOK_ALIKES = 20;

/**
 * Returns the collaborators with an email address, ignoring case, at most `limit`. They are sorted by status (active,
 * pending, inactive, then all others), and within a status, the oldest first. Uses the index `collaborators_address`.
 */
export async function findByAddress(
  { connection, organizationId }: Tenant,
  address: string,
  limit: number,
): Promise<AddressOwner[]> {
  const { rows } = await connection.query<AddressOwner & { readonly email: string }>(
    `select id, name, status, email from collaborators
     where organization_id = $1 and lower(email) = lower($2) and id > 0 and email is not null
     order by case status when 'active' then 1 when 'pending' then 2 when 'inactive' then 3 else 4 end, id limit $3`,
    [organizationId, address, limit + MAX_LOOK_ALIKES],
  );
  // PostgreSQL also finds addresses with letters such as `İ`, which it turns into `i`. They belong to another mailbox.
  return rows.filter(({ email }) => addressOf(email) === addressOf(address)).slice(0, limit);
}

export type NewSignUp = {
  readonly collaboratorId: CollaboratorId;
  readonly programId: ProgramId;
  readonly answers: readonly FormAnswer[];
};

/** Stores a sign-up. If the collaborator already signed up for the program, their first sign-up stays unchanged. */
export async function insertSignUp(
  { connection, organizationId }: Tenant<Connection>,
  { collaboratorId, programId, answers }: NewSignUp,
): Promise<void> {
  await connection.query(
    `insert into sign_ups (organization_id, collaborator_id, program_id, answers) values ($1, $2, $3, $4)
     on conflict (organization_id, collaborator_id, program_id) do nothing`,
    [organizationId, collaboratorId, programId, JSON.stringify(answers)],
  );
}
