import type * as contract from '../contract/invitation.ts';
import { faultAt, problem } from '#core/contract/problem.ts';
import { MAX_OPEN_INVITATIONS } from '../domain/person.ts';
import { acceptInvitation, previewInvitation } from '../commands/accept-invitation.ts';
import { invitePerson } from '../commands/invite-person.ts';
import { revokeInvitation } from '../commands/revoke-invitation.ts';
import { invitations } from '../store/read/invitations.ts';
import { callerName } from './caller-name.ts';
import { answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import {
  answerLoggedIn,
  browserOf,
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
      return answerOutcome(await invitePerson(tenant.connection, secrets, inviter, body), {
        invited: ({ invitation, url }) => answer(201, { ...invitation, url }, NO_STORE),
        'address-taken': ADDRESS_TAKEN,
        'too-many': TOO_MANY,
        throttled: throttledProblem,
        exceeds: ({ scopes }) => exceededRoleProblem(scopes),
      });
    },

    revokeInvitation: async ({ tenant, params: { id } }) =>
      answerOutcome(await revokeInvitation(tenant, id), {
        revoked: ({ invitation }) => answer(200, invitation),
        unknown: problem('not-found'),
        accepted: problem('invalid-transition', 'This invitation was accepted. Remove the person instead.'),
      }),

    previewInvitation: async ({ database, body: { token } }) => {
      const invitation = await previewInvitation(database, token);
      if (invitation === undefined) return LINK_EXPIRED;
      const { organization, email, role } = invitation;
      return answer(200, { organization, email, role });
    },

    acceptInvitation: async ({ auth, database, body, header }) =>
      answerOutcome(await acceptInvitation(database, secrets, body, browserOf({ auth, header })), {
        accepted: (accepting) => answerLoggedIn(site, accepting),
        expired: LINK_EXPIRED,
        'address-missing': faultAt('/email', 'required', 'This link has no email address. Send your email address.'),
        'address-taken': ADDRESS_TAKEN,
        weak: ({ detail }) => weakPasswordProblem(detail),
        throttled: throttledProblem,
      }),
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
