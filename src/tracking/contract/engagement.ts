import type { EngagementId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, id } from '#core/contract/fields.ts';
import { idsFilter, listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { opportunityNumber } from './opportunity.ts';
import { shownChoice, shownId, shownInteger, shownOpportunity, shownTime } from '#core/contract/response-fields.ts';
import { ENGAGEMENT_STATUSES } from '../domain/engagement.ts';

const operation = operationsOf('Engagements');

export const engagement = z
  .strictObject({
    id: shownId({ description: 'The engagement’s id.', example: 21 }),
    opportunityId: shownOpportunity('The opportunity.'),
    programId: shownId({ description: 'The program.', example: 5 }),
    collaboratorId: shownId({ description: 'The collaborator with the claim.', example: 7 }),
    status: shownChoice(ENGAGEMENT_STATUSES, { description: '`active ⇄ complete`, either `→ invalid`.' }),
    score: shownInteger({ description: 'The sum of the points of the engagement’s touches.', example: 3 }),
    firstAt: shownTime({ description: 'The time of the engagement’s first touch.' }),
    lastAt: shownTime({ description: 'The time of the engagement’s last touch.' }),
  })
  .meta({ id: 'Engagement', description: 'A collaborator’s claim to credit for a visitor, in one program.' });

export const listEngagements = operation({
  method: 'GET',
  path: '/v1/engagements',
  summary: 'List engagements',
  description:
    'Lists engagements. An engagement is a collaborator’s claim to credit for a visitor, in one program. ' +
    '`opportunityId` also finds the engagements of merged opportunities.',
  scope: 'resources:read',
  query: listQuery(['id'], {
    opportunityId: opportunityNumber,
    opportunityIds: idsFilter,
    programId: id({ description: 'Engagements in this program.' }),
    collaboratorId: id({ description: 'Engagements of this collaborator.' }),
    status: choice(ENGAGEMENT_STATUSES, { description: 'Engagements in this state.' }),
  }),
  mayLag: true,
  success: listSuccess(engagement, 'Engagements.'),
});

export const getEngagement = operation({
  method: 'GET',
  path: '/v1/engagements/{id}',
  summary: 'Get an engagement',
  description: 'Returns an engagement: a collaborator’s claim to credit for a visitor, in one program.',
  scope: 'resources:read',
  params: z.object({ id: id<EngagementId>({ description: 'The engagement’s id.', example: 21 }) }),
  success: { description: 'The engagement.', body: engagement },
});
