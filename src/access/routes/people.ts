import type * as contract from '../contract/person.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import { changePerson, type PersonChangeOutcome } from '../commands/change-person.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { people } from '../store/read/people.ts';
import { type Answer, answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import type { Scope } from '#core/caller.ts';

export const peopleHandlers: HandlersFor<typeof contract> = {
  listPeople: (request) => answerPage(request, people),

  getPerson: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, people, { id })),

  changePerson: async ({ auth, tenant, params: { id }, body }) =>
    answerChanging(await changePerson(tenant, auth.scopes, id, body), WAS_REMOVED),

  removePerson: async ({ auth, tenant, params: { id } }) =>
    answerChanging(await changePerson(tenant, auth.scopes, id, { removed: true })),
};

/**
 * Returns the response to a change of a person. `ofRemoved` is the response if the person was already removed. By
 * default, that response contains the person.
 */
function answerChanging(changing: PersonChangeOutcome, ofRemoved?: Problem): Answer | Problem {
  return answerOutcome(changing, {
    changed: ({ person }) => answer(200, person),
    removed: ({ person }) => ofRemoved ?? answer(200, person),
    unknown: problem('not-found'),
    'last-owner': problem('last-owner', 'This is the only owner. Make another person an owner first.'),
    exceeds: ({ scopes }) => exceededRoleProblem(scopes),
  });
}

const WAS_REMOVED = problem('invalid-transition', 'A removed person can’t be changed. Invite them again.');

/** Returns the problem for a caller who lacks scopes of the role that they grant or revoke. */
export function exceededRoleProblem(scopes: readonly Scope[]): Problem {
  return problem(
    'scope-required',
    `You can’t grant or revoke a role with more permissions than your own. You lack ${scopes.join(', ')}. Ask an owner.`,
  );
}
