import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../domain/person.ts';
import { object, text } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { emailAddress } from '#core/contract/web-address.ts';

const operation = operationsOf('Login');

const EXAMPLE = 'seven quiet herons';

/** A new password. If it is too easy to guess, the response explains why. */
export const newPassword = text(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH, {
  description: `The new password: at least ${MIN_PASSWORD_LENGTH} characters. Common passwords are refused.`,
  example: EXAMPLE,
});

/** The current password, which the handler verifies. */
export const heldPassword = text(1, MAX_PASSWORD_LENGTH, { description: 'The password.', example: EXAMPLE });

/** The token after the `#` of a link. */
export const linkToken = text(
  43,
  43,
  { description: 'The part of the link after the `#`.', example: 'q6mUL2cbVQb7hCFtHk5GzqzWbcGT2z9mZ2c0kYqkS3o' },
  { pattern: /^[\w-]{43}$/, mismatch: 'This must be the token of a link.' },
);

export const email = emailAddress({ description: 'The email address of the account.', example: 'ada@example.com' });

export const requestPasswordReset = operation({
  method: 'POST',
  path: '/v1/password-resets',
  summary: 'Request a password reset',
  description:
    'Emails a link to the address, for each organization that has a person with the address. A link works once, ' +
    'within an hour, and replaces any earlier link. The response is the same for known and unknown addresses. ' +
    'Limit: 3 requests for one address in an hour. Further requests send no email.',
  scope: 'account',
  open: true,
  body: object({ email }),
  repeats: 'none',
  success: { description: 'An email is sent if the address is known. No body.' },
});

export const resetPassword = operation({
  method: 'POST',
  path: '/v1/password-resets/complete',
  summary: 'Set a new password with an emailed link',
  description:
    'Sets a new password with the token of a link, and ends all sessions of the person. An emailed link doesn’t ' +
    'remove the second factor. A link that was created on the command line does.',
  scope: 'account',
  open: true,
  body: object({ token: linkToken, password: newPassword }),
  repeats: 'token',
  takesSecret: ['token', 'password'],
  success: { description: 'The password is changed. No body.' },
  problems: ['link-expired'],
});
