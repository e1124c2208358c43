import { nextCode, codeOfName } from '../domain/portal-link.ts';
import type { CollaboratorId, ConfigVersion, OrganizationId } from '#core/ids.ts';
import { addressOf } from '#access/domain/person.ts';
import { decideSignUp } from '../domain/sign-up.ts';
import { findCodeOwners, insertAlias } from '#collaborators/store/aliases.ts';
import { aliasKey } from '#collaborators/domain/alias.ts';
import { insertCollaborator, insertCollaboratorVersions } from '#collaborators/store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import type { Connection } from '#platform/postgres/database.ts';
import { findEnrollmentState, insertEnrollment } from '#programs/store/enrollments.ts';
import type { AskedSignUp } from '../store/entry-links.ts';
import type { ProgramSignUp } from '../store/program-sign-ups.ts';
import { type CurrentProgram, findCurrentProgram } from '#programs/store/programs.ts';
import { readProgramSignUp } from '../store/read/sign-ups.ts';
import { findByAddress, insertSignUp } from '../store/sign-ups.ts';

/**
 * Carries out a sign-up whose email address is confirmed. Returns the collaborator, or undefined if they may not enter
 * the portal. Concurrent confirmations of one address run one after another and create one collaborator.
 */
export async function confirmSignUp(
  connection: Connection,
  organizationId: OrganizationId,
  signUp: AskedSignUp,
): Promise<CollaboratorId | undefined> {
  await lockConfiguration(connection, organizationId);
  const [known] = await findByAddress(connection, organizationId, addressOf(signUp.email), 1);
  const program = await findCurrentProgram(connection, organizationId, signUp.programId);
  const how = await readProgramSignUp(connection, organizationId, signUp.programId);
  const decision = decideSignUp(program?.fields.status === 'active' ? how.mode : 'closed', known?.status);
  switch (decision.kind) {
    case 'turned-away':
      return undefined;
    case 'closed':
      return known?.id;
    case 'created': {
      const version = await changeConfiguration(connection, organizationId);
      const id = await makeCollaborator(connection, organizationId, signUp, decision.status, version);
      await enroll(connection, organizationId, program, signUp, id, async () => version);
      await keep(connection, organizationId, signUp, how, id);
      return id;
    }
    case 'added': {
      const id = (known as { id: CollaboratorId }).id;
      const nextVersion = () => changeConfiguration(connection, organizationId);
      if (decision.enrolls) await enroll(connection, organizationId, program, signUp, id, nextVersion);
      await keep(connection, organizationId, signUp, how, id);
      return id;
    }
    default:
      return decision satisfies never;
  }
}

async function makeCollaborator(
  connection: Connection,
  organizationId: OrganizationId,
  { name, email, code }: AskedSignUp,
  status: 'active' | 'pending',
  version: ConfigVersion,
): Promise<CollaboratorId> {
  const fields = { name, email, nickname: null, status, userId: null };
  const id = await insertCollaborator(connection, organizationId, fields);
  await insertCollaboratorVersions(connection, organizationId, [id], version);
  const free = await findFreeCode(connection, organizationId, code ?? codeOfName(name));
  await insertAlias(connection, organizationId, id, { type: 'tracking', code: free }, version);
  return id;
}

/** The number of codes read in one query. */
const CODES_AT_ONCE = 100;

/**
 * Returns the first code derived from `wish` that nobody has or ever had, because links of a former owner may still be
 * in use. Needs the lock on the configuration.
 */
export async function findFreeCode(
  connection: Connection,
  organizationId: OrganizationId,
  wish: string,
): Promise<string> {
  for (let tries = 0; ; tries += CODES_AT_ONCE) {
    const codes = Array.from({ length: CODES_AT_ONCE }, (_, index) => nextCode(wish, tries + index));
    const owners = await findCodeOwners(connection, organizationId, 'tracking', codes);
    const free = codes.find((code) => !owners.has(aliasKey(code)));
    if (free !== undefined) return free;
  }
}

/** Enrolls the collaborator. A program for everyone needs no enrollment. */
async function enroll(
  connection: Connection,
  organizationId: OrganizationId,
  program: CurrentProgram | undefined,
  { programId }: AskedSignUp,
  collaboratorId: CollaboratorId,
  nextVersion: () => Promise<ConfigVersion>,
): Promise<void> {
  if (program?.fields.enrollment !== 'selected') return;
  const key = { programId, collaboratorId };
  if ((await findEnrollmentState(connection, organizationId, key)) === 'enrolled') return;
  await insertEnrollment(connection, organizationId, key, await nextVersion());
}

function keep(
  connection: Connection,
  organizationId: OrganizationId,
  { programId, answer }: AskedSignUp,
  { question }: ProgramSignUp,
  collaboratorId: CollaboratorId,
): Promise<void> {
  return insertSignUp(connection, organizationId, { collaboratorId, programId, question, answer });
}
