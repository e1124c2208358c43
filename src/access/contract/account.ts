import type { SessionId } from '#core/ids.ts';
import { z } from 'zod';
import { id, object, optional, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { heldPassword, newPassword } from './password.ts';
import { person, personName } from './person.ts';
import { shownFlag, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const tag = 'Account';

/** A session, as people and collaborators see their own. */
export const ownSession = z
  .strictObject({
    id: shownId({ description: 'The session’s id.', example: 12 }),
    createdAt: shownTime({ description: 'When it began.' }),
    lastSeenAt: shownTime({ description: 'When it was last used, to the minute.' }),
    expiresAt: shownTime({ description: 'When it ends, if it is used until then.' }),
    userAgent: shownText({ description: 'What the browser says it is.', example: 'Mozilla/5.0 …' }).nullable(),
    current: shownFlag({ description: 'Whether it is the one that asks.', example: true }),
  })
  .meta({ id: 'OwnSession', description: 'A browser that is logged in.' });

export const getAccount = operation({
  method: 'GET',
  path: '/v1/account',
  tag,
  summary: 'Get one’s account',
  description: 'Who is logged in.',
  scope: 'account',
  keys: [],
  success: { status: 200, description: 'The person.', body: person },
  problems: [],
});

export const changeAccount = operation({
  method: 'PATCH',
  path: '/v1/account',
  reader: getAccount,
  tag,
  summary: 'Change one’s account',
  description: 'Changes the fields that are given.',
  scope: 'account',
  keys: [],
  example: { name: 'Ada King' },
  body: object({ name: optional(personName) }),
  success: { status: 200, description: 'The person as they are now.', body: person },
  problems: [],
});

export const changePassword = operation({
  method: 'POST',
  path: '/v1/account/password',
  tag,
  summary: 'Change one’s password',
  description:
    'Ends all other sessions. The password that holds has to be given; 10 wrong ones in 15 minutes are all that is taken.',
  scope: 'account',
  keys: [],
  body: object({ current: heldPassword, password: newPassword }),
  takesSecret: ['current', 'password'],
  success: { status: 200, description: 'It is changed. No body.' },
  problems: [],
});

export const listSessions = operation({
  method: 'GET',
  path: '/v1/account/sessions',
  tag,
  summary: 'List one’s sessions',
  description:
    'The browsers in which one is logged in. Up to 20: a further one ends that which was not used for longest.',
  scope: 'account',
  keys: [],
  query: listQuery(['id'], {}),
  success: listSuccess(ownSession, 'Sessions.'),
  problems: ['invalid-request'],
});

export const endSession = operation({
  method: 'DELETE',
  path: '/v1/account/sessions/{id}',
  revokes: true,
  tag,
  summary: 'End one of one’s sessions',
  description: 'Ends it, everywhere within a second.',
  scope: 'account',
  keys: [],
  params: z.object({ id: id<SessionId>({ description: 'The session’s id.', example: 12 }) }),
  success: { status: 200, description: 'It has ended. No body.' },
  problems: ['not-found'],
});

const code = text(6, 32, { description: 'Six digits of the app.', example: '492039' });

export const startTotp = operation({
  method: 'POST',
  path: '/v1/account/totp',
  tag,
  summary: 'Begin to use a second factor',
  description:
    'Makes a secret for an app that makes codes (RFC 6238). It asks for nothing until a first code has proved it.',
  scope: 'account',
  keys: [],
  fresh: true,
  repeats: 'none',
  showsSecret: ['secret', 'uri'],
  success: {
    status: 200,
    description: 'The secret.',
    body: z
      .strictObject({
        secret: shownText({ description: 'To type in, in base32.', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
        uri: shownText({
          description: 'The same for a QR code.',
          example: 'otpauth://totp/Whence:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Whence',
        }),
      })
      .meta({ id: 'TotpSecret', description: 'What an app makes codes from. It is shown this once.' }),
  },
  problems: ['invalid-transition'],
});

export const confirmTotp = operation({
  method: 'POST',
  path: '/v1/account/totp/confirm',
  tag,
  summary: 'Use a second factor from now on',
  description:
    'A first code proves that the app has the secret: from now on the password needs one beside it. The recovery codes are for the day ' +
    'when the app is lost; each counts once.',
  scope: 'account',
  keys: [],
  body: object({ code }),
  takesSecret: ['code'],
  showsSecret: 'recoveryCodes',
  success: {
    status: 200,
    description: 'The recovery codes.',
    body: z
      .strictObject({
        recoveryCodes: z.array(z.string()).meta({
          description: 'Shown this once, and stored as hashes.',
          examples: [['J4QX-7KPM-W2TB-9RZC-V6HD-3NYE']],
        }),
      })
      .meta({ id: 'RecoveryCodes', description: 'What lets in who has lost their second factor.' }),
  },
  problems: ['invalid-transition'],
});

export const removeTotp = operation({
  method: 'POST',
  path: '/v1/account/totp/remove',
  tag,
  summary: 'Remove your second factor',
  description: 'Takes a code of the app or a recovery code. The recovery codes go as well.',
  scope: 'account',
  keys: [],
  body: object({ code: text(6, 32, { description: 'Six digits of the app, or a recovery code.', example: '492039' }) }),
  takesSecret: ['code'],
  success: { status: 200, description: 'The password is enough now. No body.' },
  problems: ['invalid-transition'],
});
