import { z } from 'zod';
import { choice, object } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownChoice, shownFlag } from '#core/contract/response-fields.ts';
import { DIGEST_FREQUENCIES, DIGEST_HOUR } from '../domain/digest.ts';

const operation = operationsOf('Account');
const FREQUENCY = 'How often you get the digest. Until you choose, it is weekly, and never if you are a viewer.';

const digest = z
  .strictObject({
    frequency: shownChoice(DIGEST_FREQUENCIES, { description: FREQUENCY, example: 'weekly' }),
    addressConfirmed: shownFlag({
      description: 'Whether your address is confirmed. The digest is sent to confirmed addresses only.',
      example: true,
    }),
  })
  .meta({ id: 'Digest', description: 'Your settings for the digest, an email that counts open items.' });

export const getDigest = operation({
  method: 'GET',
  path: '/v1/account/digest',
  summary: 'Get your digest settings',
  description:
    'Returns how often you get the digest: an email with the numbers of applications, commissions, payouts and ' +
    `failures that need an action. It is sent at ${DIGEST_HOUR}:00 in the organization’s time zone, daily or on ` +
    'Mondays, if there are such items and a mail server is set up.',
  scope: 'account',
  success: { description: 'The settings.', body: digest },
});

export const changeDigest = operation({
  method: 'PATCH',
  path: '/v1/account/digest',
  reader: getDigest,
  summary: 'Change your digest settings',
  description: 'Sets how often you get the digest. The change takes effect with the next digest.',
  scope: 'account',
  example: { frequency: 'daily' },
  body: object({ frequency: choice(DIGEST_FREQUENCIES, { description: FREQUENCY, example: 'daily' }) }),
  success: { description: 'The changed settings.', body: digest, example: { frequency: 'daily' } },
});

export const requestAddressConfirmation = operation({
  method: 'POST',
  path: '/v1/account/confirmation',
  summary: 'Confirm your address',
  description:
    'Sends you an email with a link that confirms your address. You don’t need this email if you accepted your ' +
    'invitation or reset your password with an emailed link. Limit: 3 emails in an hour.',
  scope: 'account',
  success: { description: 'The email is queued. No body.' },
});
