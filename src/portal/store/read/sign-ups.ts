import type { CollaboratorStatus } from '#collaborators/domain/collaborator.ts';
import type { ProgramId } from '#core/ids.ts';
import type { FormAnswer, FormField } from '../../domain/application-form.ts';
import { type SignUpMode, type SignUpStatus, signUpStatus } from '../../domain/sign-up.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ProgramSignUp } from '../program-sign-ups.ts';
import { type ProgramFields, PROGRAM_FIELDS, type StoredFields } from '#programs/store/programs.ts';
import { readTerms } from '#programs/store/program-versions.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type SignUpResource = {
  readonly id: number;
  readonly programId: ProgramId;
  readonly programName: string;
  readonly status: SignUpStatus;
  readonly answers: readonly FormAnswer[];
  readonly createdAt: Date;
};

type Row = Omit<SignUpResource, 'status'> & {
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
      ) as "mayEarn"
    from sign_ups s
    join collaborators c on c.organization_id = s.organization_id and c.id = s.collaborator_id
    join programs p on p.organization_id = s.organization_id and p.id = s.program_id
    join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  read: ({ collaboratorId: _, collaborator, mayEarn, ...row }) => ({
    ...row,
    status: signUpStatus(collaborator, mayEarn),
  }),
};

/** Returns the sign-up settings of a program. The default is closed. */
export async function readProgramSignUp(
  { connection, organizationId }: Tenant,
  programId: ProgramId,
): Promise<ProgramSignUp> {
  const { rows } = await connection.query<ProgramSignUp>(
    `select mode, headline, fields, accepted_domains as "acceptedDomains"
     from program_sign_ups where organization_id = $1 and program_id = $2`,
    [organizationId, programId],
  );
  return rows[0] ?? { mode: 'closed', headline: null, fields: [], acceptedDomains: [] };
}

export type OfferedProgram = {
  readonly id: ProgramId;
  readonly mode: SignUpMode;
  readonly headline: string | null;
  readonly form: readonly FormField[];
  readonly fields: ProgramFields;
};

/** The maximum number of programs that a portal offers. */
export const MAX_OFFERED = 200;

/** Returns up to `limit` active programs that are open to sign-up, sorted by name. */
export async function readOfferedPrograms(
  { connection, organizationId }: Tenant,
  limit: number,
): Promise<OfferedProgram[]> {
  const { rows } = await connection.query<Omit<OfferedProgram, 'fields'> & StoredFields>(
    `select p.id, s.mode, s.headline, s.fields as form, ${PROGRAM_FIELDS}
     from program_sign_ups s
     join programs p on p.organization_id = s.organization_id and p.id = s.program_id
     join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
     where s.organization_id = $1 and s.mode <> 'closed' and v.status = 'active'
     order by v.name, p.id limit $2`,
    [organizationId, limit],
  );
  return rows.map(({ id, mode, headline, form, ...fields }) => ({
    id,
    mode,
    headline,
    form,
    fields: readTerms(fields),
  }));
}
