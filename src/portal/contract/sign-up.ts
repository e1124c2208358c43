import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import { PAYOUT_METHODS } from '#collaborators/domain/payout-details.ts';
import { SIGN_UP_MODES, SIGN_UP_STATUSES } from '../domain/sign-up.ts';
import { z } from 'zod';
import { choice, clearable, id, object, optional, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const tag = 'Portal';
const MODE =
  '`closed`: nobody signs up by the portal. `approval`: whoever does is `pending` until you make them `active`. `open`: they may earn at once.';
const HEADLINE = 'What the form says about the program; its name unless given.';
const QUESTION = 'What you want to know of whoever signs up. Without it nothing is asked.';

const ofProgram = z.object({ id: id<ProgramId>({ description: 'The program’s id.', example: 5 }) });
const ofCollaborator = z.object({ id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) });

const programSignUp = z
  .strictObject({
    mode: shownChoice(SIGN_UP_MODES, { description: MODE, example: 'approval' }),
    headline: shownText({ description: HEADLINE })
      .nullable()
      .meta({ examples: ['Ten percent on every mug'] }),
    question: shownText({ description: QUESTION })
      .nullable()
      .meta({ examples: ['Where will you tell people of us?'] }),
  })
  .meta({ id: 'ProgramSignUp', description: 'Whether, and how, collaborators sign up for a program by the portal.' });

export const getProgramSignUp = operation({
  method: 'GET',
  path: '/v1/programs/{id}/sign-up',
  tag,
  summary: 'Get how collaborators sign up for a program',
  description: 'Closed unless you have opened it.',
  scope: 'resources:read',
  keys: ['secret'],
  params: ofProgram,
  versioned: true,
  success: { status: 200, description: 'The sign-up.', body: programSignUp },
  problems: ['not-found'],
});

export const changeProgramSignUp = operation({
  method: 'PATCH',
  path: '/v1/programs/{id}/sign-up',
  reader: getProgramSignUp,
  tag,
  summary: 'Change how collaborators sign up for a program',
  description:
    'Changes the fields that are given; null takes an optional one away. The portal shows active programs that are not closed.',
  scope: 'resources:write',
  keys: ['secret'],
  params: ofProgram,
  example: { mode: 'approval', question: 'Where will you tell people of us?' },
  body: object({
    mode: optional(choice(SIGN_UP_MODES, { description: MODE, example: 'approval' })),
    headline: clearable(text(1, 255, { description: HEADLINE }, { noControlCharacters: true })),
    question: clearable(text(1, 500, { description: QUESTION }, { noControlCharacters: true })),
  }),
  versioned: true,
  success: { status: 200, description: 'The sign-up as it is now.', body: programSignUp },
  problems: ['not-found', 'invalid-transition'],
});

const signUp = z
  .strictObject({
    id: shownId({ description: 'The sign-up’s id.', example: 3 }),
    programId: shownId({ description: 'For which program.', example: 5 }),
    programName: shownText({ description: 'What it is called.', example: 'Friends' }),
    status: shownChoice(SIGN_UP_STATUSES, {
      description:
        '`waiting`: until the collaborator is active and may earn in the program (it is for everyone, or they are enrolled). ' +
        '`turned-away`: the collaborator was rejected or deleted.',
    }),
    question: shownText({ description: 'What was asked.' })
      .nullable()
      .meta({ examples: ['Where will you tell people of us?'] }),
    application: shownText({ description: 'What was answered.' })
      .nullable()
      .meta({ examples: ['On my blog about tea'] }),
    createdAt: shownTime({ description: 'When the address was confirmed: nothing is kept before that.' }),
  })
  .meta({ id: 'SignUp', description: 'That a collaborator has asked to take part in a program.' });

export const listSignUps = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/sign-ups',
  tag,
  summary: 'List a collaborator’s sign-ups',
  description: 'What they have signed up for by the portal, and what they answered. Each program once.',
  scope: 'resources:read',
  keys: ['secret'],
  params: ofCollaborator,
  query: listQuery(['id', 'createdAt'], { programId: id({ description: 'For this program.' }) }),
  success: listSuccess(signUp, 'Sign-ups.'),
  problems: ['not-found', 'invalid-request'],
});

const payoutDetails = z
  .strictObject({
    method: shownChoice(PAYOUT_METHODS, { description: 'How they want to be paid.', example: 'bank' }),
    holder: shownText({ description: 'In whose name the account is.', example: 'Ada Lovelace' }),
    account: shownText({ description: 'Its number or address.', example: 'DE89 3704 0044 0532 0130 00' }),
    updatedAt: shownTime({ description: 'When they were given.' }),
  })
  .meta({ id: 'PayoutDetails', description: 'How a collaborator wants to be paid.' });

export const getPayoutDetails = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/payout-details',
  tag,
  summary: 'Get a collaborator’s payout details',
  description:
    'What they have given in the portal, in full. It is kept sealed; each time that it is read is in the audit log. 404 where they have given none.',
  scope: 'resources:write',
  keys: ['secret'],
  fresh: true,
  params: ofCollaborator,
  success: { status: 200, description: 'The details.', body: payoutDetails },
  problems: ['not-found'],
});
