import { tags } from '#collaborators/contract/collaborator.ts';
import type { ProgramId } from '#core/ids.ts';
import { INVITATION_LINK_STATUSES, MAX_INVITATION_NOTE, MAX_INVITATION_USES } from '../domain/invitation-link.ts';
import { z } from 'zod';
import { id, integer, object, optional, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { moment } from '#core/contract/time-field.ts';
import { operationsOf } from '#core/contract/operation.ts';
import {
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';
import { reward, shownReward } from '#programs/contract/program-terms.ts';
import { LINK_TOKEN, offeredProgram, ofPortal } from './portal.ts';

const operation = operationsOf('Portal');
const NOTE = 'Your note about the link. Collaborators don’t see it.';
const USES = 'How many collaborators can join with the link. Null: any number.';
const EXPIRES = 'When the link stops working. Null: never.';
const REWARD =
  'The custom rate of collaborators who join the program with the link. Null: they get the rate of the program. ' +
  'Collaborators who are already in the program, or who have a custom rate in it, keep their rate.';

const invitationLink = z
  .strictObject({
    id: shownId({ description: 'The link’s id.', example: 4 }),
    url: shownText({ description: 'The link. Null if the portal is closed.' })
      .nullable()
      .meta({
        examples: ['https://whence.example.com/portal/adas-mugs/join#q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o'],
      }),
    programId: shownId({ description: 'The program that collaborators join with the link.', example: 5 }),
    programName: shownText({ description: 'The program’s name.', example: 'Friends' }),
    status: shownChoice(INVITATION_LINK_STATUSES, {
      description:
        'Whether the link can be used. `blocked`: the program, or all programs together, have the maximum number of ' +
        'custom rates, or the program’s reward can’t be combined with the link’s reward.',
      example: 'open',
    }),
    note: shownText({ description: NOTE })
      .nullable()
      .meta({ examples: ['Podcast hosts'] }),
    tags: z
      .array(z.string())
      .meta({ description: 'The tags of collaborators who join with the link.', examples: [['podcast']] }),
    maxUses: shownInteger({ description: USES })
      .nullable()
      .meta({ examples: [20] }),
    reward: shownReward.nullable().meta({ description: REWARD, examples: [{ type: 'percent', percent: 20 }] }),
    currency: shownCurrency(),
    uses: shownInteger({ description: 'How many collaborators joined with the link.', example: 3 }),
    author: shownText({ description: 'The author, as in the audit log.', example: 'person 5' }),
    createdAt: shownTime({ description: 'When it was created.' }),
    expiresAt: shownTime({ description: EXPIRES }).nullable(),
    revokedAt: shownTime({ description: 'When it was revoked.' }).nullable(),
  })
  .meta({ id: 'InvitationLink', description: 'A link with which collaborators join a program without approval.' });

export const listInvitationLinks = operation({
  method: 'GET',
  path: '/v1/invitation-links',
  summary: 'List invitation links',
  description:
    'Lists the links with which collaborators join a program without approval, in every state. Anyone with such a link ' +
    'can join, so the call needs the scope `resources:write`.',
  scope: 'resources:write',
  query: listQuery(['id', 'createdAt'], { programId: id<ProgramId>({ description: 'The program.' }) }),
  success: listSuccess(invitationLink, 'Invitation links.'),
});

export const createInvitationLink = operation({
  method: 'POST',
  path: '/v1/invitation-links',
  summary: 'Create an invitation link',
  description:
    'Creates a link. New collaborators who sign up with the link and confirm their address are active at once, get its ' +
    'tags, and are enrolled in its program, even if the program is closed to sign-ups. A pending collaborator becomes ' +
    'active. With `reward`, they get a custom rate in the program. If a sign-up has a fraud signal, the applicant stays ' +
    'pending until you approve them.',
  scope: 'resources:write',
  fresh: true,
  example: { programId: 5, note: 'Podcast hosts', tags: ['podcast'], maxUses: 20 },
  body: object({
    programId: id<ProgramId>({ description: 'The program that collaborators join with the link.', example: 5 }),
    note: optional(text(1, MAX_INVITATION_NOTE, { description: NOTE }, { noControlCharacters: true })),
    tags,
    maxUses: optional(integer(1, MAX_INVITATION_USES, { description: USES, example: 20 })),
    expiresAt: optional(moment({ description: EXPIRES })),
    reward: reward.nullish().meta({ description: REWARD }),
  }),
  hidden: ['url'],
  success: { status: 201, description: 'The link.', body: invitationLink },
  problems: ['invalid-transition'],
});

export const revokeInvitationLink = operation({
  method: 'DELETE',
  path: '/v1/invitation-links/{id}',
  summary: 'Revoke an invitation link',
  description:
    'Revokes a link, so that it no longer works. Collaborators who joined with it stay. Repeating the call changes ' +
    'nothing.',
  scope: 'resources:write',
  params: z.object({ id: id({ description: 'The link’s id.', example: 4 }) }),
  hidden: ['url'],
  success: { description: 'The revoked link.', body: invitationLink, example: { status: 'revoked' } },
});

export const previewInvitationLink = operation({
  method: 'POST',
  path: '/v1/portals/{slug}/invitation-links/preview',
  tag: 'Portal login',
  summary: 'Get an invitation',
  description:
    'Returns the program of an invitation link, with the reward of the link. The token is the part of the link after `#`.',
  scope: 'portal',
  open: true,
  params: ofPortal,
  body: object({ token: LINK_TOKEN }),
  repeats: 'none',
  takesSecret: ['token'],
  success: { description: 'The program.', body: offeredProgram },
  problems: ['link-expired'],
});
