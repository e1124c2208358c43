import { type CollaboratorStatus, isApproval, mayCollaboratorBecome } from '#domain/collaborator.ts';
import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import {
  type CollaboratorFields,
  findCollaboratorFields,
  insertCollaboratorVersions,
  updateCollaborator,
} from '#store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#store/configuration.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { type CollaboratorResource, collaborators } from '#store/read/collaborators.ts';
import { readOne } from '#store/read/page.ts';
import { changedFields } from './changed-fields.ts';
import { type Post, tellApproved } from './tell-approved.ts';

/** A field that is undefined stays as it is. */
export type CollaboratorChange = {
  readonly [Field in keyof CollaboratorFields]?: CollaboratorFields[Field] | undefined;
};

export type CollaboratorChanging =
  | { readonly kind: 'changed'; readonly collaborator: CollaboratorResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly from: CollaboratorStatus; readonly to: CollaboratorStatus };

/** Changes what is given of a collaborator. A change of nothing makes no version. Who was let in is told by mail. */
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
    const changed = changedFields(fields, change);
    if (changed === undefined) return { kind: 'changed', collaborator: await read(connection, organizationId, id) };
    const [from, to] = [fields.status, changed.status];
    if (from === 'deleted' || !mayCollaboratorBecome(from, to)) return { kind: 'forbidden', from, to };
    await save(connection, organizationId, id, fields, changed);
    if (isApproval(from, to)) await tellApproved(connection, post, organizationId, [id]);
    return { kind: 'changed', collaborator: await read(connection, organizationId, id) };
  });
}

/** A name or an address decides nothing; who may earn and who referred themselves does. */
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
