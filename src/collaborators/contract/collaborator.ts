import {
  COLLABORATOR_ACTIONS,
  COLLABORATOR_STATUSES,
  type CollaboratorAction,
  FRAUD_REVIEWS,
  FIRST_COLLABORATOR_STATUSES,
  MAX_TAG,
  MAX_TAGS,
  normalizeTags,
} from '../domain/collaborator.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { z } from 'zod';
import { newAlias } from './alias.ts';
import { choice, clearable, id, object, optional, optionalList, text } from '#core/contract/fields.ts';
import { bulkIds } from '#core/contract/bulk-ids.ts';
import { idsFilter, listQuery, listSuccess, searchFilter } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { clearableUser, guestOrUser, platformUser, shownUser } from '#core/contract/user-fields.ts';
import { emailAddress } from '#core/contract/web-address.ts';

const operation = operationsOf('Collaborators');
const MAX_ALIASES = 100;

const name = text(1, 255, { description: 'Their name.', example: 'Ada Lovelace' });
const email = emailAddress({ description: 'Their email address.', example: 'ada@example.com' });
const nickname = text(1, 255, { description: 'A shorter name.', example: 'ada' });
const userId = {
  description:
    'Their own user id in your platform, so that they can’t earn on their own visits and orders: an integer, or text of 1 to ' +
    '255 characters without control characters.',
  example: 42,
};
export const tagText = text(
  1,
  MAX_TAG,
  { description: 'A tag. Case is ignored.', example: 'influencer' },
  { noControlCharacters: true },
);
/** The tags of a collaborator in a request. */
export const tags = optionalList(tagText, {
  max: MAX_TAGS,
  description: 'Your tags for the collaborator, who doesn’t see them. They are stored in lower case.',
}).transform((given) => given && normalizeTags(given));
const rejectionReason = (condition: string) =>
  text(1, 500, {
    description:
      `Your reason, ${condition}. An applicant gets it in the email about the rejection. Without a reason, the email ` +
      'has none.',
  });
const FRAUD_REVIEW =
  'Which of their commissions are sent to fraud review: those with a fraud signal (`signals`), all (`always`), or only ' +
  'those that match the deny list (`never`).';
const fraudReview = choice(FRAUD_REVIEWS, {
  description: FRAUD_REVIEW,
  example: 'always',
});
const patchStatuses = ['pending', 'active', 'inactive', 'rejected'] as const;

export const collaborator = z
  .strictObject({
    id: shownId({ description: 'The collaborator’s id.', example: 7 }),
    name: shownText({ description: 'Their name.', example: 'Ada Lovelace' }),
    email: shownText({ description: 'Their email address.', example: 'ada@example.com' }).nullable(),
    nickname: shownText({ description: 'A shorter name.', example: 'ada' }).nullable(),
    status: shownChoice(COLLABORATOR_STATUSES, {
      description:
        '`pending → active ⇄ inactive`, `pending → rejected`, any `→ deleted`. Only active collaborators earn.',
      example: 'active',
    }),
    userId: shownUser({ description: 'Their own user id in your platform.' }).nullable(),
    fraudReview: shownChoice(FRAUD_REVIEWS, { description: FRAUD_REVIEW }),
    aliases: z
      .array(z.strictObject({ type: z.string(), code: z.string() }))
      .meta({ description: 'The current aliases, oldest first.', examples: [[{ type: 'tracking', code: 'ada' }]] }),
    tags: z.array(z.string()).meta({
      description: 'Your tags for the collaborator, who doesn’t see them.',
      examples: [['influencer']],
    }),
    rejectionReason: shownText({ description: 'Your reason for the rejection. Applicants get it by email.' })
      .nullable()
      .meta({ examples: [null] }),
    createdAt: shownTime({ description: 'When it was created.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Collaborator', description: 'A person or company that can earn.' });

export const collaboratorId = z.object({
  id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }),
});

export const listCollaborators = operation({
  method: 'GET',
  path: '/v1/collaborators',
  summary: 'List collaborators',
  description: 'Lists the collaborators that are not deleted. `status=deleted` lists deleted collaborators.',
  scope: 'resources:read',
  query: listQuery(['id', 'name', 'createdAt'], {
    status: choice(COLLABORATOR_STATUSES, { description: 'Collaborators in this state.' }),
    name,
    email: text(1, 320, { description: 'Collaborators with this email address.' }),
    nickname,
    userId: platformUser({ description: 'Collaborators with this user id.' }),
    fraudReview: choice(FRAUD_REVIEWS, { description: 'Collaborators with this fraud review.' }),
    tag: tagText,
    search: searchFilter('the name, the nickname, the email address or the code of a current alias'),
    ids: idsFilter,
  }),
  mayLag: true,
  success: listSuccess(collaborator, 'Collaborators.'),
});

export const createCollaborator = operation({
  method: 'POST',
  path: '/v1/collaborators',
  summary: 'Create a collaborator',
  description:
    'Creates a collaborator with their first aliases. If another collaborator has one of the codes, nothing is ' +
    'created. The response is then a 409, which lists each such code with its owner in `taken`.',
  scope: 'resources:write',
  example: { name: 'Ada Lovelace', email: 'ada@example.com', aliases: [{ type: 'tracking', code: 'ada' }] },
  body: object({
    name,
    email: optional(email),
    nickname: optional(nickname),
    status: optional(choice(FIRST_COLLABORATOR_STATUSES, { description: 'Only active collaborators earn.' }), 'active'),
    userId: guestOrUser(userId),
    tags,
    fraudReview: optional(fraudReview, 'signals'),
    aliases: optionalList(newAlias, { max: MAX_ALIASES, description: 'Codes for use in reports.' }),
  }),
  versioned: true,
  success: { status: 201, description: 'The collaborator.', body: collaborator },
  problems: ['alias-taken'],
});

export const getCollaborator = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}',
  summary: 'Get a collaborator',
  description: 'Returns a collaborator. This also works for deleted collaborators.',
  scope: 'resources:read',
  params: collaboratorId,
  versioned: true,
  success: { description: 'The collaborator.', body: collaborator },
});

export const changeCollaborator = operation({
  method: 'PATCH',
  path: '/v1/collaborators/{id}',
  reader: getCollaborator,
  summary: 'Change a collaborator',
  description:
    'Changes the given fields of a collaborator. Null removes an optional field. A new email address, or a status ' +
    'without access to the portal, ends the collaborator’s portal sessions. A new email address also deletes their ' +
    'passkeys.',
  scope: 'resources:write',
  fresh: ['email'],
  params: collaboratorId,
  example: { status: 'inactive' },
  body: object({
    name: optional(name),
    email: clearable(email),
    nickname: clearable(nickname),
    status: optional(choice(patchStatuses, { description: 'The new status. To delete a collaborator, use DELETE.' })),
    userId: clearableUser(userId),
    tags,
    fraudReview: optional(fraudReview),
    rejectionReason: clearable(rejectionReason('with the status `rejected`')),
  }).superRefine(({ status, rejectionReason }, context) => {
    if (rejectionReason != null && status !== 'rejected')
      addFault(context, ['rejectionReason'], 'not-applicable', NO_REJECTION);
  }),
  versioned: true,
  success: { description: 'The changed collaborator.', body: collaborator },
  problems: ['invalid-transition'],
});

const NO_REJECTION = 'Only a rejected collaborator has a reason. Send the status rejected with it, or omit it.';

export const deleteCollaborator = operation({
  method: 'DELETE',
  path: '/v1/collaborators/{id}',
  reader: getCollaborator,
  summary: 'Delete a collaborator',
  description:
    'Deletes a collaborator. They earn nothing new and can no longer log in to the portal. Earlier earnings ' +
    'stay. Repeating the call changes nothing.',
  scope: 'resources:write',
  fresh: true,
  params: collaboratorId,
  versioned: true,
  success: { description: 'The changed collaborator.', body: collaborator, example: { status: 'deleted' } },
});

export const inviteCollaborator = operation({
  method: 'POST',
  path: '/v1/collaborators/{id}/invitation',
  reader: getCollaborator,
  summary: 'Invite a collaborator to the portal',
  description:
    'Sends the collaborator an email that says who added them, where the portal is, and how to log in. The email has no login link, so it doesn’t expire. Limits: 5 emails per ' +
    'address in 15 minutes, 10 emails per collaborator in a day, and 1,000 emails per organization in an hour. ' +
    'The response is a 409 if the collaborator has no email address or can’t log in, or if the organization has ' +
    'no portal.',
  scope: 'resources:write',
  params: collaboratorId,
  success: { description: 'The invited collaborator. The email is queued.', body: collaborator },
  problems: ['invalid-transition'],
});

const REMINDER_OUTCOMES = ['reminded', 'has-details', 'unreachable', 'rate-limited', 'not-found'] as const;
export type ShownReminderOutcome = (typeof REMINDER_OUTCOMES)[number];

export const remindPayoutDetails = operation({
  method: 'POST',
  path: '/v1/collaborators/payout-details-reminder',
  summary: 'Remind collaborators to enter payout details',
  description:
    'Sends up to 1,000 collaborators without payout details an email that asks them to enter the details in the ' +
    'portal. Limits: one email per address in a day, and 1,000 emails per organization in an hour. Returns one ' +
    'outcome for each id, in the order of the request. A repeated id counts once. The response is a 409 if the ' +
    'organization has no portal.',
  scope: 'resources:write',
  body: object({
    ids: bulkIds(id<CollaboratorId>({ description: 'A collaborator’s id.', example: 7 })),
  }),
  success: {
    description: 'The outcome for each id, in the order of `ids`.',
    body: z.array(
      z.strictObject({
        id: shownId({ description: 'The collaborator’s id.', example: 7 }),
        outcome: shownChoice(REMINDER_OUTCOMES, {
          description:
            '`reminded`: the email is queued. `has-details`: they have payout details. `unreachable`: they have no ' +
            'email address or can’t log in. `rate-limited`: they were reminded in the last day, or a limit is reached.',
        }),
      }),
    ),
  },
  problems: ['invalid-transition'],
});

const moved = z
  .strictObject({
    id: shownId({ description: 'The collaborator’s id.', example: 7 }),
    outcome: shownChoice(['changed', 'unchanged', 'not-found', 'invalid-transition'], {
      description: 'The outcome. `unchanged`: they already had this status.',
    }),
    status: shownChoice(COLLABORATOR_STATUSES, { description: 'Their status now.' }).optional(),
  })
  .meta({ id: 'CollaboratorMove', description: 'The outcome of a bulk change for one collaborator.' });

export const moveCollaborators = operation({
  method: 'POST',
  path: '/v1/collaborators/bulk',
  summary: 'Activate, deactivate or reject collaborators',
  description:
    'Makes up to 1,000 collaborators active (`activate`), inactive (`deactivate`) or rejected (`reject`) at ' +
    'once. If a collaborator can’t be changed, they stay unchanged and their outcome shows that. Returns one ' +
    'outcome for each id, in the order of the request. A repeated id counts once. Repeating the call changes ' +
    'nothing.',
  scope: 'resources:write',
  body: object({
    action: choice(Object.keys(COLLABORATOR_ACTIONS) as CollaboratorAction[], {
      description: 'The action for all collaborators.',
    }),
    ids: bulkIds(id<CollaboratorId>({ description: 'A collaborator’s id.', example: 7 })),
    rejectionReason: optional(rejectionReason('with the action `reject`')),
  }).superRefine(({ action, rejectionReason }, context) => {
    if (rejectionReason != null && action !== 'reject')
      addFault(context, ['rejectionReason'], 'not-applicable', NO_BULK_REJECTION);
  }),
  success: { description: 'The outcome for each id.', body: z.array(moved) },
});

const NO_BULK_REJECTION = 'Only the action reject has a reason. Omit the reason for other actions.';
