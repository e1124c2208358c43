import type { CollaboratorId, EngagementId, OpportunityId, ProgramId } from '#domain/ids.ts';
import type { Relation } from './relation.ts';

/** `opportunityId` is the row's; the door shows its public number. */
export type EngagementResource = {
  readonly id: EngagementId;
  readonly opportunityId: OpportunityId;
  readonly programId: ProgramId;
  readonly collaboratorId: CollaboratorId;
  readonly status: 'active' | 'complete' | 'invalid';
  readonly score: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
};

const columns = (organization: string): string => `
    select ${organization} as organization_id, e.id, e.opportunity_id as "opportunityId", e.program_id as "programId",
      e.collaborator_id as "collaboratorId", e.status, e.score, e.first_at as "firstAt", e.last_at as "lastAt"`;

/** A collaborator's are of their organization, which the indexes by collaborator need not say again. */
const OF_COLLABORATORS = `${columns('k.organization_id')}
    from collaborators k join engagements e on e.collaborator_id = k.id where e.copy_of is null`;

export const engagements: Relation<EngagementResource, EngagementResource> = {
  query: `${columns('e.organization_id')} from engagements e where e.copy_of is null`,
  narrowed: ({ collaboratorId }) => (collaboratorId === undefined ? undefined : OF_COLLABORATORS),
  key: 'id',
  sorts: { id: 'bigint', firstAt: 'timestamptz', lastAt: 'timestamptz', score: 'bigint' },
  // Both change with every further visit, which is written in place as long as no index has them.
  unordered: ['lastAt', 'score'],
  earliest: { time: 'firstAt', before: 'lastAt' },
  read: (row) => row,
};
