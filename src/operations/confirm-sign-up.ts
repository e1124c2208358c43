import { nextCode, codeOfName } from '#domain/portal-link.ts';
import type { CollaboratorId, ConfigVersion, OrganizationId } from '#domain/ids.ts';
import { addressOf } from '#domain/person.ts';
import { decideSignUp } from '#domain/sign-up.ts';
import { findCodeOwners, insertAlias } from '#store/aliases.ts';
import { aliasKey } from '#domain/alias.ts';
import { insertCollaborator, insertCollaboratorVersions } from '#store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#store/configuration.ts';
import type { Connection } from '#store/database.ts';
import { findEnrollmentState, insertEnrollment } from '#store/enrollments.ts';
import type { AskedSignUp } from '#store/entry-links.ts';
import type { ProgramSignUp } from '#store/program-sign-ups.ts';
import { type CurrentProgram, findCurrentProgram } from '#store/programs.ts';
import { readProgramSignUp } from '#store/read/sign-ups.ts';
import { findByAddress, insertSignUp } from '#store/sign-ups.ts';

/**
 * Does what somebody has signed up for, now that their address is theirs. Answers who they are; undefined where they may
 * not come in. Several confirmations of one address come one after the other, and make one collaborator.
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

/** Enough to be read at once, and few enough to be. */
const CODES_AT_ONCE = 100;

/** The first code like `wish` that nobody has or had: links of an earlier owner may still be about. Needs the lock. */
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

/** A program that is for everyone enrols nobody. */
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
