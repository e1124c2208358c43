import type * as contract from '../contract/journey.ts';
import { problem } from '#core/contract/problem.ts';
import type { OpportunityId } from '#core/ids.ts';
import type { OpportunityNumbers } from '#core/opportunity-number.ts';
import { inSnapshot } from '#platform/postgres/database.ts';
import { type JourneyStep, readJourney } from '../store/read/journey.ts';
import { readMembers } from '#tracking/store/read/opportunities.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';
import { readNumber } from '#tracking/routes/opportunity-numbers.ts';

export const journeyHandlers: HandlersFor<typeof contract> = {
  getJourney: ({ auth, tenant, params }) =>
    inSnapshot(tenant.connection, async (connection) => {
      const tenant = { connection, organizationId: auth.organizationId };
      const members = await readMembers(tenant, readNumber(auth, params.id));
      if (members.length === 0) return problem('not-found');
      const journey = await readJourney(tenant, members);
      return answer(200, showJourney(auth.opportunityNumbers, members, journey));
    }),
};

/**
 * Returns the journey of an opportunity with public opportunity numbers. `members` starts with the opportunity that
 * remains after all merges, followed by the opportunities merged into it.
 */
export function showJourney(
  { encode }: OpportunityNumbers,
  members: readonly OpportunityId[],
  { steps, omitted }: { readonly steps: readonly JourneyStep[]; readonly omitted: number },
): Record<string, unknown> {
  const memberIds = encode(members);
  const numbers = new Map(members.map((member, index) => [member, memberIds[index] as number]));
  return {
    opportunityId: memberIds[0],
    memberIds,
    steps: steps.map((step) => showStep(step, numbers)),
    omitted,
  };
}

/** Returns a step with public numbers. Every opportunity of a journey is one of its members. */
function showStep(step: JourneyStep, numbers: ReadonlyMap<OpportunityId, number>): unknown {
  switch (step.kind) {
    case 'visit':
    case 'coupon':
    case 'custom':
    case 'engagement':
    case 'sale':
    case 'renewal':
    case 'lead':
      return { ...step, opportunityId: numbers.get(step.opportunityId) };
    case 'merge':
      return { ...step, opportunityId: numbers.get(step.opportunityId), mergedInto: numbers.get(step.mergedInto) };
    case 'refund':
    case 'refund-reversal':
    case 'correction':
      return step;
    default:
      return step satisfies never;
  }
}
