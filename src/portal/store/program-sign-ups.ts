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
  /** The number of applicants from one network within COUNTED_DAYS that is a fraud signal. Null if off. */
  readonly signUpsFromNetwork: number | null;
};

export async function saveProgramSignUp(
  { connection, organizationId }: Tenant<Connection>,
  programId: ProgramId,
  { mode, headline, fields, acceptedDomains, signUpsFromNetwork }: ProgramSignUp,
): Promise<void> {
  await connection.query(
    `insert into program_sign_ups
       (organization_id, program_id, mode, headline, fields, accepted_domains, sign_ups_from_network)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (organization_id, program_id) do update
     set mode = $3, headline = $4, fields = $5, accepted_domains = $6, sign_ups_from_network = $7, updated_at = now()`,
    [organizationId, programId, mode, headline, JSON.stringify(fields), acceptedDomains, signUpsFromNetwork],
  );
}
