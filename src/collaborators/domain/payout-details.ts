import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';

export const PAYOUT_METHODS = ['iban', 'uk', 'us', 'paypal', 'wise', 'other'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/** The payout method of a payee in a payout run. `none` means that the payee has no payout details. */
export const PAYEE_METHODS = [...PAYOUT_METHODS, 'none'] as const;
export type PayeeMethod = (typeof PAYEE_METHODS)[number];

export const ACCOUNT_TYPES = ['checking', 'savings'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/**
 * The payout details of a collaborator. They are encrypted at rest, because they contain account numbers and addresses.
 * RULES defines the fields that each method needs.
 */
export type PayoutDetails = {
  readonly method: PayoutMethod;
  readonly holder: string | null;
  /** The IBAN, account number, email address or free text. */
  readonly account: string;
  /** The BIC, sort code or routing number. */
  readonly bankCode: string | null;
  readonly accountType: AccountType | null;
};

export type DetailsFault = {
  readonly field: Exclude<keyof PayoutDetails, 'method'>;
  readonly code: 'required' | 'not-applicable' | 'invalid-format';
  readonly detail: string;
};

export type CheckedDetails =
  | { readonly kind: 'valid'; readonly details: PayoutDetails }
  | { readonly kind: 'faulty'; readonly faults: readonly DetailsFault[] };

type FieldRule = {
  /** Returns the text to store, or undefined if `given` is invalid. */
  readonly read: (given: string) => string | undefined;
  readonly invalid: string;
};

type Rules = {
  readonly holder: 'required' | 'optional' | 'none';
  readonly account: FieldRule;
  /** `missing` is the error text for a missing code, or null if the code is optional. */
  readonly bankCode?: FieldRule & { readonly missing: string | null };
  readonly accountType?: true;
};

const EMAIL: FieldRule = {
  read: (given) => (/^[^\s@]+@[^\s@]+$/.test(given.trim()) ? given.trim() : undefined),
  invalid: 'This must be an email address.',
};

export const INVALID_IBAN = 'This is not a valid IBAN. Check for a mistyped character.';
export const INVALID_BIC = 'This is not a valid BIC. A BIC has 8 or 11 characters.';

const RULES: Readonly<Record<PayoutMethod, Rules>> = {
  iban: {
    holder: 'required',
    account: {
      read: (given) => readBy(isValidIBAN, electronicFormatIBAN(given)),
      invalid: INVALID_IBAN,
    },
    bankCode: {
      read: (given) => readBy(isValidBIC, removeSeparators(given).toUpperCase()),
      invalid: INVALID_BIC,
      missing: null,
    },
  },
  uk: {
    holder: 'required',
    account: { read: (given) => readDigits(given, 8, 8), invalid: 'A UK account number has 8 digits.' },
    bankCode: {
      read: (given) => readDigits(given, 6, 6),
      invalid: 'A sort code has 6 digits.',
      missing: 'Enter the sort code.',
    },
  },
  us: {
    holder: 'required',
    account: { read: (given) => readDigits(given, 4, 17), invalid: 'A US account number has 4 to 17 digits.' },
    bankCode: {
      read: (given) => readBy(isRoutingNumber, readDigits(given, 9, 9)),
      invalid: 'This is not a valid routing number. It has 9 digits. Check for a mistyped digit.',
      missing: 'Enter the routing number.',
    },
    accountType: true,
  },
  paypal: { holder: 'none', account: EMAIL },
  wise: { holder: 'required', account: EMAIL },
  other: { holder: 'optional', account: { read: (given) => given, invalid: '' } },
};

/**
 * Checks that payout details have the fields of their method. Returns the details in the form to store: numbers without
 * spaces and hyphens, IBAN and BIC in capitals. Returns all faults if there are any.
 */
export function checkedDetails(given: PayoutDetails): CheckedDetails {
  const rules = RULES[given.method];
  const account = rules.account.read(given.account);
  const bankCode = given.bankCode === null ? null : rules.bankCode?.read(given.bankCode);
  const faults = [
    ...holderFaults(rules, given.holder),
    ...(account === undefined ? [fault('account', 'invalid-format', rules.account.invalid)] : []),
    ...bankCodeFaults(rules, given.bankCode, bankCode),
    ...typeFaults(rules, given.accountType),
  ];
  if (account === undefined || bankCode === undefined || faults.length > 0) return { kind: 'faulty', faults };
  return { kind: 'valid', details: { ...given, account, bankCode } };
}

function fault(field: DetailsFault['field'], code: DetailsFault['code'], detail: string): DetailsFault {
  return { field, code, detail };
}

function unusedFieldFault(field: DetailsFault['field']): DetailsFault {
  return fault(field, 'not-applicable', 'This method doesn’t use this field. Leave it out.');
}

function holderFaults({ holder: rule }: Rules, holder: string | null): DetailsFault[] {
  if (rule === 'required' && holder === null) return [fault('holder', 'required', 'Enter the account holder.')];
  return rule === 'none' && holder !== null ? [unusedFieldFault('holder')] : [];
}

function bankCodeFaults({ bankCode: rule }: Rules, given: string | null, read: string | null | undefined) {
  if (rule === undefined) return given === null ? [] : [unusedFieldFault('bankCode')];
  if (given === null) return rule.missing === null ? [] : [fault('bankCode', 'required', rule.missing)];
  return read === undefined ? [fault('bankCode', 'invalid-format', rule.invalid)] : [];
}

function typeFaults({ accountType: isNeeded }: Rules, given: AccountType | null): DetailsFault[] {
  if (isNeeded !== true) return given === null ? [] : [unusedFieldFault('accountType')];
  return given === null ? [fault('accountType', 'required', 'Choose the type of the account.')] : [];
}

function removeSeparators(text: string): string {
  return text.replaceAll(/[\s-]/g, '');
}

function readBy(isValid: (text: string) => boolean, text: string | null | undefined): string | undefined {
  return typeof text === 'string' && isValid(text) ? text : undefined;
}

function readDigits(given: string, min: number, max: number): string | undefined {
  const digits = removeSeparators(given);
  return /^\d+$/.test(digits) && digits.length >= min && digits.length <= max ? digits : undefined;
}

const ROUTING_WEIGHTS = [3, 7, 1];

/**
 * Returns whether the checksum of 9 digits is valid. The American Bankers Association defines it: the sum of the
 * digits, multiplied by 3, 7 and 1 in turn, must be a positive multiple of 10.
 */
function isRoutingNumber(digits: string): boolean {
  const sum = Array.from(digits).reduce(
    (total, digit, at) => total + Number(digit) * Number(ROUTING_WEIGHTS[at % 3]),
    0,
  );
  return sum > 0 && sum % 10 === 0;
}

const HIDDEN = '••••';
const SHOWN_CHARACTERS = 4;
/**
 * The minimum length of an account number whose last characters are shown. The last characters would reveal too much of
 * a shorter number.
 */
const MIN_SHOWN = 8;

/** Returns masked details, which the owner can still recognize: `••••4321`, or `a••••@example.com`. */
export function maskedDetails(details: PayoutDetails): PayoutDetails {
  return { ...details, account: maskedAccount(details.account) };
}

/**
 * Returns the payout details to check. Replaces a masked account with the stored account. Returns undefined if a masked
 * account doesn't match the stored account, because it is unknown which account is meant.
 */
export function unmaskedDetails(given: PayoutDetails, before: PayoutDetails | undefined): PayoutDetails | undefined {
  if (!given.account.includes(HIDDEN)) return given;
  if (before === undefined || given.account !== maskedAccount(before.account)) return undefined;
  return { ...given, account: before.account };
}

function maskedAccount(account: string): string {
  const at = account.lastIndexOf('@');
  if (at > 0) return account.slice(0, 1) + HIDDEN + account.slice(at);
  const compact = account.replaceAll(/\s/g, '');
  return compact.length < MIN_SHOWN ? HIDDEN : HIDDEN + compact.slice(-SHOWN_CHARACTERS);
}
