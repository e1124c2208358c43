import { z } from 'zod';
import { object, optional, text } from '#core/contract/fields.ts';
import { type HeaderDescription, operation } from '#core/contract/operation.ts';
import { organization } from '#organizations/contract/organization.ts';
import { email, heldPassword } from './password.ts';
import { passkeyAnswer, passkeyRequest } from './passkey-answer.ts';
import { person } from './person.ts';
import { shownId, shownText, shownTime } from '#core/contract/response-fields.ts';
import { SCOPES } from '#core/caller.ts';

const tag = 'Log-in';

/** The headers of a response that begins or ends a session. */
export const SET_COOKIE: Readonly<Record<string, HeaderDescription>> = {
  'Set-Cookie': {
    description: 'The cookie of the session. No script can read it, and no page of another origin can use it.',
    schema: { type: 'string' },
    example:
      '__Host-whence=q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure',
  },
};

export const session = z
  .strictObject({
    id: shownId({ description: 'The session’s id.', example: 12 }),
    person,
    organization: organization
      .pick({ id: true, name: true, tier: true })
      .meta({ description: 'The organization that they belong to.' }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'What the person’s role may do, as a secret key’s scopes.' }),
    createdAt: shownTime({ description: 'When it began.' }),
    lastSeenAt: shownTime({ description: 'When it was last used, to the minute.' }),
    expiresAt: shownTime({
      description: 'When it ends, if it is used until then: after a day without use it ends by itself.',
    }),
    publicUrl: shownText({
      description: 'Where people reach the service.',
      example: 'https://whence.example.com',
    }),
  })
  .meta({ id: 'Session', description: 'Who is logged in, and what they may do.' });

const opened = { status: 201, description: 'The session.', body: session, headers: SET_COOKIE } as const;

export const openSession = operation({
  method: 'POST',
  path: '/v1/sessions',
  tag,
  summary: 'Log in by password',
  description:
    'Starts a session and sets its cookie. If the person has a second factor, the password alone returns `code-required`. ' +
    'Repeat the call with a code from their app, or with a recovery code, which works once. A wrong code, a wrong ' +
    'password and an unknown address return the same answer. If several organizations have a person with this address, the ' +
    'password decides which one is logged in. If they share a password, it is the earliest one. ' +
    'Limits: 10 tries in 15 minutes for one address, and 30 for one network.',
  scope: 'account',
  keys: [],
  open: true,
  example: { email: 'ada@example.com', password: 'seven quiet herons' },
  body: object({
    email,
    password: heldPassword,
    code: optional(text(6, 32, { description: 'Six digits of the app, or a recovery code.', example: '492039' })),
  }),
  repeats: 'none',
  takesSecret: ['password', 'code'],
  success: opened,
  problems: ['wrong-credentials', 'code-required'],
});

export const challengeSession = operation({
  method: 'POST',
  path: '/v1/sessions/challenge',
  tag,
  summary: 'Begin to log in by passkey',
  description:
    'Answers what `navigator.credentials.get` takes. Any passkey of this service will do: it says whose it is. Good for five minutes.',
  scope: 'account',
  keys: [],
  open: true,
  repeats: 'none',
  success: { status: 200, description: 'The challenge.', body: passkeyRequest },
  problems: [],
});

export const openSessionByPasskey = operation({
  method: 'POST',
  path: '/v1/sessions/passkey',
  tag,
  summary: 'Log in by passkey',
  description:
    'Begins a session by what the authenticator has answered to the challenge, which counts once. It asks for no code beside: the ' +
    'authenticator has asked who holds it.',
  scope: 'account',
  keys: [],
  open: true,
  body: object({ response: passkeyAnswer }),
  repeats: 'token',
  takesSecret: ['response'],
  success: opened,
  problems: ['wrong-credentials'],
});

export const getSession = operation({
  method: 'GET',
  path: '/v1/session',
  tag: 'Account',
  summary: 'Get the session',
  description: 'Who is logged in, and what they may do.',
  scope: 'account',
  keys: [],
  success: { status: 200, description: 'The session.', body: session },
  problems: [],
});

export const closeSession = operation({
  method: 'DELETE',
  path: '/v1/session',
  reader: getSession,
  revokes: true,
  tag: 'Account',
  summary: 'Log out',
  description: 'Ends the session, everywhere within a second, and takes its cookie away.',
  scope: 'account',
  keys: [],
  success: { status: 200, description: 'It has ended. No body.', headers: SET_COOKIE },
  problems: [],
});
