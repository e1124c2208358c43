import { type Problem, problem } from '#contract/problem.ts';
import type { Scope } from '#domain/api-key.ts';
import { changePerson, type PersonChanging } from '#operations/change-person.ts';
import type { Database } from '#store/database.ts';
import { readOne } from '#store/read/page.ts';
import { people } from '#store/read/people.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';

export function peopleHandlers(
  database: Database,
): HandlersFor<'listPeople' | 'getPerson' | 'changePerson' | 'removePerson'> {
  return {
    listPeople: (request) => answerPage(database, request, people),

    getPerson: async ({ auth, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, people, { id })),

    changePerson: async ({ auth, params: { id }, body }) =>
      answerChanging(await changePerson(database, auth.organizationId, auth.scopes, id, body), WAS_REMOVED),

    removePerson: async ({ auth, params: { id } }) =>
      answerChanging(await changePerson(database, auth.organizationId, auth.scopes, id, { removed: true })),
  };
}

/** `ofRemoved` is answered of somebody who was removed before; absent: as they are. */
function answerChanging(changing: PersonChanging, ofRemoved?: Problem): Answer | Problem {
  switch (changing.kind) {
    case 'changed':
      return answer(200, changing.person);
    case 'removed':
      return ofRemoved ?? answer(200, changing.person);
    case 'unknown':
      return problem('not-found');
    case 'last-owner':
      return problem(
        'last-owner',
        'Make somebody else an owner first: without one nobody could manage keys, people and settings.',
      );
    case 'exceeds':
      return exceedsRole(changing.scopes);
    default:
      return changing satisfies never;
  }
}

const WAS_REMOVED = problem('invalid-transition', 'Who was removed stays as they were: invite them again.');

/** Who asks lacks something of the role that is given or taken. */
export function exceedsRole(scopes: readonly Scope[]): Problem {
  return problem('scope-required', `That role may do more than you may: you lack ${scopes.join(', ')}.`);
}
