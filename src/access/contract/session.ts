import { z } from 'zod';
import { object, optional, text } from '#core/contract/fields.ts';
import { type HeaderDescription, operationsOf } from '#core/contract/operation.ts';
import { organization } from '#organizations/contract/organization.ts';
import { email, heldPassword } from './password.ts';
import { requestPasskey, passkeyRequest } from './passkey-answer.ts';
import { person } from './person.ts';
import { shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { SCOPES } from '#core/caller.ts';

const operation = operationsOf('Login');

/** The headers of a response that begins or ends a session. */
export const SET_COOKIE: Readonly<Record<string, HeaderDescription>> = {
  'Set-Cookie': {
    description: 'The cookie of the session. Scripts can’t read it. The service accepts it only from its own pages.',
    schema: { type: 'string' },
    example:
      '__Host-whence=q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o; Path=/; Max-Age=2592000; HttpOnly; ' +
      'SameSite=Strict; Secure',
  },
};

export const session = z
  .strictObject({
    id: shownId({ description: 'The session’s id.', example: 12 }),
    person,
    organization: organization
      .pick({ id: true, name: true, tier: true, mode: true, timeZone: true, reportingCurrency: true })
      .meta({ description: 'The person’s organization.' }),
    scopes: z
      .array(z.enum(SCOPES))
      .meta({ description: 'The scopes of the person’s role, like those of a secret key.' }),
    createdAt: shownTime({ description: 'When it began.' }),
    lastSeenAt: shownTime({ description: 'When it was last used, to the minute.' }),
    expiresAt: shownTime({
      description:
        'When the session ends if it isn’t used until then. A session ends after a day without use, and 30 days ' +
        'after its beginning at the latest.',
    }),
    publicUrl: shownText({
      description: 'The address of the service.',
      example: 'https://whence.example.com',
    }),
  })
  .meta({ id: 'Session', description: 'The logged-in person, and their permissions.' });

const opened = { status: 201, description: 'The session.', body: session, headers: SET_COOKIE } as const;

export const openSession = operation({
  method: 'POST',
  path: '/v1/sessions',
  summary: 'Log in with a password',
  description:
    'Opens a session and sets its cookie. If the person has a second factor, the password alone returns ' +
    '`code-required`. Repeat the call with a code from their app, or with a recovery code, which works once. A ' +
    'wrong code, a wrong password and an unknown address return the same response. If several organizations have a ' +
    'person with this address, the password determines the person to log in. If several of them have the same ' +
    'password, the person who was created first is logged in. Limits in 15 minutes: 10 failed attempts per address, ' +
    '30 failed attempts per network, and 60 attempts per address in total.',
  scope: 'account',
  open: true,
  example: { email: 'ada@example.com', password: 'seven quiet herons' },
  body: object({
    email,
    password: heldPassword,
    code: optional(text(6, 32, { description: 'Six digits from the app, or a recovery code.', example: '492039' })),
  }),
  repeats: 'none',
  takesSecret: ['password', 'code'],
  success: opened,
  problems: ['wrong-credentials', 'code-required'],
});

export const challengeSession = operation({
  method: 'POST',
  path: '/v1/sessions/challenge',
  summary: 'Start a passkey login',
  description:
    'Returns the options for `navigator.credentials.get`. The options don’t name a person, because a passkey ' +
    'identifies its owner. They expire after five minutes.',
  scope: 'account',
  open: true,
  repeats: 'none',
  success: { description: 'The challenge.', body: passkeyRequest },
});

export const openSessionByPasskey = operation({
  method: 'POST',
  path: '/v1/sessions/passkey',
  summary: 'Log in with a passkey',
  description:
    'Opens a session with the authenticator’s response to the challenge. Each challenge works once. No second ' +
    'factor is required, because the authenticator has verified its owner.',
  scope: 'account',
  open: true,
  body: object({ response: requestPasskey }),
  repeats: 'token',
  takesSecret: ['response'],
  success: opened,
  problems: ['wrong-credentials'],
});

export const getSession = operation({
  method: 'GET',
  path: '/v1/session',
  tag: 'Account',
  summary: 'Get your session',
  description: 'Returns the session: the logged-in person and their permissions.',
  scope: 'account',
  success: { description: 'The session.', body: session },
});

export const closeSession = operation({
  method: 'DELETE',
  path: '/v1/session',
  reader: getSession,
  revokes: true,
  tag: 'Account',
  summary: 'Log out',
  description: 'Ends the session and deletes its cookie. All processes refuse the session within a second.',
  scope: 'account',
  success: { description: 'The session has ended. No body.', headers: SET_COOKIE },
});
