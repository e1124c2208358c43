import { electronicFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools';
import type { PayerAccount } from './sepa-file.ts';
import { sepaText } from './sepa-text.ts';

export type PayerFault = { readonly field: keyof PayerAccount; readonly code: string; readonly detail: string };

export type CheckedPayer =
  | { readonly kind: 'valid'; readonly account: PayerAccount }
  | { readonly kind: 'faulty'; readonly faults: readonly PayerFault[] };

/** Checks the merchant's account, and returns it with IBAN and BIC in capitals and without spaces. */
export function checkedPayer({ holder, iban: givenIban, bic: givenBic }: PayerAccount): CheckedPayer {
  const iban = electronicFormatIBAN(givenIban) as string;
  const bic = givenBic === null ? null : givenBic.replaceAll(' ', '').toUpperCase();
  const faults = [...holderFaults(holder), ...ibanFaults(iban), ...bicFaults(bic)];
  return faults.length > 0 ? { kind: 'faulty', faults } : { kind: 'valid', account: { holder, iban, bic } };
}

function holderFaults(holder: string): PayerFault[] {
  if (sepaText(holder) !== undefined) return [];
  return [
    { field: 'holder', code: 'invalid-format', detail: 'Banks accept only Latin letters. Write the name in them.' },
  ];
}

function ibanFaults(iban: string): PayerFault[] {
  const field = 'iban';
  if (!isValidIBAN(iban)) {
    return [{ field, code: 'invalid-format', detail: 'This is not a valid IBAN. Check for a mistyped character.' }];
  }
  if (isSEPACountry(iban.slice(0, 2))) return [];
  return [{ field, code: 'not-applicable', detail: 'The country of this account doesn’t take part in the SEPA.' }];
}

function bicFaults(bic: string | null): PayerFault[] {
  if (bic === null || isValidBIC(bic)) return [];
  return [{ field: 'bic', code: 'invalid-format', detail: 'This is not a valid BIC. It has 8 or 11 characters.' }];
}

/** Returns an IBAN with only its country and its last characters: `DE••••3000`. */
export function maskedIban(iban: string): string {
  return `${iban.slice(0, 2)}••••${iban.slice(-4)}`;
}
