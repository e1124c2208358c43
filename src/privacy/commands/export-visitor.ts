import type { CollaboratorId, OpportunityId } from '#core/ids.ts';
import { NOBODY, type PlatformUserId } from '#core/user.ts';
import { insertReading, type Reader } from '#organizations/store/audit.ts';
import { findCollaboratorsOfUser } from '#collaborators/store/collaborators.ts';
import { type Database, inTransaction, openSnapshot } from '#platform/postgres/database.ts';
import { type JourneyStep, readJourney } from '#reporting/store/read/journey.ts';
import type { OpportunityResource } from '#tracking/store/read/opportunities.ts';
import { findUsers } from '#collaborators/store/read/users.ts';
import { type BoughtLine, readBoughtLines, readOpportunitiesOfUser } from '../store/read/visitors.ts';
import type { OpenedExport } from './export-collaborator.ts';

export type VisitorExport = {
  readonly collaboratorIds: readonly CollaboratorId[];
  readonly opportunities: readonly OpportunityResource[];
  /** The journeys, one for each opportunity that was not merged, with its members. Read one journey at a time. */
  readonly journeys: readonly (() => Promise<VisitorJourney>)[];
  /** The lines of all purchases, in slices. Read them after the journeys. */
  readonly lines: AsyncIterable<readonly BoughtLine[]>;
};

export type VisitorJourney = {
  readonly members: readonly OpportunityId[];
  readonly steps: readonly JourneyStep[];
  readonly omitted: number;
};

/** The maximum numbers of visits, of sales and of refunds in one journey. */
const MAX_STEPS = 10_000;

/**
 * Opens the export of all data stored under a user id. The audit record is committed before any data is returned, and
 * doesn't contain the user id.
 */
export async function exportVisitor(
  database: Database,
  reader: Reader,
  user: PlatformUserId,
): Promise<OpenedExport<VisitorExport>> {
  const { organizationId } = reader;
  const { connection, close } = await openSnapshot(database);
  const tenant = { connection, organizationId };
  try {
    const userId = (await findUsers(tenant, [user])).get(user) ?? NOBODY;
    const found = await readOpportunitiesOfUser(tenant, userId);
    const collaboratorIds = await findCollaboratorsOfUser(tenant, userId);
    const opportunities = found.map(({ root: _, ...opportunity }) => opportunity);
    const families = [...Map.groupBy(found, ({ root }) => root).values()].map((family) => family.map(({ id }) => id));
    const journeys = families.map((members) => async () => {
      return { members, ...(await readJourney({ connection, organizationId }, members, MAX_STEPS)) };
    });
    const lines = readBoughtLines(tenant, families.flat());
    await inTransaction(database, (writing) => insertReading(writing, reader, 'exportVisitor', '/v1/visitors/export'));
    return { exported: { collaboratorIds, opportunities, journeys, lines }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
