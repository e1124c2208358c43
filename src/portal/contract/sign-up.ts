import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import { shownDetails, WHOLE_ACCOUNT } from '#collaborators/contract/payout-details.ts';
import {
  FIELD_TYPES,
  formFaults,
  MAX_CHOICES,
  MAX_FORM_FIELDS,
  MAX_LABEL,
  MAX_SHORT_ANSWER,
} from '../domain/application-form.ts';
import { COUNTED_DAYS, NETWORK_DAYS, SIGN_UPS_FROM_NETWORK } from '../domain/sign-up-network.ts';
import { MAX_ACCEPTED_DOMAINS, SIGN_UP_MODES, SIGN_UP_STATUSES } from '../domain/sign-up.ts';
import { z } from 'zod';
import { choice, clearable, flag, id, integer, object, optional, optionalList, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { domainName } from '#core/contract/web-address.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import { shownChoice, shownFlag, shownId, shownInteger, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Portal');
const MODE =
  '`closed`: no sign-ups. `approval`: new collaborators are `pending` until you make them `active`. `open`: new ' +
  'collaborators can earn at once.';
const HEADLINE = 'The form’s description of the program. The default is the program’s name.';
const FIELDS =
  'The fields of the application form, in order. Each field has a different label. The form always asks for name ' +
  'and email.';

const DOMAINS =
  'With the mode `approval`: applicants with an email address in one of these domains are accepted as with the mode ' +
  '`open`, once they confirm the address. Subdomains don’t count. Don’t list domains of public email providers.';

const FROM_NETWORK =
  `If this number of collaborators or more apply from one network within ${COUNTED_DAYS} days, their sign-ups have a fraud signal. ` +
  'Further applicants from the network then need your approval, even with the mode `open`, a domain of ' +
  '`acceptedDomains`, or an invitation link. Null turns the signal off.';

const TYPE =
  'The type of the answer. `short-text`: at most 255 characters. `long-text`: at most 2,000. `choice`: one of `choices`. ' +
  '`checkbox`: `yes`, or nothing. `url`: the address of a page.';

const ofProgram = z.object({ id: id<ProgramId>({ description: 'The program’s id.', example: 5 }) });
const ofCollaborator = z.object({ id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) });

/** The fields of an application form in a response. */
export const formFields = z
  .array(
    z
      .strictObject({
        label: shownText({ description: 'The label.', example: 'Where will you tell people about us?' }),
        type: shownChoice(FIELD_TYPES, { description: TYPE, example: 'long-text' }),
        required: shownFlag({ description: 'Whether an answer is required.' }),
        choices: z
          .array(z.string())
          .meta({ description: 'The choices. Empty unless the type is `choice`.', examples: [[]] }),
      })
      .meta({ id: 'FormField', description: 'A field of an application form.' }),
  )
  .meta({ description: FIELDS });

const givenFields = optionalList(
  object({
    label: text(1, MAX_LABEL, { description: 'The label.', example: 'Your site' }, { noControlCharacters: true }),
    type: choice(FIELD_TYPES, { description: TYPE, example: 'url' }),
    required: optional(flag({ description: 'Whether an answer is required.' }), false),
    choices: optionalList(
      text(1, MAX_SHORT_ANSWER, { description: 'A choice.', example: 'A blog' }, { noControlCharacters: true }),
      { max: MAX_CHOICES, description: 'The choices, for the type `choice` only.' },
    ).transform((given) => given ?? []),
  }),
  { max: MAX_FORM_FIELDS, description: FIELDS },
).superRefine((fields, context) => {
  for (const [at, { at: property, code, detail }] of formFaults(fields ?? []))
    addFault(context, [at, property], code, detail);
});

const programSignUp = z
  .strictObject({
    mode: shownChoice(SIGN_UP_MODES, { description: MODE, example: 'approval' }),
    headline: shownText({ description: HEADLINE })
      .nullable()
      .meta({ examples: ['Ten percent on every mug'] }),
    fields: formFields,
    acceptedDomains: z.array(z.string()).meta({ description: DOMAINS, examples: [['agency.example']] }),
    signUpsFromNetwork: shownInteger({
      description: `${FROM_NETWORK} The default is ${SIGN_UPS_FROM_NETWORK.initial}.`,
      example: SIGN_UPS_FROM_NETWORK.initial,
    }).nullable(),
  })
  .meta({ id: 'ProgramSignUp', description: 'Whether and how collaborators sign up for a program in the portal.' });

export const getProgramSignUp = operation({
  method: 'GET',
  path: '/v1/programs/{id}/sign-up',
  summary: 'Get a program’s sign-up settings',
  description: 'Returns a program’s sign-up settings. By default, the program is closed to sign-ups.',
  scope: 'resources:read',
  params: ofProgram,
  versioned: true,
  success: { description: 'The sign-up.', body: programSignUp },
});

export const changeProgramSignUp = operation({
  method: 'PATCH',
  path: '/v1/programs/{id}/sign-up',
  reader: getProgramSignUp,
  summary: 'Change a program’s sign-up settings',
  description:
    'Changes the given sign-up settings of a program. Null removes an optional field. The portal shows active ' +
    'programs that are not closed to sign-ups, at most 50, sorted by name.',
  scope: 'resources:write',
  fresh: ['acceptedDomains', 'mode'],
  params: ofProgram,
  example: { mode: 'approval', fields: [{ label: 'Where will you tell people about us?', type: 'long-text' }] },
  body: object({
    mode: optional(choice(SIGN_UP_MODES, { description: MODE, example: 'approval' })),
    headline: clearable(text(1, 255, { description: HEADLINE }, { noControlCharacters: true })),
    fields: givenFields,
    acceptedDomains: optionalList(domainName({ description: 'A domain.', example: 'agency.example' }), {
      max: MAX_ACCEPTED_DOMAINS,
      description: DOMAINS,
    }).transform((given) => given && [...new Set(given)]),
    signUpsFromNetwork: clearable(
      integer(SIGN_UPS_FROM_NETWORK.least, SIGN_UPS_FROM_NETWORK.most, { description: FROM_NETWORK, example: 3 }),
    ),
  }),
  versioned: true,
  success: { description: 'The changed sign-up settings.', body: programSignUp },
  problems: ['invalid-transition'],
});

/** An answer in a response. */
export const formAnswer = z.strictObject({
  label: shownText({ description: 'The label, as it was shown.', example: 'Where will you tell people about us?' }),
  value: shownText({ description: 'The answer.', example: 'On my blog about tea' }),
});

const sameNetwork = z.strictObject({
  id: shownId({ description: 'The collaborator’s id.', example: 8 }),
  name: shownText({ description: 'The collaborator’s name.', example: 'Ben' }),
});

const signUp = z
  .strictObject({
    id: shownId({ description: 'The sign-up’s id.', example: 3 }),
    programId: shownId({ description: 'The program.', example: 5 }),
    programName: shownText({ description: 'The program’s name.', example: 'Friends' }),
    status: shownChoice(SIGN_UP_STATUSES, {
      description:
        '`waiting`: until the collaborator is active and can earn in the program (the program is open to everyone, or the ' +
        'collaborator is enrolled). `turned-away`: the collaborator was rejected or deleted.',
    }),
    answers: z
      .array(formAnswer)
      .meta({ description: 'The answers, in the order of the form. Empty answers are omitted.' }),
    signals: z
      .array(
        z
          .strictObject({
            reason: shownChoice(['sign-ups-from-network'], { description: 'The fraud signal.' }),
            value: shownInteger({
              description: `The number of collaborators who applied from one network within ${COUNTED_DAYS} days, at most ${SIGN_UPS_FROM_NETWORK.most}.`,
              example: 4,
            }),
            limit: shownInteger({ description: 'The limit of the program.', example: 3 }),
            collaborators: z.array(sameNetwork).meta({
              description: `The other collaborators who applied from the network within ${COUNTED_DAYS} days of this sign-up, at most 20. Networks are stored for only ${NETWORK_DAYS} days.`,
            }),
          })
          .meta({ id: 'SignUpSignal', description: 'A fraud signal of a sign-up, with its facts.' }),
      )
      .meta({ description: 'The fraud signals of the sign-up. Collaborators don’t see them.' }),
    createdAt: shownTime({ description: 'When the address was confirmed.' }),
  })
  .meta({ id: 'SignUp', description: 'A collaborator’s request to join a program.' });

export const listSignUps = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/sign-ups',
  summary: 'List a collaborator’s sign-ups',
  description:
    'Lists the programs that the collaborator signed up for in the portal, with the answers. Each program ' +
    'occurs once.',
  scope: 'resources:read',
  params: ofCollaborator,
  query: listQuery(['id', 'createdAt'], { programId: id({ description: 'The program.' }) }),
  success: listSuccess(signUp, 'Sign-ups.'),
});

const payoutDetails = shownDetails(WHOLE_ACCOUNT).meta({
  id: 'PayoutDetails',
  description: 'How a collaborator wants to be paid.',
});

export const getPayoutDetails = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/payout-details',
  summary: 'Get a collaborator’s payout details',
  description:
    'Returns the complete payout details that the collaborator entered in the portal. They are stored ' +
    'encrypted, and each read is recorded in the audit log. The response is a 404 if there are none.',
  scope: 'resources:write',
  fresh: true,
  params: ofCollaborator,
  success: { description: 'The details.', body: payoutDetails },
});
