import { randomBytes } from 'node:crypto';
import { tokenOf } from '#access/domain/session.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { countCustomRates, findCurrentProgram } from '#programs/store/programs.ts';
import { rateFault } from '../domain/invitation-link.ts';
import {
  insertInvitationLink,
  type InvitationLink,
  lockInvitationLink,
  type NewInvitationLink,
  saveRevocation,
} from '../store/invitation-links.ts';

export type InvitationLinkCreation =
  | { readonly kind: 'created'; readonly link: InvitationLink }
  /** The program can't have the custom rate. */
  | { readonly kind: 'faulty-rate'; readonly fault: 'conflicting' | 'too-many' }
  | { readonly kind: 'unknown-program' | 'deleted-program' };

/** The number of random bytes of a token. */
const TOKEN_BYTES = 32;

/** Creates an invitation link with a random token. */
export function createInvitationLink(
  tenant: Tenant<Database>,
  given: Omit<NewInvitationLink, 'token'>,
): Promise<InvitationLinkCreation> {
  return inTenantTransaction(tenant, async (tenant) => {
    const program = await findCurrentProgram(tenant, given.programId);
    if (program === undefined) return { kind: 'unknown-program' };
    if (program.fields.status === 'deleted') return { kind: 'deleted-program' };
    const { reward: programReward, collaboratorRewards } = program.fields;
    const rules = { reward: programReward, customRates: collaboratorRewards.length };
    if (given.reward !== null) {
      const fault = rateFault(given.reward, rules, await countCustomRates(tenant, null));
      if (fault !== undefined) return { kind: 'faulty-rate', fault };
    }
    const id = await insertInvitationLink(tenant, { ...given, token: tokenOf(randomBytes(TOKEN_BYTES)) });
    return { kind: 'created', link: (await lockInvitationLink(tenant, id)) as InvitationLink };
  });
}

export type InvitationLinkRevocation =
  { readonly kind: 'revoked' | 'already-revoked'; readonly link: InvitationLink } | { readonly kind: 'unknown' };

/** Revokes an invitation link. Unconfirmed applications with the link then count as applications without a link. */
export function revokeInvitationLink(tenant: Tenant<Database>, id: number): Promise<InvitationLinkRevocation> {
  return inTenantTransaction(tenant, async (tenant) => {
    const link = await lockInvitationLink(tenant, id);
    if (link === undefined) return { kind: 'unknown' };
    if (link.revokedAt !== null) return { kind: 'already-revoked', link };
    await saveRevocation(tenant, id);
    return { kind: 'revoked', link: (await lockInvitationLink(tenant, id)) as InvitationLink };
  });
}
