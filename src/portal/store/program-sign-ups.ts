import type { ProgramId } from '#core/ids.ts';
import type { FormField } from '../domain/application-form.ts';
import type { SignUpMode } from '../domain/sign-up.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type ProgramSignUp = {
  readonly mode: SignUpMode;
  readonly headline: string | null;
  readonly fields: readonly FormField[];
  /** The domains of email addresses whose applications are accepted immediately, in lower case and ASCII. */
  readonly acceptedDomains: readonly string[];
};

export async function saveProgramSignUp(
  { connection, organizationId }: Tenant<Connection>,
  programId: ProgramId,
  { mode, headline, fields, acceptedDomains }: ProgramSignUp,
): Promise<void> {
  await connection.query(
    `insert into program_sign_ups (organization_id, program_id, mode, headline, fields, accepted_domains)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (organization_id, program_id) do update
     set mode = $3, headline = $4, fields = $5, accepted_domains = $6, updated_at = now()`,
    [organizationId, programId, mode, headline, JSON.stringify(fields), acceptedDomains],
  );
}
