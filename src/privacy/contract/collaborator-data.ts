import type { CollaboratorId } from '#core/ids.ts';
import { PAYOUT_METHODS } from '#collaborators/domain/payout-details.ts';
import { z } from 'zod';
import { collaborator } from '#collaborators/contract/collaborator.ts';
import { id, object } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { shownUser } from '#core/contract/user-fields.ts';

const tag = 'Privacy';

const at = shownTime({ description: 'Since when.' });
const code = z.strictObject({
  type: shownText({ description: 'What kind of code it is.', example: 'tracking' }),
  code: shownText({ description: 'The code.', example: 'ada' }),
  createdAt: at,
  retiredAt: shownTime({ description: 'Until when; null: it leads to them.' }).nullable(),
});
const answered = z.strictObject({
  programId: shownId({ description: 'For which program.', example: 5 }),
  question: shownText({ description: 'What was asked.' }).nullable(),
  answer: shownText({ description: 'What they answered.' }).nullable(),
  createdAt: at,
});
const details = z.strictObject({
  method: shownChoice(PAYOUT_METHODS, { description: 'How they want to be paid.', example: 'bank' }),
  holder: shownText({ description: 'In whose name the account is.', example: 'Ada Lovelace' }),
  account: shownText({ description: 'Its number or address.', example: 'DE02120300000000202051' }),
  updatedAt: at,
});
const browser = z.strictObject({
  createdAt: at,
  lastSeenAt: shownTime({ description: 'When it was last used, to the minute.' }),
  userAgent: shownText({ description: 'What the browser says that it is.' }).nullable(),
});
const passkey = z.strictObject({
  name: shownText({ description: 'What they called it.', example: 'Laptop' }),
  createdAt: at,
  lastUsedAt: shownTime({ description: 'When they last came by it.' }).nullable(),
});
const change = z.strictObject({
  at: shownTime({ description: 'When.' }),
  author: shownText({ description: 'Who made it, as in the audit.', example: 'key 3' }),
  operation: shownText({ description: 'What was called.', example: 'changeCollaborator' }),
  request: z.unknown().meta({ description: 'The body.' }),
  before: z.unknown().meta({ description: 'What there was before.' }),
  after: z.unknown().meta({ description: 'What was answered.' }),
});

const collaboratorData = z
  .strictObject({
    collaborator,
    codes: z.array(code).meta({ description: 'All codes that led to them, retired ones too.' }),
    userIds: z
      .array(shownUser({ description: 'A user id.' }))
      .meta({ description: 'Their current and former user ids.', examples: [[42]] }),
    signUps: z.array(answered).meta({ description: 'What they have signed up for by the portal.' }),
    payoutDetails: details.nullable().meta({ description: 'Null where they have given none.' }),
    sessions: z.array(browser).meta({ description: 'Where they are logged in to the portal.' }),
    passkeys: z.array(passkey).meta({ description: 'Their passkeys, without what secures them.' }),
    changes: z.array(change).meta({ description: 'What the audit has of them, oldest first.' }),
  })
  .meta({
    id: 'CollaboratorData',
    description:
      'All that is stored of a collaborator as a person. What they have earned is in the lists and in their statement.',
  });

export const exportCollaborator = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/export',
  tag,
  summary: 'Export what is stored of a collaborator',
  description:
    'Returns all personal data: fields, codes, sign-ups, payout details in full, sessions, passkeys, and the audit’s ' +
    'copies. The export is recorded in the audit log. To export their own visits and purchases, use ' +
    '`POST /v1/visitors/export` with their user id.',
  scope: 'resources:write',
  keys: ['secret'],
  fresh: true,
  params: z.object({ id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) }),
  isLong: true,
  success: { status: 200, description: 'All that is stored.', body: collaboratorData },
  problems: ['not-found'],
});

export const eraseCollaborator = operation({
  method: 'POST',
  path: '/v1/collaborators/erase',
  tag,
  summary: 'Erase a collaborator',
  description:
    'Deletes a collaborator and permanently erases their personal data: name, email, nickname, user id, codes, sign-ups, ' +
    'payout details, sessions, passkeys, and the audit’s copies of these. Data about them as a visitor is erased too. ' +
    'Their earnings stay under their id. The call is refused while anything is owed to them. Repeating it changes nothing.',
  scope: 'resources:write',
  keys: ['secret'],
  fresh: true,
  body: object({ collaboratorId: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) }),
  success: {
    status: 200,
    description: 'The collaborator as they are now.',
    body: collaborator,
    example: { name: 'Erased', email: null, nickname: null, status: 'deleted', userId: null, aliases: [] },
  },
  problems: ['not-found', 'still-owed'],
});
