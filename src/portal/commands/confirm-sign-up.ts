import { randomInt } from 'node:crypto';
import { nextCode, codeOfName } from '../domain/portal-link.ts';
import type { CollaboratorId, ConfigVersion } from '#core/ids.ts';
import { addressOf } from '#access/domain/person.ts';
import { decideSignUp, modeFor } from '../domain/sign-up.ts';
import { isFraudSignal } from '../domain/sign-up-network.ts';
import { type EmailContext, notifyApproved } from '#collaborators/commands/notify-approved.ts';
import { findCodeOwners, insertAlias } from '#collaborators/store/aliases.ts';
import { aliasKey } from '#collaborators/domain/alias.ts';
import { MAX_TAGS, normalizeTags } from '#collaborators/domain/collaborator.ts';
import {
  type CollaboratorFields,
  findCollaboratorFields,
  insertCollaborator,
  insertCollaboratorVersions,
  updateCollaborator,
} from '#collaborators/store/collaborators.ts';
import { invitationLinkStatus } from '../domain/invitation-link.ts';
import { insertInvitationUse, type InvitationLink, lockInvitationLink } from '../store/invitation-links.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findEnrollmentState, insertEnrollment } from '#programs/store/enrollments.ts';
import type { AskedSignUp } from '../store/entry-links.ts';
import {
  countCustomRates,
  type CurrentProgram,
  findCurrentProgram,
  insertProgramVersion,
} from '#programs/store/programs.ts';
import { sortRewards } from '#programs/domain/program-terms.ts';
import { showReward } from '#programs/store/read/programs.ts';
import { jsonText } from '#core/contract/json-text.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import { readProgramSignUp } from '../store/read/sign-ups.ts';
import { insertAcceptance } from '../store/agreements.ts';
import { countApplicants, findByAddress, insertSignUp } from '../store/sign-ups.ts';

/**
 * Applies a sign-up whose email address is confirmed. Returns the id of the collaborator with the address, or undefined
 * if no such collaborator can log in to the portal. Concurrent confirmations run one at a time, so an address gets only
 * one collaborator, and the applicants from a network are counted exactly. A collaborator gets the same email whether
 * they are accepted immediately or approved later.
 */
export async function confirmSignUp(
  tenant: Tenant<Connection>,
  emailContext: EmailContext,
  { network: signedUpFrom, ...asked }: AskedSignUp,
): Promise<CollaboratorId | undefined> {
  await lockConfiguration(tenant);
  const [known] = await findByAddress(tenant, addressOf(asked.email), 1);
  const program = await findCurrentProgram(tenant, asked.programId);
  const how = await readProgramSignUp(tenant, asked.programId);
  // If the program has no limit, store no hash of the network.
  const network = how.signUpsFromNetwork === null ? undefined : signedUpFrom;
  const signUp = { ...asked, network };
  const mode = modeFor(how.mode, how.acceptedDomains, addressOf(signUp.email));
  const isActive = program?.fields.status === 'active';
  const link = isActive ? await findOpenLink(tenant, signUp) : undefined;
  const applicants = network === undefined ? 0 : await countApplicants(tenant, network, known?.id);
  const decision = decideSignUp(isActive ? mode : 'closed', known?.status, {
    isInvited: link !== undefined,
    isSuspicious: isFraudSignal(applicants, how.signUpsFromNetwork),
  });
  switch (decision.kind) {
    case 'turned-away':
      return undefined;
    case 'closed':
      return known?.id;
    case 'created': {
      const version = await changeConfiguration(tenant);
      const id = await makeCollaborator(tenant, signUp, decision.status, link?.tags ?? [], version);
      await enroll(tenant, program, signUp, id, async () => version);
      if (link !== undefined) {
        await applyRate(tenant, link, program as CurrentProgram, id, async () => version);
        await insertInvitationUse(tenant, link.id, id);
      }
      await insertSignUp(tenant, { ...signUp, collaboratorId: id }, applicants);
      // The applicant accepted this version, even if a newer version was published before they confirmed their address.
      if (signUp.agreementVersion !== undefined) await insertAcceptance(tenant, id, signUp.agreementVersion);
      if (decision.status === 'active') await notifyApproved(tenant, emailContext, [id]);
      return id;
    }
    case 'added': {
      const id = (known as { id: CollaboratorId }).id;
      let version: ConfigVersion | undefined;
      const nextVersion = async () => (version ??= await changeConfiguration(tenant));
      const isEnrolled = decision.enrolls && (await enroll(tenant, program, signUp, id, nextVersion));
      if (link !== undefined) {
        await applyTags(tenant, link, id, decision.activates, nextVersion);
        const isFirstUse = await insertInvitationUse(tenant, link.id, id);
        const joins = isEnrolled || known?.status === 'pending';
        if (joins && isFirstUse) await applyRate(tenant, link, program as CurrentProgram, id, nextVersion);
      }
      if (decision.activates) await notifyApproved(tenant, emailContext, [id]);
      // Anyone can send a sign-up with the address of an existing collaborator, so don't record that this collaborator
      // accepted the agreement.
      await insertSignUp(tenant, { ...signUp, collaboratorId: id }, applicants);
      return id;
    }
    default:
      return decision satisfies never;
  }
}

async function makeCollaborator(
  tenant: Tenant<Connection>,
  { name, email, code }: AskedSignUp,
  status: 'active' | 'pending',
  tags: readonly string[],
  version: ConfigVersion,
): Promise<CollaboratorId> {
  // Store the address that was confirmed. PostgreSQL's `lower` turns some letters of the typed address, such as `İ`,
  // into letters of another person's address.
  const confirmed = { name, email: addressOf(email), nickname: null, userId: null } as const;
  const id = await insertCollaborator(tenant, { ...confirmed, status, tags, fraudReview: 'signals' });
  await insertCollaboratorVersions(tenant, [id], version);
  const free = await findFreeCode(tenant, code ?? codeOfName(name));
  await insertAlias(tenant, id, { type: 'tracking', code: free }, version);
  return id;
}

/**
 * Locks and returns the invitation link of a sign-up. Returns undefined if the link can no longer be used. The
 * sign-up then counts as a sign-up without a link.
 */
async function findOpenLink(tenant: Tenant<Connection>, { linkId }: AskedSignUp): Promise<InvitationLink | undefined> {
  const link = linkId === undefined ? undefined : await lockInvitationLink(tenant, linkId);
  if (link === undefined) return undefined;
  return invitationLinkStatus(link, await countCustomRates(tenant, null), new Date()) === 'open' ? link : undefined;
}

/**
 * Adds the tags of an invitation link to an existing collaborator. If `activates` is true, also activates the
 * collaborator.
 */
async function applyTags(
  tenant: Tenant<Connection>,
  link: InvitationLink,
  id: CollaboratorId,
  activates: boolean,
  nextVersion: () => Promise<ConfigVersion>,
): Promise<void> {
  const fields = (await findCollaboratorFields(tenant, id)) as CollaboratorFields;
  const tags = normalizeTags([...fields.tags, ...link.tags]).slice(0, MAX_TAGS);
  if (!activates && tags.length === fields.tags.length) return;
  await updateCollaborator(tenant, id, { ...fields, tags, status: activates ? 'active' : fields.status });
  if (activates) await insertCollaboratorVersions(tenant, [id], await nextVersion());
}

/**
 * Gives a collaborator the custom rate of the invitation link with which they join, and records it in the audit log. A
 * collaborator who already has a custom rate in the program keeps it. Requires the configuration lock, so concurrent
 * edits of the program don't lose the rate.
 */
async function applyRate(
  tenant: Tenant<Connection>,
  { id: linkId, programId, reward }: InvitationLink,
  { version, fields }: CurrentProgram,
  collaboratorId: CollaboratorId,
  nextVersion: () => Promise<ConfigVersion>,
): Promise<void> {
  const { collaboratorRewards: rates } = fields;
  if (reward === null || rates.some((rate) => rate.collaboratorId === collaboratorId)) return;
  const changed = sortRewards({ ...fields, collaboratorRewards: [...rates, { collaboratorId, reward }] });
  await insertProgramVersion(tenant, programId, version + 1, await nextVersion(), changed);
  await insertAuditEntry(tenant, {
    author: `collaborator ${collaboratorId}`,
    operation: 'joinWithRate',
    path: `/v1/programs/${programId}`,
    request: null,
    before: null,
    after: jsonText({ invitationLinkId: linkId, collaboratorId, reward: showReward(reward) }),
  });
}

/** The number of candidate codes that one query checks. */
const CODES_AT_ONCE = 100;
/** The upper bound of random numbers in codes. */
const CODE_NUMBERS_BELOW = 1_000_000_000;

/**
 * Returns the first unused alias code derived from `wish`. If many such codes are used, the code has a random number, so
 * that the search doesn't take long. Former codes count as used, because links of their former owners may still be in
 * use. Requires the configuration lock.
 */
export async function findFreeCode(tenant: Tenant<Connection>, wish: string): Promise<string> {
  for (let round = 0; ; round += 1) {
    const codes = Array.from({ length: CODES_AT_ONCE }, (_, tries) =>
      nextCode(wish, round === 0 ? tries : randomInt(CODES_AT_ONCE, CODE_NUMBERS_BELOW)),
    );
    const owners = await findCodeOwners(tenant, 'tracking', codes);
    const free = codes.find((code) => !owners.has(aliasKey(code)));
    if (free !== undefined) return free;
  }
}

/**
 * Enrolls a collaborator in a program, unless they are already enrolled or the program is for all collaborators.
 * Returns whether the collaborator was enrolled by this call.
 */
async function enroll(
  tenant: Tenant<Connection>,
  program: CurrentProgram | undefined,
  { programId }: AskedSignUp,
  collaboratorId: CollaboratorId,
  nextVersion: () => Promise<ConfigVersion>,
): Promise<boolean> {
  if (program?.fields.enrollment !== 'selected') return false;
  const key = { programId, collaboratorId };
  if ((await findEnrollmentState(tenant, key)) === 'enrolled') return false;
  await insertEnrollment(tenant, key, await nextVersion());
  return true;
}
