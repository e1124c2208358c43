import type * as contract from '../contract/portal-payout-request.ts';
import { collaboratorOf } from '#access/routes/session-answers.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import { type PayoutRequesting, requestPayout } from '#payouts/commands/request-payout.ts';
import { findOwnRequests, findPayoutSettings } from '#payouts/store/payout-requests.ts';
import { findAgreementToAccept } from '../store/agreements.ts';
import { NOT_ACCEPTED } from './agreements.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';

export const portalPayoutRequestHandlers: HandlersFor<typeof contract> = {
  getPortalPayoutRequests: async ({ auth, tenant }) => {
    const { collaboratorId } = collaboratorOf(auth);
    const { requestMinimum: minimum } = await findPayoutSettings(tenant);
    return answer(200, { minimum, requests: await findOwnRequests(tenant, collaboratorId) });
  },

  requestPortalPayout: async ({ auth, tenant, body: { currency } }) => {
    const { collaboratorId } = collaboratorOf(auth);
    if ((await findAgreementToAccept(tenant, collaboratorId)) !== null) return NOT_ACCEPTED;
    const requesting = await requestPayout(tenant, collaboratorId, currency);
    return requesting.kind === 'requested' ? answer(201, requesting.request) : REFUSALS[requesting.because];
  },
};

const REFUSALS: Readonly<Record<Extract<PayoutRequesting, { readonly kind: 'refused' }>['because'], Problem>> = {
  'not-offered': problem(
    'invalid-transition',
    'You can’t request payouts in this portal. The merchant decides when to pay.',
  ),
  'no-details': problem('invalid-transition', 'Enter your payout details first.'),
  'no-tax-details': problem('invalid-transition', 'Enter your tax details first. The merchant needs them to pay you.'),
  'below-minimum': problem(
    'invalid-transition',
    'The amount for the next payout is below the minimum. Request the payout once the amount reaches the minimum.',
  ),
};
