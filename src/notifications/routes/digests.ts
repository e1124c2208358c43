import type * as contract from '../contract/digest.ts';
import { requestConfirmation } from '../commands/request-confirmation.ts';
import { readDigestSettings, saveDigestFrequency } from '../store/digests.ts';
import { personOf, type Site, throttledProblem } from '#access/routes/session-answers.ts';
import { answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';

export function digestHandlers({ secrets, publicUrl }: Site): HandlersFor<typeof contract> {
  return {
    getDigest: async ({ auth, tenant }) => answerFound(await readDigestSettings(tenant, personOf(auth).personId)),

    changeDigest: async ({ auth, tenant, body: { frequency } }) => {
      const { personId } = personOf(auth);
      await saveDigestFrequency(tenant, personId, frequency);
      return answerFound(await readDigestSettings(tenant, personId));
    },

    requestAddressConfirmation: async ({ auth, tenant }) => {
      const context = { secrets, publicUrl: publicUrl() };
      const requesting = await requestConfirmation(tenant, context, personOf(auth).personId);
      return requesting.kind === 'throttled' ? throttledProblem(requesting) : answer(200);
    },
  };
}
