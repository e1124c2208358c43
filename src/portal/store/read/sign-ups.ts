import type { CollaboratorStatus } from '#collaborators/domain/collaborator.ts';
import type { ProgramId } from '#core/ids.ts';
import type { FormAnswer, FormField } from '../../domain/application-form.ts';
import { SIGN_UPS_FROM_NETWORK } from '../../domain/sign-up-network.ts';
import { NETWORK_SIGNAL, type SignUpSignal } from './sign-up-signals.ts';
import { type SignUpMode, type SignUpStatus, signUpStatus } from '../../domain/sign-up.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ProgramSignUp } from '../program-sign-ups.ts';
import { countCustomRates, type ProgramFields, programFields, type StoredFields } from '#programs/store/programs.ts';
import { invitationLinkStatus } from '../../domain/invitation-link.ts';
import { findInvitationLink } from '../invitation-links.ts';
import { withCustomRate } from '#programs/domain/program-terms.ts';
import { readTerms } from '#programs/store/program-versions.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type SignUpResource = {
  readonly id: number;
  readonly programId: ProgramId;
  readonly programName: string;
  readonly status: SignUpStatus;
  readonly answers: readonly FormAnswer[];
  readonly signals: readonly SignUpSignal[];
  readonly createdAt: Date;
};

type Row = Omit<SignUpResource, 'status' | 'signals'> & {
  readonly signal: SignUpSignal | null;
  readonly collaboratorId: number;
  readonly collaborator: CollaboratorStatus;
  readonly mayEarn: boolean;
};

export const signUps: Relation<Row, SignUpResource> = {
  query: `
    select s.organization_id, s.id, s.collaborator_id as "collaboratorId", s.program_id as "programId",
      v.name as "programName", c.status as collaborator, s.answers, s.created_at as "createdAt",
      v.enrollment = 'everyone' or exists (
        select from enrollments e
        where e.organization_id = s.organization_id and e.program_id = s.program_id
          and e.collaborator_id = s.collaborator_id and e.until_version is null
      ) as "mayEarn",
      ${NETWORK_SIGNAL} as signal
    from sign_ups s
    join collaborators c on c.organization_id = s.organization_id and c.id = s.collaborator_id
    join programs p on p.organization_id = s.organization_id and p.id = s.program_id
    join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
    left join program_sign_ups q on q.organization_id = s.organization_id and q.program_id = s.program_id`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  // The first slice is small, because a sign-up can have 20 long answers.
  firstSlice: 10,
  read: ({ collaboratorId: _, collaborator, mayEarn, signal, ...row }) => ({
    ...row,
    status: signUpStatus(collaborator, mayEarn),
    signals: signal === null ? [] : [signal],
  }),
};

/** Returns the sign-up settings of a program. The default is closed. */
export async function readProgramSignUp(
  { connection, organizationId }: Tenant,
  programId: ProgramId,
): Promise<ProgramSignUp> {
  const { rows } = await connection.query<ProgramSignUp>(
    `select mode, headline, fields, accepted_domains as "acceptedDomains",
       sign_ups_from_network as "signUpsFromNetwork"
     from program_sign_ups where organization_id = $1 and program_id = $2`,
    [organizationId, programId],
  );
  const { initial } = SIGN_UPS_FROM_NETWORK;
  return rows[0] ?? { mode: 'closed', headline: null, fields: [], acceptedDomains: [], signUpsFromNetwork: initial };
}

export type OfferedProgram = {
  readonly id: ProgramId;
  readonly mode: SignUpMode;
  readonly headline: string | null;
  readonly form: readonly FormField[];
  readonly fields: ProgramFields;
};

/** The maximum number of programs that a portal offers. Anyone can load them, so the response must stay small. */
export const MAX_OFFERED = 50;

/**
 * Returns up to `limit` active programs that are open to sign-up, sorted by name. Custom rates are left out, because
 * visitors don't see them.
 */
export async function readOfferedPrograms(
  { connection, organizationId }: Tenant,
  limit: number,
): Promise<OfferedProgram[]> {
  const { rows } = await connection.query<OfferedRow>(
    `${OFFERED} and s.mode <> 'closed' order by v.name, p.id limit $2`,
    [organizationId, limit],
  );
  return rows.map(offeredOf);
}

/** Returns a program if it is active and open to sign-up, or undefined. */
export async function findOfferedProgram(
  { connection, organizationId }: Tenant,
  id: ProgramId,
): Promise<OfferedProgram | undefined> {
  const { rows } = await connection.query<OfferedRow>(`${OFFERED} and s.mode <> 'closed' and p.id = $2`, [
    organizationId,
    id,
  ]);
  return rows[0] && offeredOf(rows[0]);
}

/** SQL for the active programs of an organization with their sign-up settings. */
const OFFERED = `
  select p.id, coalesce(s.mode, 'closed') as mode, s.headline, coalesce(s.fields, '[]') as form,
    ${programFields('null::jsonb')}
  from programs p
  join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
  left join program_sign_ups s on s.organization_id = p.organization_id and s.program_id = p.id
  where p.organization_id = $1 and v.status = 'active'`;

type OfferedRow = Omit<OfferedProgram, 'fields'> & StoredFields;

function offeredOf({ id, mode, headline, form, ...fields }: OfferedRow): OfferedProgram {
  return { id, mode, headline, form, fields: readTerms(fields) };
}

export type Invitation = { readonly linkId: number; readonly program: OfferedProgram };

/**
 * Returns the program that an invitation link opens, with the mode `open` and the link's rate. Returns undefined if the
 * link can't be used or its program isn't active.
 */
export async function readInvitation(tenant: Tenant, token: string): Promise<Invitation | undefined> {
  const link = await findInvitationLink(tenant, token);
  if (link === undefined) return undefined;
  if (invitationLinkStatus(link, await countCustomRates(tenant, null), new Date()) !== 'open') return undefined;
  const { rows } = await tenant.connection.query<OfferedRow>(`${OFFERED} and p.id = $2`, [
    tenant.organizationId,
    link.programId,
  ]);
  if (rows[0] === undefined) return undefined;
  const { fields, ...offered } = offeredOf(rows[0]);
  const terms = link.reward === null ? fields : withCustomRate(fields, link.reward);
  return { linkId: link.id, program: { ...offered, fields: terms, mode: 'open' } };
}
