import type * as contract from '../contract/partner-email.ts';
import {
  readMutedKinds,
  readPartnerEmailKinds,
  saveMutedKinds,
  savePartnerEmailKinds,
} from '../store/partner-emails.ts';
import { isMutable } from '../domain/partner-email.ts';
import { collaboratorOf } from '#access/routes/session-answers.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type Answer, answer, type HandlersFor } from '#platform/http/handler.ts';

export const partnerEmailHandlers: HandlersFor<typeof contract> = {
  getPartnerEmails: async ({ tenant }) => answer(200, { kinds: await readPartnerEmailKinds(tenant) }),

  changePartnerEmails: async ({ tenant, body: { kinds } }) => {
    await inTenantTransaction(tenant, (tenant) => savePartnerEmailKinds(tenant, kinds));
    return answer(200, { kinds: await readPartnerEmailKinds(tenant) });
  },

  getPortalEmails: async ({ auth, tenant }) => showPreferences(tenant, collaboratorOf(auth).collaboratorId),

  changePortalEmails: async ({ auth, tenant, body: { muted } }) => {
    const { collaboratorId } = collaboratorOf(auth);
    await inTenantTransaction(tenant, (tenant) => saveMutedKinds(tenant, collaboratorId, muted));
    return showPreferences(tenant, collaboratorId);
  },
};

async function showPreferences(tenant: Tenant, id: CollaboratorId): Promise<Answer> {
  const kinds = await readPartnerEmailKinds(tenant);
  return answer(200, { kinds: [...kinds.filter(isMutable), 'announcement'], muted: await readMutedKinds(tenant, id) });
}
