import type { CollaboratorId } from '#core/ids.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { CollaboratorSignalOf } from '#reporting/domain/collaborator-signal.ts';
import { COUNTED_DAYS, SIGN_UPS_FROM_NETWORK } from '../../domain/sign-up-network.ts';

/** The fraud signal of a sign-up, with the other collaborators who applied from the same network. */
export type SignUpSignal = {
  readonly reason: 'sign-ups-from-network';
  readonly value: number;
  readonly limit: number;
  readonly collaborators: readonly { readonly id: CollaboratorId; readonly name: string }[];
};

/**
 * SQL for the limit in the sign-up settings `q`. For a program without sign-up settings, `q` is null, and the initial
 * limit applies.
 */
const THRESHOLD = `case when q.program_id is null then ${SIGN_UPS_FROM_NETWORK.initial} else q.sign_ups_from_network end`;

/** SQL for the condition that the sign-up `s` has reached the limit of its program. */
const IS_BEYOND = `s.applicants_from_network >= ${THRESHOLD}`;

/** The maximum number of other collaborators in a fraud signal. */
const SHOWN_COLLABORATORS = 20;
/** The maximum number of sign-ups that are read for a fraud signal. It limits the work during a flood of sign-ups. */
const READ_SIGN_UPS = 100;

/**
 * SQL for the `SignUpSignal` of the sign-up `s` of a program with the sign-up settings `q`, or null. Uses the index
 * `sign_ups_network`.
 */
export const NETWORK_SIGNAL = `
  case when ${IS_BEYOND} then json_build_object(
    'reason', 'sign-ups-from-network', 'value', s.applicants_from_network, 'limit', ${THRESHOLD},
    'collaborators', coalesce((
      select json_agg(json_build_object('id', o.id, 'name', o.name) order by o.id) from (
        select distinct c.id, c.name from (
          select n.collaborator_id from sign_ups n
          where n.organization_id = s.organization_id and n.network = s.network
            and n.created_at > s.created_at - make_interval(days => ${COUNTED_DAYS})
            and n.created_at < s.created_at + make_interval(days => ${COUNTED_DAYS})
          order by n.created_at limit ${READ_SIGN_UPS}
        ) n
        join collaborators c on c.organization_id = s.organization_id and c.id = n.collaborator_id
        where c.id <> s.collaborator_id
        order by c.id limit ${SHOWN_COLLABORATORS}
      ) o
    ), '[]')
  ) end`;

/** The maximum number of sign-ups whose fraud signals are listed. Newer sign-ups are first. */
const LISTED_SIGN_UPS = 1_000;

/**
 * Returns the fraud signals of sign-ups whose network is still stored, newest first. Leaves out collaborators whom the
 * merchant has rejected or deleted.
 */
export async function readSignUpSignals({ connection, organizationId }: Tenant): Promise<CollaboratorSignalOf[]> {
  const { rows } = await connection.query<Omit<CollaboratorSignalOf, keyof SignUpSignal> & { signal: SignUpSignal }>({
    name: 'read-sign-up-signals',
    text: `
      select c.id as "collaboratorId", c.name as "collaboratorName", s.program_id as "programId",
        v.name as "programName", ${NETWORK_SIGNAL} as signal
      from sign_ups s
      join collaborators c on c.organization_id = s.organization_id and c.id = s.collaborator_id
      join programs p on p.organization_id = s.organization_id and p.id = s.program_id
      join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
      left join program_sign_ups q on q.organization_id = s.organization_id and q.program_id = s.program_id
      where s.organization_id = $1 and s.network is not null and ${IS_BEYOND} and c.status not in ('rejected', 'deleted')
      order by s.id desc limit ${LISTED_SIGN_UPS}`,
    values: [organizationId],
  });
  return rows.map(({ signal, ...of }) => ({ ...of, ...signal }));
}
