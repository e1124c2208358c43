import { INVITATION_STATUSES, MAX_OPEN_INVITATIONS } from '../domain/person.ts';
import type { InvitationId } from '#core/ids.ts';
import { z } from 'zod';
import { id, object, optional } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { email, linkToken, newPassword } from './password.ts';
import { personName, role } from './person.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { session, SET_COOKIE } from './session.ts';
import { ROLES } from '#core/caller.ts';

const tag = 'People';

const shape = {
  id: shownId({ description: 'The invitation’s id.', example: 8 }),
  email: shownText({
    description: 'Who is invited; null in the link that makes the first owner.',
    example: 'grace@example.com',
  }).nullable(),
  role: shownChoice(ROLES, { description: 'What they will be allowed to do.', example: 'manager' }),
  status: shownChoice(INVITATION_STATUSES, { description: 'Whether its link still holds.', example: 'open' }),
  invitedBy: shownText({ description: 'Who invited them, as the audit has it.', example: 'person 5' }),
  createdAt: shownTime({ description: 'When it was made.' }),
  expiresAt: shownTime({ description: 'Until when its link holds.' }),
  acceptedAt: shownTime({ description: 'When it was accepted.' }).nullable(),
};

const invitation = z
  .strictObject(shape)
  .meta({ id: 'Invitation', description: 'Somebody who may become one of the people.' });

const newInvitation = z
  .strictObject({
    ...shape,
    url: shownText({
      description: 'The link. It is shown this once; the mail has it as well.',
      example: 'https://whence.example.com/console/invitation#q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o',
    }),
  })
  .meta({ id: 'NewInvitation', description: 'An invitation that was just made, with its link.' });

export const listInvitations = operation({
  method: 'GET',
  path: '/v1/invitations',
  tag,
  summary: 'List invitations',
  description: 'Those that were made, whatever has become of them.',
  scope: 'resources:read',
  keys: ['secret'],
  query: listQuery(['id', 'createdAt'], {}),
  success: listSuccess(invitation, 'Invitations.'),
  problems: ['invalid-request'],
});

export const createInvitation = operation({
  method: 'POST',
  path: '/v1/invitations',
  tag,
  summary: 'Invite somebody',
  description:
    'Creates an invitation link, sends it by email, and returns it this once. The link works once and expires after seven days. ' +
    'An earlier invitation of the same address becomes void. You can’t grant a role with more permissions than your own. ' +
    'An address is unique within an organization, but other organizations can invite it too. ' +
    `Limits: ${MAX_OPEN_INVITATIONS} open invitations, 5 emails to an address in 15 minutes, and 100 emails an hour for an organization.`,
  scope: 'people:write',
  keys: ['secret'],
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
  tag,
  summary: 'Revoke an invitation',
  description:
    'Its link holds no more. The same call again changes nothing. One that was accepted can’t be revoked: remove the person.',
  scope: 'people:write',
  keys: ['secret'],
  params: z.object({ id: id<InvitationId>({ description: 'The invitation’s id.', example: 8 }) }),
  success: {
    status: 200,
    description: 'The invitation as it is now.',
    body: invitation,
    example: { status: 'revoked' },
  },
  problems: ['not-found', 'invalid-transition'],
});

export const previewInvitation = operation({
  method: 'POST',
  path: '/v1/invitations/preview',
  tag,
  summary: 'Look at one’s invitation',
  description: 'Who invites whom, by the link’s token.',
  scope: 'account',
  keys: [],
  open: true,
  body: object({ token: linkToken }),
  repeats: 'none',
  takesSecret: ['token'],
  success: {
    status: 200,
    description: 'The invitation.',
    body: z
      .strictObject({
        organization: shownText({ description: 'Who invites.', example: 'Ada’s Mugs' }),
        email: shape.email,
        role: shape.role,
      })
      .meta({ id: 'InvitationPreview', description: 'What somebody is invited to.' }),
  },
  problems: ['link-expired'],
});

export const acceptInvitation = operation({
  method: 'POST',
  path: '/v1/invitations/accept',
  tag,
  summary: 'Accept one’s invitation',
  description:
    'Makes the person, logs them in and sets the cookie. The address is the one that was invited; the first owner’s link has none, ' +
    'so there `email` is needed. The link counts once.',
  scope: 'account',
  keys: [],
  open: true,
  body: object({ token: linkToken, name: personName, email: optional(email), password: newPassword }),
  repeats: 'token',
  takesSecret: ['token', 'password'],
  success: { status: 201, description: 'The session.', body: session, headers: SET_COOKIE },
  problems: ['link-expired', 'address-taken'],
});
