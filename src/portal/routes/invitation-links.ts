import type * as contract from '../contract/invitation-link.ts';
import { LINK_EXPIRED, type Site } from '#access/routes/session-answers.ts';
import { faultAt, problem } from '#core/contract/problem.ts';
import { portalUrl } from '#organizations/domain/portal.ts';
import { readPortal, readPortalOf } from '#organizations/store/read/portals.ts';
import { answer, type HandlersFor, unchanged } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { createInvitationLink, revokeInvitationLink } from '../commands/change-invitation-links.ts';
import { invitationLinkStatus } from '../domain/invitation-link.ts';
import { type InvitationLink, invitationLinks } from '../store/invitation-links.ts';
import { readInvitation } from '../store/read/sign-ups.ts';
import { MAX_CUSTOM_RATES, MAX_OWN_REWARDS, MIXED_REWARDS } from '#programs/domain/program-terms.ts';
import { countCustomRates } from '#programs/store/programs.ts';
import { showReward } from '#programs/store/read/programs.ts';
import { showProgram } from './portals.ts';

/**
 * Returns the handlers of calls about invitation links. With a link, partners join a program without a review, unless
 * their sign-up has a fraud signal.
 */
export function invitationLinkHandlers({ publicUrl }: Site): HandlersFor<typeof contract> {
  return {
    listInvitationLinks: async (request) => {
      const show = await shownBy(request.tenant);
      return answerPage(request, invitationLinks, { show: (items) => items.map(show) });
    },

    createInvitationLink: async ({ auth: { author }, tenant, body }) => {
      const { programId, note = null, tags = [], maxUses = null, expiresAt = null, reward = null } = body;
      if (expiresAt !== null && expiresAt <= new Date()) return PAST;
      const given = { programId, note, tags, maxUses, expiresAt, reward, author };
      const created = await createInvitationLink(tenant, given);
      switch (created.kind) {
        case 'created':
          return answer(201, (await shownBy(tenant))(created.link));
        case 'faulty-rate':
          return FAULTY_RATES[created.fault];
        case 'unknown-program':
          return NO_PROGRAM;
        case 'deleted-program':
          return problem('invalid-transition', 'Partners can’t join a deleted program. Choose another program.');
        default:
          return created satisfies never;
      }
    },

    revokeInvitationLink: async ({ tenant, params: { id } }) => {
      const revoked = await revokeInvitationLink(tenant, id);
      if (revoked.kind === 'unknown') return problem('not-found');
      const shown = answer(200, (await shownBy(tenant))(revoked.link));
      return revoked.kind === 'revoked' ? shown : unchanged(shown);
    },

    previewInvitationLink: async ({ database, params: { slug }, body: { token } }) => {
      const portal = await readPortal(database, slug);
      if (portal === undefined) return problem('not-found');
      const { organizationId } = portal;
      const invitation = await readInvitation({ connection: database, organizationId }, token);
      return invitation === undefined ? LINK_EXPIRED : answer(200, showProgram(invitation.program));
    },
  };

  async function shownBy(tenant: Tenant): Promise<(link: InvitationLink) => object> {
    const portal = await readPortalOf(tenant);
    const totalRates = await countCustomRates(tenant, null);
    const now = new Date();
    return ({ token, program, ...link }) => ({
      ...link,
      reward: link.reward && showReward(link.reward),
      url: portal === undefined ? null : `${portalUrl(publicUrl(), portal)}join#${token}`,
      status: invitationLinkStatus({ ...link, program }, totalRates, now),
    });
  }
}

const PAST = faultAt('/expiresAt', 'out-of-range', 'This time is in the past. Send a time in the future.');
const FAULTY_RATES = {
  conflicting: faultAt('/reward/type', 'conflicting', MIXED_REWARDS),
  'too-many': faultAt(
    '/reward',
    'too-many',
    `A program can have ${MAX_OWN_REWARDS} custom rates, and all programs together ${MAX_CUSTOM_RATES}. Remove some custom rates, or create a program with this rate.`,
  ),
} as const;
const NO_PROGRAM = faultAt('/programId', 'unknown-program', 'No program has this id. Check the id.');
