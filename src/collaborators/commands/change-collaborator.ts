import {
  type CollaboratorStatus,
  endsPortalSessions,
  isApproval,
  mayCollaboratorBecome,
} from '../domain/collaborator.ts';
import type { CollaboratorId, OrganizationId, UserId } from '#core/ids.ts';
import { addressOf } from '#access/domain/person.ts';
import { NOBODY, type PlatformUserId } from '#core/user.ts';
import {
  type CollaboratorFields,
  findCollaboratorFields,
  insertCollaboratorVersions,
  updateCollaborator,
} from '../store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import { type CollaboratorResource, collaborators } from '../store/read/collaborators.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { findUsers } from '../store/read/users.ts';
import { lockUser } from '../store/text-users.ts';
import { changedFields } from '#platform/changed-fields.ts';
import type { CollaboratorInput } from './create-collaborator.ts';
import { type Post, tellApproved } from './tell-approved.ts';
import { endPortalSessions } from '#access/store/sessions.ts';
import { removePortalPasskeys } from '#access/store/passkeys.ts';

/** A change of a collaborator. Undefined fields stay as they are. */
export type CollaboratorChange = {
  readonly [Field in keyof CollaboratorInput]?: CollaboratorInput[Field] | undefined;
};

export type CollaboratorChanging =
  | { readonly kind: 'changed'; readonly collaborator: CollaboratorResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly from: CollaboratorStatus; readonly to: CollaboratorStatus };

/**
 * Changes the given fields of a collaborator. Without a difference, creates no version. Notifies an approved
 * collaborator by email. Portal sessions end if the email changes or the account is closed.
 */
export function changeCollaborator(
  database: Database,
  post: Post,
  organizationId: OrganizationId,
  id: CollaboratorId,
  change: CollaboratorChange,
): Promise<CollaboratorChanging> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const fields = await findCollaboratorFields(connection, organizationId, id);
    if (fields === undefined) return { kind: 'unknown' };
    const [from, to] = [fields.status, change.status ?? fields.status];
    const isForbidden = from === 'deleted' || !mayCollaboratorBecome(from, to);
    const userId =
      change.userId == null ? change.userId : await numberOf(connection, organizationId, change.userId, isForbidden);
    const changed = changedFields(fields, { ...change, userId });
    if (changed === undefined) return { kind: 'changed', collaborator: await read(connection, organizationId, id) };
    if (isForbidden) return { kind: 'forbidden', from, to };
    await save(connection, organizationId, id, fields, changed);
    if (isOtherAddress(fields.email, changed.email)) {
      // Someone with access to the old mailbox may have added a passkey, and must not keep it.
      await removePortalPasskeys(connection, organizationId, id);
      await endPortalSessions(connection, organizationId, [id]);
    } else if (endsPortalSessions(from, to)) await endPortalSessions(connection, organizationId, [id]);
    if (isApproval(from, to)) await tellApproved(connection, post, organizationId, [id]);
    return { kind: 'changed', collaborator: await read(connection, organizationId, id) };
  });
}

/** Returns the stored number of a user. A forbidden change records no new text id and gets NOBODY instead. */
async function numberOf(
  connection: Connection,
  organizationId: OrganizationId,
  user: PlatformUserId,
  isForbidden: boolean,
): Promise<UserId> {
  if (!isForbidden) return lockUser(connection, organizationId, user);
  return (await findUsers(connection, organizationId, [user])).get(user) ?? NOBODY;
}

function isOtherAddress(one: string | null, other: string | null): boolean {
  return (one === null ? null : addressOf(one)) !== (other === null ? null : addressOf(other));
}

/**
 * Saves a collaborator. Only the status and the user id affect decisions, so other changes need no configuration
 * version.
 */
async function save(
  connection: Connection,
  organizationId: OrganizationId,
  id: CollaboratorId,
  before: CollaboratorFields,
  after: CollaboratorFields,
): Promise<void> {
  await updateCollaborator(connection, organizationId, id, after);
  if (before.status === after.status && before.userId === after.userId) return;
  const version = await changeConfiguration(connection, organizationId);
  await insertCollaboratorVersions(connection, organizationId, [id], version);
}

async function read(
  connection: Connection,
  organizationId: OrganizationId,
  id: CollaboratorId,
): Promise<CollaboratorResource> {
  return (await readOne(connection, organizationId, collaborators, { id })) as CollaboratorResource;
}
