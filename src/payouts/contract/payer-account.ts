import { z } from 'zod';
import { object, optional, text } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Payouts');

const HOLDER = 'The account holder, in Latin letters.';
const BIC = 'The BIC. Null if your bank doesn’t need it.';

const payerAccount = z
  .strictObject({
    holder: shownText({ description: HOLDER, example: 'Ada’s Mugs GmbH' }).nullable(),
    iban: shownText({ description: 'The IBAN, masked.', example: 'DE••••3000' }).nullable(),
    bic: shownText({ description: BIC, example: 'COBADEFFXXX' }).nullable(),
    updatedAt: shownTime({ description: 'When the account was last changed.' }).nullable(),
  })
  .meta({ id: 'PayerAccount', description: 'Your bank account for SEPA files. All fields are null until it is set.' });

export const getPayerAccount = operation({
  method: 'GET',
  path: '/v1/payer-account',
  summary: 'Get your bank account',
  description: 'Returns the account from which you pay collaborators. The IBAN is masked.',
  scope: 'resources:read',
  success: { description: 'The account.', body: payerAccount },
});

const line = { noControlCharacters: true };

export const changePayerAccount = operation({
  method: 'PATCH',
  path: '/v1/payer-account',
  reader: getPayerAccount,
  summary: 'Set your bank account',
  description:
    'Changes the account from which you pay collaborators. It is stored encrypted, and SEPA files name it as the payer. ' +
    'If you change the IBAN and send no BIC, the stored BIC is removed.',
  scope: 'resources:write',
  fresh: true,
  takesSecret: ['iban'],
  example: { holder: 'Ada’s Mugs GmbH', iban: 'DE89 3704 0044 0532 0130 00' },
  body: object({
    holder: optional(
      text(1, 140, { description: `${HOLDER} Required for a new account.`, example: 'Ada’s Mugs GmbH' }, line),
    ),
    iban: optional(
      text(
        5,
        64,
        { description: 'The IBAN. Required for a new account.', example: 'DE89 3704 0044 0532 0130 00' },
        line,
      ),
    ),
    bic: optional(text(8, 40, { description: BIC, example: 'COBADEFFXXX' }, line)),
  }),
  success: { description: 'The changed account.', body: payerAccount },
});
