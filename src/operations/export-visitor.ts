import type { CollaboratorId, OpportunityId, UserId } from '#domain/ids.ts';
import { insertReading, type Reader } from '#store/audit.ts';
import { findCollaboratorsOfUser } from '#store/collaborators.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type JourneyStep, readJourney } from '#store/read/journey.ts';
import type { OpportunityResource } from '#store/read/opportunities.ts';
import { type BoughtLine, readBoughtLines, readOpportunitiesOfUser } from '#store/read/visitors.ts';

export type VisitorExport = {
  readonly collaboratorIds: readonly CollaboratorId[];
  readonly opportunities: readonly OpportunityResource[];
  /** Of each that was not merged, with its members. */
  readonly journeys: readonly {
    readonly members: readonly OpportunityId[];
    readonly steps: readonly JourneyStep[];
    readonly omitted: number;
  }[];
  readonly lines: readonly BoughtLine[];
};

/** Visits and signals of one journey. */
const MAX_VISITS = 10_000;

/** All that is stored under a user number. Who has read it is kept in the audit, before they see it; not of whom. */
export function exportVisitor(database: Database, reader: Reader, userId: UserId): Promise<VisitorExport> {
  const { organizationId } = reader;
  return inTransaction(database, async (connection) => {
    const found = await readOpportunitiesOfUser(connection, organizationId, userId);
    const families = Map.groupBy(found, ({ root }) => root);
    const journeys = [];
    for (const family of families.values()) {
      const members = family.map(({ id }) => id);
      journeys.push({ members, ...(await readJourney(connection, organizationId, members, MAX_VISITS)) });
    }
    const lines = await readBoughtLines(
      connection,
      organizationId,
      found.map(({ id }) => id),
    );
    const collaboratorIds = await findCollaboratorsOfUser(connection, organizationId, userId);
    await insertReading(connection, reader, 'exportVisitor', '/v1/visitors/export');
    const opportunities = found.map(({ root: _, ...opportunity }) => opportunity);
    return { collaboratorIds, opportunities, journeys, lines };
  });
}
