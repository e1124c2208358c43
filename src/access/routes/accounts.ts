import type * as contract from '../contract/account.ts';
import { faultAt, problem } from '#core/contract/problem.ts';
import {
  changeAccount,
  changePassword,
  confirmTotp,
  type Own,
  removeTotp,
  startTotp,
} from '../commands/change-account.ts';
import { endSession } from '../commands/end-session.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { people } from '../store/read/people.ts';
import { sessions } from '../store/read/sessions.ts';
import { answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import { personOf, type Site, throttledProblem, weakPasswordProblem } from './session-answers.ts';
import type { Auth } from '#core/auth.ts';

export function accountHandlers({ secrets }: Site): HandlersFor<typeof contract> {
  return {
    getAccount: async ({ auth, tenant }) => answerFound(await readOne(tenant, people, { id: personOf(auth).personId })),

    changeAccount: async ({ auth, tenant, body }) =>
      answer(200, await changeAccount(tenant.connection, ownOf(auth), body)),

    changePassword: async ({ auth, tenant, body }) =>
      answerOutcome(await changePassword(tenant.connection, secrets, ownOf(auth), body), {
        changed: answer(200),
        wrong: faultAt('/current', 'wrong', 'The password is incorrect. Enter your current password.'),
        weak: ({ detail }) => weakPasswordProblem(detail),
        throttled: throttledProblem,
      }),

    listSessions: (request) => {
      const { personId, sessionId } = personOf(request.auth);
      return answerPage(request, sessions, {
        within: { personId },
        show: (items) => items.map((each) => ({ ...each, current: each.id === sessionId })),
      });
    },

    endSession: async ({ auth, tenant, params: { id } }) => {
      const { personId } = personOf(auth);
      const isEnded = await endSession(tenant, { kind: 'person', personId }, id);
      return isEnded ? answer(200) : problem('not-found');
    },

    startTotp: async ({ auth, tenant }) => {
      const made = await startTotp(tenant.connection, secrets, ownOf(auth));
      return made === undefined ? TOTP_IN_USE : answer(200, made);
    },

    confirmTotp: async ({ auth, tenant, body: { code } }) =>
      answerOutcome(await confirmTotp(tenant.connection, secrets, ownOf(auth), code), {
        confirmed: ({ recoveryCodes }) => answer(200, { recoveryCodes }),
        wrong: WRONG_CODE,
        'not-begun': problem(
          'invalid-transition',
          'There is no new authenticator secret to confirm. Create a secret first.',
        ),
        throttled: throttledProblem,
      }),

    removeTotp: async ({ auth, tenant, body: { code } }) =>
      answerOutcome(await removeTotp(tenant.connection, secrets, ownOf(auth), code), {
        removed: answer(200),
        wrong: WRONG_CODE,
        'not-in-use': problem(
          'invalid-transition',
          'This account has no second factor, so there is nothing to remove.',
        ),
        throttled: throttledProblem,
      }),
  };
}

const TOTP_IN_USE = problem('invalid-transition', 'This account already has a second factor. Remove it first.');
const WRONG_CODE = faultAt(
  '/code',
  'wrong',
  'The code is incorrect or was already used. Enter the next code from your app.',
);

function ownOf(auth: Auth): Own {
  return { organizationId: auth.organizationId, ...personOf(auth) };
}
