import { changePayoutSettings } from '../commands/request-payout.ts';
import type * as contract from '../contract/payout-request.ts';
import { findPayoutSettings } from '../store/payout-requests.ts';
import { payoutRequests } from '../store/read/payout-requests.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const payoutRequestHandlers: HandlersFor<typeof contract> = {
  getPayoutSettings: async ({ tenant }) => answer(200, await findPayoutSettings(tenant)),

  changePayoutSettings: async ({ tenant, body: { requestMinimum, taxDetails } }) =>
    answer(200, await changePayoutSettings(tenant, { requestMinimum, taxDetails })),

  listPayoutRequests: (request) => answerPage(request, payoutRequests),
};
