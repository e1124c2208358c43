import type { SessionId } from '#core/ids.ts';
import { z } from 'zod';
import { id, object, optional, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { heldPassword, newPassword } from './password.ts';
import { person, personName } from './person.ts';
import { shownFlag, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Account');

/** A session in the list of its owner's sessions. */
export const ownSession = z
  .strictObject({
    id: shownId({ description: 'The session’s id.', example: 12 }),
    createdAt: shownTime({ description: 'When it began.' }),
    lastSeenAt: shownTime({ description: 'When it was last used, to the minute.' }),
    expiresAt: shownTime({ description: 'When the session ends if it isn’t used until then.' }),
    userAgent: shownText({ description: 'The browser, as it describes itself.', example: 'Mozilla/5.0 …' }).nullable(),
    current: shownFlag({ description: 'Whether this is the session of the request.', example: true }),
  })
  .meta({ id: 'OwnSession', description: 'A logged-in browser.' });

export const getAccount = operation({
  method: 'GET',
  path: '/v1/account',
  summary: 'Get your account',
  description: 'Returns the logged-in person.',
  scope: 'account',
  success: { description: 'The person.', body: person },
});

export const changeAccount = operation({
  method: 'PATCH',
  path: '/v1/account',
  reader: getAccount,
  summary: 'Change your account',
  description: 'Changes the given fields of the logged-in person.',
  scope: 'account',
  example: { name: 'Ada King' },
  body: object({ name: optional(personName) }),
  success: { description: 'The changed person.', body: person },
});

export const changePassword = operation({
  method: 'POST',
  path: '/v1/account/password',
  summary: 'Change your password',
  description:
    'Sets a new password and ends all other sessions. Requires the current password. Limit: 10 attempts in 15 ' +
    'minutes, including successful attempts.',
  scope: 'account',
  body: object({ current: heldPassword, password: newPassword }),
  takesSecret: ['current', 'password'],
  success: { description: 'The password is changed. No body.' },
});

export const listSessions = operation({
  method: 'GET',
  path: '/v1/account/sessions',
  summary: 'List your sessions',
  description: 'Lists your sessions, at most 20. A further login ends the session with the longest idle time.',
  scope: 'account',
  query: listQuery(['id'], {}),
  success: listSuccess(ownSession, 'Sessions.'),
});

export const endSession = operation({
  method: 'DELETE',
  path: '/v1/account/sessions/{id}',
  revokes: true,
  summary: 'End one of your sessions',
  description: 'Ends one of your sessions. All processes refuse it within a second.',
  scope: 'account',
  params: z.object({ id: id<SessionId>({ description: 'The session’s id.', example: 12 }) }),
  success: { description: 'The session has ended. No body.' },
});

const code = text(6, 32, { description: 'Six digits from the app.', example: '492039' });

export const startTotp = operation({
  method: 'POST',
  path: '/v1/account/totp',
  summary: 'Set up a second factor',
  description:
    'Creates a secret for an authenticator app (RFC 6238). The second factor becomes active when `POST ' +
    '/v1/account/totp/confirm` accepts the first code from the app.',
  scope: 'account',
  fresh: true,
  repeats: 'none',
  showsSecret: ['secret', 'uri'],
  success: {
    description: 'The secret.',
    body: z
      .strictObject({
        secret: shownText({
          description: 'The secret in base32, to type in.',
          example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        }),
        uri: shownText({
          description: 'The secret as a URI, for a QR code.',
          example: 'otpauth://totp/Whence:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Whence',
        }),
      })
      .meta({ id: 'TotpSecret', description: 'The secret of an authenticator app. It is shown only once.' }),
  },
  problems: ['invalid-transition'],
});

export const confirmTotp = operation({
  method: 'POST',
  path: '/v1/account/totp/confirm',
  summary: 'Activate a second factor',
  description:
    'Activates the second factor with the first code from the app. From then on, each password login also ' +
    'requires a code. Returns recovery codes. If the app is lost, use a recovery code instead. Each recovery ' +
    'code works once.',
  scope: 'account',
  body: object({ code }),
  takesSecret: ['code'],
  showsSecret: 'recoveryCodes',
  success: {
    description: 'The recovery codes.',
    body: z
      .strictObject({
        recoveryCodes: z.array(z.string()).meta({
          description: 'Shown only once. They are stored as hashes.',
          examples: [['J4QX-7KPM-W2TB-9RZC-V6HD-3NYE']],
        }),
      })
      .meta({ id: 'RecoveryCodes', description: 'Codes for people who have lost their second factor.' }),
  },
  problems: ['invalid-transition'],
});

export const removeTotp = operation({
  method: 'POST',
  path: '/v1/account/totp/remove',
  summary: 'Remove your second factor',
  description: 'Removes the second factor and its recovery codes. Requires a code from the app or a recovery code.',
  scope: 'account',
  body: object({
    code: text(6, 32, { description: 'Six digits from the app, or a recovery code.', example: '492039' }),
  }),
  takesSecret: ['code'],
  success: { description: 'The second factor is removed. No body.' },
  problems: ['invalid-transition'],
});
