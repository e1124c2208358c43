import type { CollaboratorId, ErasureId, OrganizationId, UserId } from '#domain/ids.ts';
import type { OpportunityNumbers } from '#domain/opportunity-number.ts';
import { findCollaboratorsOfUser } from '#store/collaborators.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { closeTraces, insertErasure, lockTraces, removeMessages, removeTraces } from '#store/erasures.ts';

/** Who erases in which organization, and what turns ids of its opportunities into the numbers that others know. */
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
 * Takes a user number out of all that is stored. What led to nothing is removed; what led to a sale stays without the
 * number, closed for all that comes, and is decided again as it was. A second time finds nothing.
 */
export function eraseVisitor(database: Database, eraser: Eraser, userId: UserId): Promise<VisitorErasure> {
  return inTransaction(database, async (connection) => {
    const erased = await eraseTraces(connection, eraser, userId, () =>
      insertErasure(connection, eraser.organizationId, { author: eraser.author, collaboratorId: null }),
    );
    const collaboratorIds = await findCollaboratorsOfUser(connection, eraser.organizationId, userId);
    return { ...erased, collaboratorIds };
  });
}

/** The same within another erasure. `erasure` is asked for its number where there is something to take away. */
export async function eraseTraces(
  connection: Connection,
  { organizationId, opportunityNumbers }: Eraser,
  userId: UserId,
  erasure: () => Promise<ErasureId>,
): Promise<Omit<VisitorErasure, 'collaboratorIds'>> {
  const { sold, bare } = await lockTraces(connection, organizationId, userId);
  if (sold.length > 0) await closeTraces(connection, organizationId, await erasure(), userId, sold);
  else if (bare.length > 0) await erasure();
  const removedVisits = await removeTraces(connection, organizationId, bare);
  await removeMessages(connection, organizationId, 'opportunity', opportunityNumbers.encode([...sold, ...bare]));
  return { removedOpportunities: bare.length, removedVisits, closedOpportunities: sold.length };
}
