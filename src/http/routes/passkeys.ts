import { type Problem, problem } from '#contract/problem.ts';
import {
  addPasskey,
  challengePasskey,
  deletePasskey,
  MAX_PASSKEYS,
  type PasskeyAdding,
  type PasskeyOwner,
} from '#operations/add-passkey.ts';
import type { Database } from '#store/database.ts';
import { readOne } from '#store/read/page.ts';
import { passkeys } from '#store/read/passkeys.ts';
import { people } from '#store/read/people.ts';
import type { Auth } from '../authentication.ts';
import { type Answer, answer, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';
import { faultAt, personOf, type Site } from '../session-answers.ts';

export function passkeyHandlers(
  database: Database,
  { secrets, publicUrl }: Site,
): HandlersFor<'listPasskeys' | 'challengePasskey' | 'createPasskey' | 'deletePasskey'> {
  const siteNow = () => ({ secrets, publicUrl: publicUrl() });
  return {
    listPasskeys: (request) =>
      answerPage(database, request, passkeys, { within: { personId: personOf(request.auth).personId } }),

    challengePasskey: async ({ auth }) => answer(200, await challengePasskey(database, siteNow(), await ownerOf(auth))),

    createPasskey: async ({ auth, body: { name, response } }) =>
      answerAdding(await addPasskey(database, siteNow(), await ownerOf(auth), name, response)),

    deletePasskey: async ({ auth, params: { id } }) => {
      const { personId } = personOf(auth);
      const isDeleted = await deletePasskey(database, auth.organizationId, { kind: 'person', personId }, id);
      return isDeleted ? answer(200) : problem('not-found');
    },
  };

  async function ownerOf(auth: Auth): Promise<PasskeyOwner> {
    const { organizationId } = auth;
    const { personId } = personOf(auth);
    const person = await readOne(database, organizationId, people, { id: personId });
    const { email = '', name = '' } = person ?? {};
    return { organizationId, holder: { kind: 'person', personId }, email, name };
  }
}

/** Of people and of collaborators alike. */
export function answerAdding(adding: PasskeyAdding): Answer | Problem {
  switch (adding.kind) {
    case 'added':
      return answer(201, adding.passkey);
    case 'refused':
      return faultAt('/response', 'wrong', 'This does not answer a challenge that still holds: begin again.');
    case 'known':
      return problem('invalid-transition', 'This passkey is kept already.');
    case 'too-many':
      return problem('invalid-transition', `There are ${MAX_PASSKEYS} passkeys already: remove one first.`);
    default:
      return adding satisfies never;
  }
}
