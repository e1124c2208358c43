import type * as contract from '../contract/partner-email.ts';
import {
  readMutedKinds,
  readPartnerEmailKinds,
  saveMutedKinds,
  savePartnerEmailKinds,
} from '../store/partner-emails.ts';
import { isMutable, MUTABLE_KINDS, type MutableKind } from '../domain/partner-email.ts';
import { collaboratorOf, type Site, throttledProblem } from '#access/routes/session-answers.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type Answer, answer, type HandlersFor, unchanged } from '#platform/http/handler.ts';
import { takeThrottles } from '#platform/throttles/take-throttles.ts';
import { attemptsOf } from '#platform/throttles/throttle.ts';

/** Returns the handlers for the kinds of email that are sent to partners, and that a partner wants. */
export function partnerEmailHandlers({ secrets }: Site): HandlersFor<typeof contract> {
  return {
    getPartnerEmails: async ({ tenant }) => answer(200, { kinds: await readPartnerEmailKinds(tenant) }),

    changePartnerEmails: async ({ tenant, body: { kinds } }) => {
      await inTenantTransaction(tenant, (tenant) => savePartnerEmailKinds(tenant, kinds));
      return answer(200, { kinds: await readPartnerEmailKinds(tenant) });
    },

    getPortalEmails: async ({ auth, tenant }) =>
      showPreferences(tenant, await readMutedKinds(tenant, collaboratorOf(auth).collaboratorId)),

    changePortalEmails: async ({ auth, tenant, body: { muted } }) => {
      const { collaboratorId } = collaboratorOf(auth);
      const before = await readMutedKinds(tenant, collaboratorId);
      if (new Set(before).symmetricDifference(new Set(muted)).size === 0) {
        return unchanged(await showPreferences(tenant, before));
      }
      const owner = `${tenant.organizationId} ${collaboratorId}`;
      const changes = attemptsOf(secrets, 'email preferences of a collaborator', owner);
      const throttled = await inTenantTransaction(tenant, async (tenant) => {
        const throttled = await takeThrottles(tenant.connection, changes);
        if (throttled === undefined) await saveMutedKinds(tenant, collaboratorId, muted);
        return throttled;
      });
      return throttled === undefined ? showPreferences(tenant, muted) : throttledProblem(throttled);
    },
  };
}

async function showPreferences(tenant: Tenant, muted: readonly MutableKind[]): Promise<Answer> {
  const kinds = await readPartnerEmailKinds(tenant);
  return answer(200, {
    kinds: [...kinds.filter(isMutable), 'announcement'],
    muted: MUTABLE_KINDS.filter((kind) => muted.includes(kind)),
  });
}
