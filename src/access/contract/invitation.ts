import { INVITATION_STATUSES, MAX_OPEN_INVITATIONS } from '../domain/person.ts';
import type { InvitationId } from '#core/ids.ts';
import { z } from 'zod';
import { id, object, optional } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { email, linkToken, newPassword } from './password.ts';
import { personName, role } from './person.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { session, SET_COOKIE } from './session.ts';
import { ROLES } from '#core/caller.ts';

const operation = operationsOf('People');

const shape = {
  id: shownId({ description: 'The invitation’s id.', example: 8 }),
  email: shownText({
    description: 'The invited address. Null for the link that creates the first owner.',
    example: 'grace@example.com',
  }).nullable(),
  role: shownChoice(ROLES, { description: 'The role that the invitation grants.', example: 'manager' }),
  status: shownChoice(INVITATION_STATUSES, { description: 'Whether the link still works.', example: 'open' }),
  invitedBy: shownText({ description: 'The author of the invitation, as in the audit log.', example: 'person 5' }),
  createdAt: shownTime({ description: 'When it was created.' }),
  expiresAt: shownTime({ description: 'When the link expires.' }),
  acceptedAt: shownTime({ description: 'When it was accepted.' }).nullable(),
};

const invitation = z
  .strictObject(shape)
  .meta({ id: 'Invitation', description: 'An invitation to join the organization.' });

const newInvitation = z
  .strictObject({
    ...shape,
    url: shownText({
      description:
        'The link. It is shown only once. The email contains another link for the same invitation, which also ' +
        'confirms the address.',
      example: 'https://whence.example.com/console/invitation#q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o',
    }),
  })
  .meta({ id: 'NewInvitation', description: 'A new invitation, with its link.' });

export const listInvitations = operation({
  method: 'GET',
  path: '/v1/invitations',
  summary: 'List invitations',
  description: 'Lists all invitations to the console, in every state.',
  scope: 'resources:read',
  query: listQuery(['id', 'createdAt'], {}),
  success: listSuccess(invitation, 'Invitations.'),
});

export const createInvitation = operation({
  method: 'POST',
  path: '/v1/invitations',
  summary: 'Invite a person',
  description:
    'Creates an invitation link, sends it by email, and returns it only once. The link works once and expires ' +
    'after seven days, or when the API key that created it expires. An earlier invitation to the same address ' +
    'is revoked. You can’t grant a role with more permissions than your own. An address is unique within an ' +
    `organization, but other organizations can invite it too. Limits: ${MAX_OPEN_INVITATIONS} open invitations, ` +
    '5 emails per address in 15 minutes, and 100 emails per organization in an hour.',
  scope: 'people:write',
  fresh: true,
  example: { email: 'grace@example.com', role: 'manager' },
  body: object({ email, role }),
  showsSecret: 'url',
  success: { status: 201, description: 'The invitation.', body: newInvitation },
  problems: ['address-taken', 'too-many-invitations'],
});

export const revokeInvitation = operation({
  method: 'DELETE',
  path: '/v1/invitations/{id}',
  summary: 'Revoke an invitation',
  description:
    'Revokes an invitation, so that its link no longer works. Repeating the call changes nothing. An accepted ' +
    'invitation can’t be revoked. Remove the person instead.',
  scope: 'people:write',
  params: z.object({ id: id<InvitationId>({ description: 'The invitation’s id.', example: 8 }) }),
  success: { description: 'The revoked invitation.', body: invitation, example: { status: 'revoked' } },
  problems: ['invalid-transition'],
});

export const previewInvitation = operation({
  method: 'POST',
  path: '/v1/invitations/preview',
  summary: 'Get your invitation',
  description: 'Returns the invitation that the token of the link belongs to.',
  scope: 'account',
  open: true,
  body: object({ token: linkToken }),
  repeats: 'none',
  takesSecret: ['token'],
  success: {
    description: 'The invitation.',
    body: z
      .strictObject({
        organization: shownText({ description: 'The name of the inviting organization.', example: 'Ada’s Mugs' }),
        email: shape.email,
        role: shape.role,
      })
      .meta({ id: 'InvitationPreview', description: 'What the invitation grants.' }),
  },
  problems: ['link-expired'],
});

export const acceptInvitation = operation({
  method: 'POST',
  path: '/v1/invitations/accept',
  summary: 'Accept your invitation',
  description:
    'Creates the person, logs them in and sets the session cookie. The person gets the email address of the ' +
    'invitation. The first owner’s link has no address, so it requires `email`. The link works once.',
  scope: 'account',
  open: true,
  body: object({ token: linkToken, name: personName, email: optional(email), password: newPassword }),
  repeats: 'token',
  takesSecret: ['token', 'password'],
  success: { status: 201, description: 'The session.', body: session, headers: SET_COOKIE },
  problems: ['link-expired', 'address-taken'],
});
