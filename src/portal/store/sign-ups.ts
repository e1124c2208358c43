import { addressOf } from '#access/domain/person.ts';
import type { FormAnswer } from '../domain/application-form.ts';
import { COUNTED_DAYS, NETWORK_DAYS, SIGN_UPS_FROM_NETWORK } from '../domain/sign-up-network.ts';
import type { CollaboratorStatus } from '#collaborators/domain/collaborator.ts';
import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type AddressOwner = {
  readonly id: CollaboratorId;
  readonly name: string;
  readonly status: CollaboratorStatus;
};

/**
 * The number of additional rows that `findByAddress` reads. If the query finds this many look-alike addresses, it still
 * finds the collaborators with the address itself.
 */
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
  // PostgreSQL also finds addresses with letters such as `İ`, which it turns into `i`. Remove these look-alikes, which
  // belong to another mailbox.
  return rows.filter(({ email }) => addressOf(email) === addressOf(address)).slice(0, limit);
}

export type NewSignUp = {
  readonly collaboratorId: CollaboratorId;
  readonly programId: ProgramId;
  readonly answers: readonly FormAnswer[];
  /** The keyed hash of the applicant's network in base64. */
  readonly network?: string | undefined;
};

/**
 * Stores a sign-up with the number of applicants from its network, and raises this number on the earlier sign-ups that
 * were counted. If the collaborator already signed up for the program, their first sign-up keeps its answers, time and
 * network.
 */
export async function insertSignUp(
  { connection, organizationId }: Tenant<Connection>,
  { collaboratorId, programId, answers, network }: NewSignUp,
  applicants: number,
): Promise<void> {
  await connection.query(
    `insert into sign_ups (organization_id, collaborator_id, program_id, answers, network, applicants_from_network)
     values ($1, $2, $3, $4, decode($5, 'base64'), $6)
     on conflict (organization_id, collaborator_id, program_id) do nothing`,
    [organizationId, collaboratorId, programId, JSON.stringify(answers), network ?? null, applicants],
  );
  if (network === undefined) return;
  await connection.query(
    `update sign_ups set applicants_from_network = $3 where ${COUNTED} and applicants_from_network < $3`,
    [organizationId, network, applicants, COUNTED_DAYS],
  );
}

/** SQL for the condition that a sign-up of organization $1 is from network $2 within the last $4 days. */
const COUNTED = `organization_id = $1 and network = decode($2, 'base64') and created_at > now() - make_interval(days => $4)`;

/**
 * Returns the number of collaborators who signed up from a network within COUNTED_DAYS, including the collaborator who
 * signs up now. `known` is their id, if they already exist. Returns at most the highest limit that a program can have,
 * so that a flood of sign-ups doesn't slow down each further sign-up. Uses the index `sign_ups_network`.
 */
export async function countApplicants(
  { connection, organizationId }: Tenant,
  network: string,
  known: CollaboratorId | undefined,
): Promise<number> {
  const { rows } = await connection.query<{ readonly others: number }>(
    `select count(*)::integer as others from (
       select distinct collaborator_id from sign_ups
       where ${COUNTED} and collaborator_id is distinct from $3::bigint limit $5
     ) other`,
    [organizationId, network, known ?? null, COUNTED_DAYS, SIGN_UPS_FROM_NETWORK.most - 1],
  );
  return (rows[0]?.others ?? 0) + 1;
}

/** Deletes up to `limit` hashes of networks after NETWORK_DAYS, and returns their number. */
export async function purgeSignUpNetworks(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-sign-up-networks',
    text: `
      with due as materialized (
        select organization_id, id from sign_ups
        where network is not null and created_at < now() - make_interval(days => $1)
        order by created_at limit $2 for update skip locked
      )
      update sign_ups set network = null where (organization_id, id) in (select * from due)`,
    values: [NETWORK_DAYS, limit],
  });
  return rowCount ?? 0;
}
