import type { ProgramId } from '#core/ids.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type ProgramSignUp, saveProgramSignUp } from '../store/program-sign-ups.ts';
import { findCurrentProgram } from '#programs/store/programs.ts';
import { readProgramSignUp } from '../store/read/sign-ups.ts';
import { changedFields } from '#platform/changed-fields.ts';

/** The sign-up settings to change. Undefined settings stay unchanged. */
export type ProgramSignUpChange = { readonly [Field in keyof ProgramSignUp]?: ProgramSignUp[Field] | undefined };

export type ProgramSignUpChangeOutcome =
  | { readonly kind: 'changed'; readonly signUp: ProgramSignUp }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deleted' };

/** Changes the sign-up settings of a program, unless the program is unknown or deleted. */
export function changeProgramSignUp(
  tenant: Tenant<Database>,
  programId: ProgramId,
  change: ProgramSignUpChange,
): Promise<ProgramSignUpChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const program = await findCurrentProgram(tenant, programId);
    if (program === undefined) return { kind: 'unknown' };
    const current = await readProgramSignUp(tenant, programId);
    const changed = changedFields(current, change);
    if (changed === undefined) return { kind: 'changed', signUp: current };
    if (program.fields.status === 'deleted') return { kind: 'deleted' };
    await saveProgramSignUp(tenant, programId, changed);
    return { kind: 'changed', signUp: changed };
  });
}
