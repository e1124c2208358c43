import { z } from 'zod';
import { choice, object, optional, text } from '#core/contract/fields.ts';
import { shownChoice, shownText, shownTime } from '#core/contract/response-fields.ts';
import { ACCOUNT_TYPES, PAYEE_METHODS, PAYOUT_METHODS } from '../domain/payout-details.ts';

const METHOD =
  'How they want to be paid. `iban`: a bank account with an IBAN. `uk` and `us`: a bank account in the United Kingdom ' +
  'or the United States. `paypal` and `wise`: an account at the payment service. `other`: as agreed.';
const HOLDER = 'The account holder or recipient. Required for `iban`, `uk`, `us` and `wise`. Not used for `paypal`.';
const ACCOUNT = 'The IBAN, the account number, the email address of the account, or what you agreed on.';
const BANK_CODE = 'The BIC (`iban`, optional), the sort code (`uk`) or the routing number (`us`).';
const ACCOUNT_TYPE = 'The type of a `us` account.';

const shownMethod = shownChoice(PAYOUT_METHODS, { description: METHOD, example: 'iban' });

/** The payout method of a payee, in the resources of payout runs. */
export const payeeMethod = shownChoice(PAYEE_METHODS, {
  description: 'The payout method of the collaborator. `none`: they have no payout details.',
  example: 'iban',
});

/**
 * The fields of payout details in responses. `account` is the description and an example of the account, which is
 * masked or complete.
 */
export function shownDetails(account: { readonly description: string; readonly example: string }) {
  return z.strictObject({
    method: shownMethod,
    holder: shownText({ description: HOLDER, example: 'Ada Lovelace' }).nullable(),
    account: shownText(account),
    bankCode: shownText({ description: BANK_CODE, example: 'COBADEFFXXX' }).nullable(),
    accountType: shownChoice(ACCOUNT_TYPES, { description: ACCOUNT_TYPE })
      .nullable()
      .meta({ examples: [null] }),
    updatedAt: shownTime({ description: 'When the payout details were set.' }),
  });
}

export const WHOLE_ACCOUNT = { description: ACCOUNT, example: 'DE89370400440532013000' };

const line = { noControlCharacters: true };
const EXAMPLE = { method: 'iban', holder: 'Ada Lovelace', account: 'DE89 3704 0044 0532 0130 00' } as const;
export const GIVEN_DETAILS = EXAMPLE;

/** Payout details in requests. The command checks the fields that the method needs. */
export const givenDetails = object({
  method: choice(PAYOUT_METHODS, { description: METHOD, example: EXAMPLE.method }),
  holder: optional(text(1, 140, { description: HOLDER, example: EXAMPLE.holder }, line)),
  account: text(3, 255, { description: ACCOUNT, example: EXAMPLE.account }, line),
  bankCode: optional(text(1, 40, { description: BANK_CODE, example: 'COBADEFFXXX' }, line)),
  accountType: optional(choice(ACCOUNT_TYPES, { description: ACCOUNT_TYPE, example: 'checking' })),
}).transform(({ holder = null, bankCode = null, accountType = null, ...details }) => ({
  ...details,
  holder,
  bankCode,
  accountType,
}));
