import {
  type CollaboratorStatus,
  endsPortalSessions,
  isApproval,
  canCollaboratorBecome,
} from '../domain/collaborator.ts';
import type { CollaboratorId, UserId } from '#core/ids.ts';
import { addressOf, mailboxOf } from '#access/domain/person.ts';
import { NOBODY, type PlatformUserId } from '#core/user.ts';
import {
  type CollaboratorFields,
  endPortalAccess,
  findCollaboratorFields,
  insertCollaboratorVersions,
  updateCollaborator,
} from '../store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type CollaboratorResource, collaborators } from '../store/read/collaborators.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { findUsers } from '../store/read/users.ts';
import { lockUser } from '../store/text-users.ts';
import { changedFields } from '#platform/changed-fields.ts';
import type { CollaboratorInput } from './create-collaborator.ts';
import { type EmailContext, notifyApproved } from './notify-approved.ts';
import { queueSecurityNotice } from './queue-notices.ts';
import { addressChangedEmail } from '../wording/emails.ts';
import { removePortalPasskeys } from '#access/store/passkeys.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { takeThrottles, type Throttled } from '#platform/throttles/take-throttles.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';

/** The fields of a collaborator to change. Undefined fields stay unchanged. */
export type CollaboratorChange = {
  readonly [Field in keyof CollaboratorInput]?: CollaboratorInput[Field] | undefined;
} & { readonly rejectionReason?: string | null | undefined };

export type CollaboratorChangeOutcome =
  | { readonly kind: 'changed'; readonly collaborator: CollaboratorResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly from: CollaboratorStatus; readonly to: CollaboratorStatus }
  | Throttled;

/**
 * Changes the given fields of a collaborator. Returns `forbidden` if the collaborator is deleted or the change of
 * status isn't allowed. A change without effect succeeds, even for a deleted collaborator. Creates a configuration
 * version if the status, the user id or the fraud review changes. If the change approves the collaborator, calls
 * `notifyApproved`. If the email address changes, emails the old address, if there is one, because later security
 * notices are sent only to the new address. Changes nothing if that email would exceed a limit.
 *
 * Ends the collaborator's portal sessions and deletes their login links in two cases: if the email address changes, and
 * if the change of status starts or ends their portal access. A changed email address also deletes their passkeys.
 */
export function changeCollaborator(
  tenant: Tenant<Database>,
  emailContext: EmailContext,
  id: CollaboratorId,
  change: CollaboratorChange,
): Promise<CollaboratorChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const fields = await findCollaboratorFields(tenant, id);
    if (fields === undefined) return { kind: 'unknown' };
    const [from, to] = [fields.status, change.status ?? fields.status];
    const isForbidden = from === 'deleted' || !canCollaboratorBecome(from, to);
    const hasNewAddress =
      !isForbidden && change.email !== undefined && addressIn(fields.email) !== addressIn(change.email);
    const throttled = hasNewAddress ? await countNotice(tenant, emailContext.secrets, fields.email) : undefined;
    if (throttled !== undefined) return throttled;
    const userId = change.userId == null ? change.userId : await numberOf(tenant, change.userId, isForbidden);
    const changed = changedFields(fields, { ...change, userId });
    if (changed === undefined)
      return { kind: 'changed', collaborator: await readExisting(tenant, collaborators, { id }) };
    if (isForbidden) return { kind: 'forbidden', from, to };
    // Delete all passkeys, because a person with access to the old mailbox may have added a passkey.
    if (hasNewAddress) await removePortalPasskeys(tenant, id);
    if (hasNewAddress || endsPortalSessions(from, to)) await endPortalAccess(tenant, [id]);
    await save(tenant, id, fields, changed);
    if (hasNewAddress) {
      await queueSecurityNotice(tenant, emailContext.secrets, fields, (of) =>
        addressChangedEmail({ ...of, to: changed.email }),
      );
    }
    if (isApproval(from, to)) await notifyApproved(tenant, emailContext, [id]);
    return { kind: 'changed', collaborator: await readExisting(tenant, collaborators, { id }) };
  });
}

/**
 * Returns the number that is stored for a user id of the shop's platform. Assigns a number to a new text id. If the
 * change is forbidden, assigns no number and returns NOBODY for a new text id.
 */
async function numberOf(tenant: Tenant<Connection>, user: PlatformUserId, isForbidden: boolean): Promise<UserId> {
  if (!isForbidden) return lockUser(tenant, user);
  return (await findUsers(tenant, [user])).get(user) ?? NOBODY;
}

/**
 * Counts the notice to the old address against its limits. Returns the refusal if a limit is exceeded. A collaborator
 * without an old address gets no notice.
 */
async function countNotice(
  { connection, organizationId }: Tenant<Connection>,
  secrets: SecretBox,
  email: string | null,
): Promise<Throttled | undefined> {
  if (email === null) return undefined;
  return takeThrottles(
    connection,
    attemptsOf(secrets, 'changed addresses of a mailbox', `${organizationId} ${mailboxOf(email)}`),
    attemptsOf(secrets, 'changed addresses of an organization', String(organizationId)),
  );
}

function addressIn(email: string | null): string | null {
  return email === null ? null : addressOf(email);
}

/**
 * Saves a collaborator. Only the status, the user id and the fraud review affect decisions, so changes to other fields
 * need no configuration version.
 */
async function save(
  tenant: Tenant<Connection>,
  id: CollaboratorId,
  before: CollaboratorFields,
  after: CollaboratorFields,
): Promise<void> {
  await updateCollaborator(tenant, id, after);
  if (before.status === after.status && before.userId === after.userId && before.fraudReview === after.fraudReview)
    return;
  const version = await changeConfiguration(tenant);
  await insertCollaboratorVersions(tenant, [id], version);
}
