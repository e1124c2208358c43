import { canEnterPortal } from '#collaborators/domain/collaborator.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { lockCollaboratorShared } from '#collaborators/store/collaborators.ts';
import type { Database } from '#platform/postgres/database.ts';
import {
  addPasskey,
  type PasskeyOutcome,
  type PasskeyCreation,
  type PasskeyOwner,
} from '#access/commands/add-passkey.ts';
import type { PasskeySite } from '#access/commands/passkey-challenge.ts';

/** Adds a passkey for a collaborator. Returns `refused` if the collaborator can no longer log in to the portal. */
export function addPortalPasskey(
  database: Database,
  site: PasskeySite,
  owner: PasskeyOwner & { readonly holder: { readonly collaboratorId: CollaboratorId } },
  name: string,
  creation: PasskeyCreation,
): Promise<PasskeyOutcome> {
  return addPasskey(database, site, owner, name, creation, async (connection) => {
    const collaborator = await lockCollaboratorShared(
      { connection, organizationId: owner.organizationId },
      owner.holder.collaboratorId,
    );
    return collaborator !== undefined && canEnterPortal(collaborator.status);
  });
}
