import type { OpportunityId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, id } from '#core/contract/fields.ts';
import { listQuery, listSuccess, searchFilter } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownOpportunity, shownTime } from '#core/contract/response-fields.ts';
import { platformUser, shownUser } from '#core/contract/user-fields.ts';
import { OPPORTUNITY_STATUSES } from '../domain/engagement.ts';

const operation = operationsOf('Opportunities');

export const opportunityNumber = id<OpportunityId>({
  description: 'The number of an opportunity, from the response header of a visit.',
  example: 5214909912345678,
});

export const opportunity = z
  .strictObject({
    id: shownOpportunity('The opportunity’s number. Numbers can’t be guessed and have no order.'),
    status: shownChoice(OPPORTUNITY_STATUSES, { description: '`active → invalid`, `active → merged`.' }),
    userId: shownUser({ description: 'The visitor’s user id in your platform.' }).nullable(),
    mergedInto: shownOpportunity(
      'For a merged opportunity: the opportunity into which it was merged. Every operation accepts both numbers.',
    ).nullable(),
    createdAt: shownTime({
      description: 'When it was created: by its first visit, or by an order without a referral.',
    }),
    invalidatedAt: shownTime({ description: 'When it became invalid.' }).nullable(),
  })
  .meta({ id: 'Opportunity', description: 'A referred visitor.' });

export const params = z.object({ id: opportunityNumber });

export const listOpportunities = operation({
  method: 'GET',
  path: '/v1/opportunities',
  summary: 'List opportunities',
  description: 'Lists opportunities, newest first. An opportunity is a referred visitor.',
  scope: 'resources:read',
  query: listQuery(['id', 'createdAt'], {
    status: choice(OPPORTUNITY_STATUSES, { description: 'Opportunities in this state.' }),
    userId: platformUser({ description: 'Opportunities of this user.' }),
    search: searchFilter('the external id of an order'),
  }),
  mayLag: true,
  success: listSuccess(opportunity, 'Opportunities.'),
});

export const getOpportunity = operation({
  method: 'GET',
  path: '/v1/opportunities/{id}',
  summary: 'Get an opportunity',
  description:
    'Returns an opportunity by its number. If it was merged into another opportunity, `mergedInto` is the ' +
    'number of that opportunity.',
  scope: 'resources:read',
  params,
  success: { description: 'The opportunity.', body: opportunity },
});
