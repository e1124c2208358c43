import type { CollaboratorId, EngagementId, OpportunityId, ProgramId } from '#core/ids.ts';
import { countOfCollaborator } from '#platform/postgres/lists/of-collaborator.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

/** `opportunityId` is the internal id. The HTTP layer shows its public number. */
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

/**
 * How much earlier than `firstAt` the last visit can be, in milliseconds. An engagement's last visit is its first one
 * or a later one. If retention has dropped the first, the last is looked up among the others, and one of these may have
 * begun to be written a little earlier.
 */
const LONGEST_REPORT_MS = 60_000;

export const engagements: Relation<EngagementResource, EngagementResource> = {
  query: `
    select organization_id, id, opportunity_id as "opportunityId", program_id as "programId",
      collaborator_id as "collaboratorId", status, score, first_at as "firstAt", last_at as "lastAt"
    from engagements where copy_of is null`,
  counted: countOfCollaborator('engagements', 't.copy_of is null'),
  inOrder: { id: ['collaboratorId', 'programId'], firstAt: ['collaboratorId'] },
  key: 'id',
  sorts: { id: 'bigint', firstAt: 'timestamptz', lastAt: 'timestamptz', score: 'bigint' },
  // Both change with every further visit. The row is updated in place as long as no index contains them.
  unordered: ['lastAt', 'score'],
  earliest: { time: 'firstAt', before: 'lastAt', slackMs: LONGEST_REPORT_MS },
  read: (row) => row,
};
