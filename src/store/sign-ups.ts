import type { CollaboratorStatus } from '#domain/collaborator.ts';
import type { CollaboratorId, OrganizationId, ProgramId } from '#domain/ids.ts';
import type { Connection, Queryable } from './database.ts';

export type AddressOwner = {
  readonly id: CollaboratorId;
  readonly name: string;
  readonly status: CollaboratorStatus;
};

/** Whose an address is, in any case of its letters; the oldest first, at most `limit`. By collaborators_address. */
export async function findByAddress(
  connection: Queryable,
  organizationId: OrganizationId,
  address: string,
  limit: number,
): Promise<AddressOwner[]> {
  const { rows } = await connection.query<AddressOwner>(
    `select id, name, status from collaborators
     where organization_id = $1 and lower(email) = lower($2) and id > 0 and email is not null
     order by case status when 'active' then 1 when 'pending' then 2 when 'inactive' then 3 else 4 end, id limit $3`,
    [organizationId, address, limit],
  );
  return rows;
}

export type NewSignUp = {
  readonly collaboratorId: CollaboratorId;
  readonly programId: ProgramId;
  readonly question: string | null;
  readonly answer: string | null;
};

/** Keeps what somebody has signed up for. Of the same again the first stays. */
export async function insertSignUp(
  connection: Connection,
  organizationId: OrganizationId,
  { collaboratorId, programId, question, answer }: NewSignUp,
): Promise<void> {
  await connection.query(
    `insert into sign_ups (organization_id, collaborator_id, program_id, question, answer) values ($1, $2, $3, $4, $5)
     on conflict (organization_id, collaborator_id, program_id) do nothing`,
    [organizationId, collaboratorId, programId, question, answer],
  );
}
