import type * as contract from '../contract/passkey.ts';
import { faultAt, type Problem, problem } from '#core/contract/problem.ts';
import {
  addPasskey,
  challengePasskey,
  deletePasskey,
  MAX_PASSKEYS,
  type PasskeyOutcome,
  type PasskeyOwner,
} from '../commands/add-passkey.ts';
import type { Database } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { passkeys } from '../store/read/passkeys.ts';
import { people } from '../store/read/people.ts';
import { type Answer, answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import { personOf, type Site, throttledProblem } from './session-answers.ts';
import type { Auth } from '#core/auth.ts';

export function passkeyHandlers({ secrets, publicUrl }: Site): HandlersFor<typeof contract> {
  const siteNow = () => ({ secrets, publicUrl: publicUrl() });
  return {
    listPasskeys: (request) => answerPage(request, passkeys, { within: { personId: personOf(request.auth).personId } }),

    challengePasskey: async ({ auth, tenant }) =>
      answer(200, await challengePasskey(tenant.connection, siteNow(), await ownerOf(tenant.connection, auth))),

    createPasskey: async ({ auth, tenant, body: { name, response } }) =>
      answerAdding(
        await addPasskey(tenant.connection, siteNow(), await ownerOf(tenant.connection, auth), name, response),
      ),

    deletePasskey: async ({ auth, tenant, params: { id } }) => {
      const { personId } = personOf(auth);
      const isDeleted = await deletePasskey(tenant, { kind: 'person', personId }, id);
      return isDeleted ? answer(200) : problem('not-found');
    },
  };

  async function ownerOf(database: Database, auth: Auth): Promise<PasskeyOwner> {
    const { organizationId } = auth;
    const { personId } = personOf(auth);
    const person = await readOne({ connection: database, organizationId }, people, { id: personId });
    const { email = '', name = '' } = person ?? {};
    return { organizationId, holder: { kind: 'person', personId }, email, name };
  }
}

/** Returns the response to adding a passkey, for people and collaborators alike. */
export function answerAdding(adding: PasskeyOutcome): Answer | Problem {
  return answerOutcome(adding, {
    added: ({ passkey }) => answer(201, passkey),
    refused: faultAt(
      '/response',
      'wrong',
      'The passkey’s response is invalid, or its challenge has expired or was used. Start again.',
    ),
    known: problem('invalid-transition', 'This passkey was already added. Use another passkey.'),
    throttled: throttledProblem,
    'too-many': problem('invalid-transition', `There are already ${MAX_PASSKEYS} passkeys. Remove a passkey first.`),
  });
}
