import { problem } from '#contract/problem.ts';
import type { OpportunityId } from '#domain/ids.ts';
import type { OpportunityNumbers } from '#domain/opportunity-number.ts';
import { showOpportunities } from '#domain/shown-numbers.ts';
import type { Database } from '#store/database.ts';
import { type JourneyStep, readJourney } from '#store/read/journey.ts';
import { opportunities, readMembers } from '#store/read/opportunities.ts';
import { readOne } from '#store/read/page.ts';
import { answer, answerFound, type HandlersFor } from '../handler.ts';
import { readNumber } from '../opportunity-numbers.ts';
import { answerPage } from '../pages.ts';

export function opportunityHandlers(
  database: Database,
): HandlersFor<'listOpportunities' | 'getOpportunity' | 'getJourney'> {
  return {
    listOpportunities: (request) => {
      const { encode, decode } = request.auth.opportunityNumbers;
      return answerPage(database, request, opportunities, {
        show: (items) => showOpportunities(request.auth.opportunityNumbers, items),
        // A cursor would otherwise tell how many opportunities there are.
        keys: { show: (key) => encode([key as OpportunityId])[0] as number, read: (key) => decodeKey(decode, key) },
      });
    },

    getOpportunity: async ({ auth, params }) => {
      const id = readNumber(auth, params.id);
      const found = await readOne(database, auth.organizationId, opportunities, { id });
      return answerFound(found && showOpportunities(auth.opportunityNumbers, [found])[0]);
    },

    getJourney: async ({ auth, params }) => {
      const members = await readMembers(database, auth.organizationId, readNumber(auth, params.id));
      if (members.length === 0) return problem('not-found');
      const journey = await readJourney(database, auth.organizationId, members);
      return answer(200, showJourney(auth.opportunityNumbers, members, journey));
    },
  };
}

/** A journey of these members (the survivor first) under the numbers by which they are known outside. */
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

/** A key that is no number of an opportunity is a made-up cursor: it leads to the place before the first row. */
function decodeKey(decode: OpportunityNumbers['decode'], key: number): number {
  return key >= 1 ? (decode([key])[0] as number) : 0;
}

/** Every opportunity of a journey is one of its members. */
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
      return step;
    default:
      return step satisfies never;
  }
}
