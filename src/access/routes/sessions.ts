import type * as contract from '../contract/session.ts';
import { problem } from '#core/contract/problem.ts';
import { readPersonSession } from '../commands/begin-session.ts';
import { endSession } from '../commands/end-session.ts';
import { openSession } from '../commands/open-session.ts';
import { challengeLogIn, openSessionByPasskey } from '../commands/use-passkey.ts';
import { answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import {
  answerLoggedIn,
  browserOf,
  personOf,
  SESSION_ENDED,
  type Site,
  throttledProblem,
  WRONG_CREDENTIALS,
} from './session-answers.ts';

export function sessionHandlers(site: Site): HandlersFor<typeof contract> {
  const { secrets, cookies, publicUrl } = site;
  return {
    openSession: async ({ auth, database, body: { email, password, code }, header }) => {
      const trier = { network: auth.network, ...browserOf({ auth, header }) };
      return answerOutcome(await openSession(database, secrets, { email, password, code }, trier), {
        opened: (opening) => answerLoggedIn(site, opening),
        wrong: WRONG_CREDENTIALS,
        'code-required': CODE_REQUIRED,
        throttled: throttledProblem,
      });
    },

    challengeSession: async () => answer(200, await challengeLogIn({ secrets, publicUrl: publicUrl() }, 'person')),

    openSessionByPasskey: async ({ auth, database, body: { response }, header }) => {
      const here = { secrets, publicUrl: publicUrl() };
      const opened = await openSessionByPasskey(database, here, response, browserOf({ auth, header }));
      return opened === undefined ? WRONG_CREDENTIALS : answerLoggedIn(site, opened);
    },

    getSession: async ({ auth, tenant }) => {
      const { personId, sessionId } = personOf(auth);
      const session = await readPersonSession(tenant, personId, sessionId);
      // An ended session may still be in this process's cache, so report that it has ended.
      return session === undefined ? SESSION_ENDED : answer(200, { ...session, publicUrl: publicUrl() });
    },

    closeSession: async ({ auth, tenant }) => {
      const { personId, sessionId } = personOf(auth);
      await endSession(tenant, { kind: 'person', personId }, sessionId);
      return answer(200, undefined, { headers: { 'set-cookie': cookies.end('person') } });
    },
  };
}

const CODE_REQUIRED = problem(
  'code-required',
  'This account has a second factor. Send the password together with a code from your authenticator app or a recovery code.',
  {
    headers: { 'www-authenticate': 'Session' },
  },
);
