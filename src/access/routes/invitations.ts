import type * as contract from '../contract/invitation.ts';
import { problem } from '#core/contract/problem.ts';
import { MAX_OPEN_INVITATIONS } from '../domain/person.ts';
import { acceptInvitation, previewInvitation } from '../commands/accept-invitation.ts';
import { invitePerson } from '../commands/invite-person.ts';
import { revokeInvitation } from '../commands/revoke-invitation.ts';
import { invitations } from '../store/read/invitations.ts';
import { callerName } from './caller-name.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import {
  answerLoggedIn,
  browserOf,
  faultAt,
  LINK_EXPIRED,
  type Site,
  throttledProblem,
  weakPasswordProblem,
} from './session-answers.ts';
import { exceededRoleProblem } from './people.ts';

export function invitationHandlers(site: Site): HandlersFor<typeof contract> {
  const { secrets, publicUrl } = site;
  return {
    listInvitations: (request) => answerPage(request, invitations),

    createInvitation: async ({ auth, tenant, body }) => {
      const { organizationId, author, scopes } = auth;
      const inviter = {
        organizationId,
        author,
        scopes,
        name: await callerName(tenant.connection, auth),
        publicUrl: publicUrl(),
      };
      const inviting = await invitePerson(tenant.connection, secrets, inviter, body);
      switch (inviting.kind) {
        case 'invited':
          return answer(201, { ...inviting.invitation, url: inviting.url }, NO_STORE);
        case 'address-taken':
          return ADDRESS_TAKEN;
        case 'too-many':
          return TOO_MANY;
        case 'throttled':
          return throttledProblem(inviting);
        case 'exceeds':
          return exceededRoleProblem(inviting.scopes);
        default:
          return inviting satisfies never;
      }
    },

    revokeInvitation: async ({ tenant, params: { id } }) => {
      const revoking = await revokeInvitation(tenant, id);
      switch (revoking.kind) {
        case 'revoked':
          return answer(200, revoking.invitation);
        case 'unknown':
          return problem('not-found');
        case 'accepted':
          return problem('invalid-transition', 'This invitation was accepted. Remove the person instead.');
        default:
          return revoking satisfies never;
      }
    },

    previewInvitation: async ({ database, body: { token } }) => {
      const invitation = await previewInvitation(database, token);
      if (invitation === undefined) return LINK_EXPIRED;
      const { organization, email, role } = invitation;
      return answer(200, { organization, email, role });
    },

    acceptInvitation: async ({ auth, database, body, header }) => {
      const accepting = await acceptInvitation(database, secrets, body, browserOf({ auth, header }));
      switch (accepting.kind) {
        case 'accepted':
          return answerLoggedIn(site, accepting);
        case 'expired':
          return LINK_EXPIRED;
        case 'address-missing':
          return faultAt('/email', 'required', 'This link has no email address. Send your email address.');
        case 'address-taken':
          return ADDRESS_TAKEN;
        case 'weak':
          return weakPasswordProblem(accepting.detail);
        case 'throttled':
          return throttledProblem(accepting);
        default:
          return accepting satisfies never;
      }
    },
  };
}

/** The headers of the response with the link of an invitation. Caches must not store the response. */
const NO_STORE = { headers: { 'cache-control': 'no-store' } };

const TOO_MANY = problem(
  'too-many-invitations',
  `There are already ${MAX_OPEN_INVITATIONS} open invitations, which is the maximum. Revoke an invitation first.`,
);

const ADDRESS_TAKEN = problem(
  'address-taken',
  'Another person of this organization already has this address. Use another address.',
);
