import type { ProgramId } from '#core/ids.ts';
import type { SignUpMode } from '../domain/sign-up.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type ProgramSignUp = {
  readonly mode: SignUpMode;
  readonly headline: string | null;
  readonly question: string | null;
};

export async function saveProgramSignUp(
  { connection, organizationId }: Tenant<Connection>,
  programId: ProgramId,
  { mode, headline, question }: ProgramSignUp,
): Promise<void> {
  await connection.query(
    `insert into program_sign_ups (organization_id, program_id, mode, headline, question) values ($1, $2, $3, $4, $5)
     on conflict (organization_id, program_id) do update set mode = $3, headline = $4, question = $5, updated_at = now()`,
    [organizationId, programId, mode, headline, question],
  );
}
