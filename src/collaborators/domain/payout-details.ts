export const PAYOUT_METHODS = ['bank', 'paypal', 'other'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/**
 * The payout details of a collaborator. They are encrypted at rest, because the account is a bank account number or an
 * address.
 */
export type PayoutDetails = { readonly method: PayoutMethod; readonly holder: string; readonly account: string };

const HIDDEN = '••••';
const SHOWN_CHARACTERS = 4;
/**
 * The minimum length of an account number whose last characters are shown. The last characters would reveal too much of
 * a shorter number.
 */
const MIN_TOLD = 8;

/** Returns masked details, which the owner can still recognize: `••••4321`, or `a••••@example.com`. */
export function maskedDetails(details: PayoutDetails): PayoutDetails {
  return { ...details, account: maskedAccount(details.account) };
}

/**
 * Returns the payout details to store. Replaces a masked account with the stored account. Returns undefined if a masked
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
  const dense = account.replaceAll(/\s/g, '');
  return dense.length < MIN_TOLD ? HIDDEN : HIDDEN + dense.slice(-SHOWN_CHARACTERS);
}
