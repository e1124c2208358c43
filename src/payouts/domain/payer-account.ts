import { electronicFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools';
import { INVALID_BIC, INVALID_IBAN } from '#collaborators/domain/payout-details.ts';
import type { PayerAccount } from './sepa-file.ts';
import { sepaText } from './sepa-text.ts';

export type PayerFault = { readonly field: keyof PayerAccount; readonly code: string; readonly detail: string };

export type CheckedPayer =
  | { readonly kind: 'valid'; readonly account: PayerAccount }
  | { readonly kind: 'faulty'; readonly faults: readonly PayerFault[] };

/** The fields of a request to change the merchant's account. Absent fields stay as they are. */
export type GivenPayer = { readonly [Field in keyof PayerAccount]?: NonNullable<PayerAccount[Field]> | undefined };

/**
 * Returns the account after a change. If the request has the masked form of the stored IBAN, or no IBAN, the stored
 * IBAN stays. If the request has a new IBAN but no BIC, the account has no BIC, because the stored BIC belongs to the
 * stored IBAN.
 */
export function changedPayer(given: GivenPayer, before: PayerAccount | undefined): CheckedPayer {
  const isKept = before !== undefined && (given.iban === undefined || given.iban === maskedIban(before.iban));
  const iban = isKept ? before.iban : given.iban;
  const holder = given.holder ?? before?.holder;
  const bic = given.bic ?? (isKept ? before.bic : null);
  if (holder === undefined || iban === undefined) {
    return {
      kind: 'faulty',
      faults: [...(holder === undefined ? [missing('holder')] : []), ...(iban === undefined ? [missing('iban')] : [])],
    };
  }
  return checkedPayer({ holder, iban, bic });
}

function missing(field: keyof PayerAccount): PayerFault {
  return { field, code: 'required', detail: 'This field is required.' };
}

/** Checks the merchant's account, and returns it with IBAN and BIC in capitals, and without spaces and hyphens. */
export function checkedPayer({ holder, iban: givenIban, bic: givenBic }: PayerAccount): CheckedPayer {
  const iban = electronicFormatIBAN(givenIban) as string;
  const bic = givenBic === null ? null : givenBic.replaceAll(/[\s-]/g, '').toUpperCase();
  const faults = [...holderFaults(holder), ...ibanFaults(iban), ...bicFaults(bic)];
  return faults.length > 0 ? { kind: 'faulty', faults } : { kind: 'valid', account: { holder, iban, bic } };
}

function holderFaults(holder: string): PayerFault[] {
  if (sepaText(holder) !== undefined) return [];
  return [
    {
      field: 'holder',
      code: 'invalid-format',
      detail: 'Banks accept only Latin letters. Write the name in Latin letters.',
    },
  ];
}

function ibanFaults(iban: string): PayerFault[] {
  const field = 'iban';
  if (!isValidIBAN(iban)) {
    return [{ field, code: 'invalid-format', detail: INVALID_IBAN }];
  }
  if (isSEPACountry(iban.slice(0, 2))) return [];
  return [
    {
      field,
      code: 'not-applicable',
      detail: 'This account is in a country outside SEPA. Use an account in a SEPA country.',
    },
  ];
}

function bicFaults(bic: string | null): PayerFault[] {
  if (bic === null || isValidBIC(bic)) return [];
  return [{ field: 'bic', code: 'invalid-format', detail: INVALID_BIC }];
}

/** Returns an IBAN with only its country and its last four characters, such as `DE••••3000`. */
export function maskedIban(iban: string): string {
  return `${iban.slice(0, 2)}••••${iban.slice(-4)}`;
}
