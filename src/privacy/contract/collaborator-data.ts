import type { CollaboratorId } from '#core/ids.ts';
import { shownDetails, WHOLE_ACCOUNT } from '#collaborators/contract/payout-details.ts';
import { shownTaxDetails, WHOLE_NUMBERS } from '#collaborators/contract/tax-details.ts';
import { formAnswer } from '#portal/contract/sign-up.ts';
import { z } from 'zod';
import { collaborator } from '#collaborators/contract/collaborator.ts';
import { id, object } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownId, shownInteger, shownText, shownTime } from '#core/contract/response-fields.ts';
import { shownUser } from '#core/contract/user-fields.ts';

const operation = operationsOf('Privacy');

const at = shownTime({ description: 'When it was created.' });
const code = z.strictObject({
  type: shownText({ description: 'The type of the code.', example: 'tracking' }),
  code: shownText({ description: 'The code.', example: 'ada' }),
  createdAt: at,
  retiredAt: shownTime({ description: 'When the code was retired or moved. Null for a current code.' }).nullable(),
});
const answered = z.strictObject({
  programId: shownId({ description: 'The program.', example: 5 }),
  answers: z.array(formAnswer).meta({ description: 'Their answers.' }),
  createdAt: at,
});
const agreed = z.strictObject({
  version: shownInteger({ description: 'The accepted version of the partner agreement.', example: 2 }),
  acceptedAt: shownTime({ description: 'When they accepted it.' }),
});
const noted = z.strictObject({
  text: shownText({ description: 'The text.' }),
  author: shownText({ description: 'The author, as in the audit log.', example: 'person 5' }),
  createdAt: at,
});
const browser = z.strictObject({
  createdAt: at,
  lastSeenAt: shownTime({ description: 'When the session was last used, to the minute.' }),
  userAgent: shownText({ description: 'The browser, as it describes itself.' }).nullable(),
});
const passkey = z.strictObject({
  name: shownText({ description: 'The name that they gave the passkey.', example: 'Laptop' }),
  createdAt: at,
  lastUsedAt: shownTime({ description: 'When they last logged in with the passkey.' }).nullable(),
});
const notice = z.strictObject({
  kind: shownText({ description: 'The kind of email.', example: 'paid' }),
  subjectId: shownInteger({
    description:
      'The conversion, payout, announcement or configuration version that the email is about. 0 for a first click.',
    example: 41,
  }),
  notedAt: shownTime({ description: 'When the worker detected the event.' }),
  sentAt: shownTime({ description: 'When the email was queued or skipped. Null if it is still due.' }).nullable(),
});
const mute = z.strictObject({
  kinds: z.array(z.string()).meta({ description: 'The kinds that they don’t want.', examples: [['paid']] }),
});
const matchedSale = z.strictObject({
  transactionId: shownInteger({ description: 'The sale.', example: 12 }),
  details: z.array(z.string()).meta({ description: 'The shared details.', examples: [['email', 'card']] }),
});
const change = z.strictObject({
  at: shownTime({ description: 'When the change was made.' }),
  author: shownText({ description: 'The author of the change, as in the audit log.', example: 'key 3' }),
  operation: shownText({ description: 'The operation.', example: 'changeCollaborator' }),
  request: z.unknown().meta({ description: 'The body of the request.' }),
  before: z.unknown().meta({ description: 'The values before the change.' }),
  after: z.unknown().meta({ description: 'The response to the call, without secrets.' }),
});

const collaboratorData = z
  .strictObject({
    collaborator,
    codes: z.array(code).meta({ description: 'All their codes, including retired ones.' }),
    userIds: z
      .array(shownUser({ description: 'A user id.' }))
      .meta({ description: 'Their current and former user ids.', examples: [[42]] }),
    signUps: z.array(answered).meta({ description: 'Their sign-ups in the portal.' }),
    agreements: z.array(agreed).meta({ description: 'The versions of the partner agreement that they accepted.' }),
    notes: z.array(noted).meta({ description: 'Your notes about them.' }),
    payoutDetails: shownDetails(WHOLE_ACCOUNT).nullable().meta({ description: 'Null if they have not set any.' }),
    taxDetails: shownTaxDetails(WHOLE_NUMBERS).nullable().meta({ description: 'Null if they are not set.' }),
    sessions: z.array(browser).meta({ description: 'The browsers in which they are logged in to the portal.' }),
    passkeys: z.array(passkey).meta({ description: 'Their passkeys, without the keys themselves.' }),
    emails: z.array(notice).meta({
      description:
        'The notification emails and announcements of the last 90 days, including emails that are still due.',
    }),
    emailMutes: z
      .array(mute)
      .meta({ description: 'The kinds of email that they don’t want, if they have chosen any.' }),
    matchedSales: z.array(matchedSale).meta({
      description: 'The sales whose buyers shared details with them, without the details themselves.',
    }),
    changes: z.array(change).meta({ description: 'Their audit records, oldest first.' }),
  })
  .meta({
    id: 'CollaboratorData',
    description:
      'All stored data about a collaborator as a person. Their earnings are in the lists and in their statements.',
  });

export const exportCollaborator = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/export',
  summary: 'Export a collaborator’s personal data',
  description:
    'Returns the personal data of a collaborator: fields, codes, user ids, sign-ups, accepted agreements, notes, ' +
    'payout and tax details in full, sessions, passkeys, sent emails (`emails`), email choices (`emailMutes`), the ' +
    'sales whose buyers shared details with them (`matchedSales`), and audit records about them (`changes`). The ' +
    'export is recorded in the audit log. To export the collaborator’s own visits and purchases, use ' +
    '`POST /v1/visitors/export` with their user id.',
  scope: 'resources:write',
  fresh: true,
  params: z.object({ id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) }),
  isLong: true,
  success: { description: 'All stored data.', body: collaboratorData },
});

export const eraseCollaborator = operation({
  method: 'POST',
  path: '/v1/collaborators/erase',
  summary: 'Erase a collaborator',
  description:
    'Deletes a collaborator and permanently erases their personal data: name, email, nickname, user ids, tags, ' +
    'codes, sign-ups, accepted agreements, notes, payout and tax details, payout requests, sessions, passkeys, the ' +
    'list of emails, email choices, hashes of cards and delivery addresses, and the copies of these in the audit ' +
    'log. Data about them as a visitor is erased too. Their earnings stay under their id. The call is refused while ' +
    'they have a draft or pending obligation, such as a clawback, or an unpaid payout. Repeating the call changes nothing.',
  scope: 'resources:write',
  fresh: true,
  body: object({ collaboratorId: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) }),
  success: {
    description: 'The erased collaborator.',
    body: collaborator,
    example: {
      name: 'Erased',
      email: null,
      nickname: null,
      status: 'deleted',
      userId: null,
      tags: [],
      rejectionReason: null,
      aliases: [],
    },
  },
  problems: ['not-found', 'still-owed'],
});
