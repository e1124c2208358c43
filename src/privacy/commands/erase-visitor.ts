import type { CollaboratorId, ErasureId, OrganizationId, UserId } from '#core/ids.ts';
import type { OpportunityNumbers } from '#core/opportunity-number.ts';
import { NOBODY, type PlatformUserId } from '#core/user.ts';
import { findCollaboratorsOfUser } from '#collaborators/store/collaborators.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import {
  closeTraces,
  insertErasure,
  lockTraces,
  removeMessages,
  removePayloads,
  removeTraces,
} from '../store/erasures.ts';
import { findUsers } from '#collaborators/store/read/users.ts';
import { lockUserText, removeUserTexts } from '#collaborators/store/text-users.ts';

/** The author and the organization of an erasure, with the mapping from opportunity ids to their public numbers. */
export type Eraser = {
  readonly organizationId: OrganizationId;
  readonly author: string;
  readonly opportunityNumbers: OpportunityNumbers;
};

export type VisitorErasure = {
  readonly removedOpportunities: number;
  readonly removedVisits: number;
  readonly closedOpportunities: number;
  readonly collaboratorIds: readonly CollaboratorId[];
};

/**
 * Removes a user id from all stored data, except from collaborators with this user id. Returns the ids of these
 * collaborators, and the numbers of removed and closed rows. Opportunities without a sale, lead or renewal are deleted.
 * Merged opportunities are deleted or kept together. Kept opportunities lose the user id and become invalid, but a
 * replay still decides their sales the same way. Repeating the call changes nothing.
 */
export function eraseVisitor(database: Database, eraser: Eraser, user: PlatformUserId): Promise<VisitorErasure> {
  return inTransaction(database, async (connection) => {
    const tenant = { connection, organizationId: eraser.organizationId };
    const userId = (await findUsers(tenant, [user])).get(user) ?? NOBODY;
    const erased = await eraseTraces(connection, eraser, userId, () =>
      insertErasure(
        { connection, organizationId: eraser.organizationId },
        { author: eraser.author, collaboratorId: null },
      ),
    );
    const collaboratorIds = await findCollaboratorsOfUser(tenant, userId);
    await removeUserTexts(tenant, [userId]);
    return { ...erased, collaboratorIds };
  });
}

/**
 * Deletes or closes the opportunities of a user. Removes the webhook messages about these opportunities, and the
 * connector payloads about their orders and customers. `erasure` records the erasure and returns its id, and is called
 * only if the user has opportunities. Returns the numbers of removed and closed rows.
 */
export async function eraseTraces(
  connection: Connection,
  { organizationId, opportunityNumbers }: Eraser,
  userId: UserId,
  erasure: () => Promise<ErasureId>,
): Promise<Omit<VisitorErasure, 'collaboratorIds'>> {
  const tenant = { connection, organizationId };
  await lockUserText(tenant, userId);
  const { sold, bare } = await lockTraces(tenant, userId);
  if (sold.length > 0) await closeTraces(tenant, await erasure(), userId, sold);
  else if (bare.length > 0) await erasure();
  await removePayloads(tenant, sold);
  const removedVisits = await removeTraces(tenant, bare);
  await removeMessages(tenant, 'opportunity', opportunityNumbers.encode([...sold, ...bare]));
  return { removedOpportunities: bare.length, removedVisits, closedOpportunities: sold.length };
}
