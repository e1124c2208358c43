import type { CollaboratorId, EngagementId, OpportunityId, ProgramId } from '#core/ids.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

/**
 * An engagement in the API. `opportunityId` is the internal id, which the HTTP layer replaces with the public number.
 */
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

export const engagements: Relation<EngagementResource, EngagementResource> = {
  query: `
    select organization_id, id, opportunity_id as "opportunityId", program_id as "programId",
      collaborator_id as "collaboratorId", status, score, first_at as "firstAt", last_at as "lastAt"
    from engagements where copy_of is null`,
  key: 'id',
  // Don't sort by fields that change with every visit. They would need an index, and PostgreSQL can update a row in
  // place only if no index contains the changed fields.
  sorts: { id: 'bigint' },
  read: (row) => row,
};
