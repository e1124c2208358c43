import type * as contract from '../contract/password.ts';
import { requestPasswordReset, resetPassword } from '../commands/reset-password.ts';
import { answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { LINK_EXPIRED, type Site, throttledProblem, weakPasswordProblem } from './session-answers.ts';

export function passwordResetHandlers({ secrets, publicUrl }: Site): HandlersFor<typeof contract> {
  return {
    requestPasswordReset: async ({ auth: { network }, database, body: { email } }) => {
      const asked = { email, network, publicUrl: publicUrl() };
      const requesting = await requestPasswordReset(database, secrets, asked);
      return requesting.kind === 'throttled' ? throttledProblem(requesting) : answer(200);
    },

    resetPassword: async ({ database, body: { token, password } }) =>
      answerOutcome(await resetPassword(database, secrets, token, password), {
        reset: answer(200),
        expired: LINK_EXPIRED,
        weak: ({ detail }) => weakPasswordProblem(detail),
        throttled: throttledProblem,
      }),
  };
}
