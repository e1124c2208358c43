export const PAYOUT_METHODS = ['bank', 'paypal', 'other'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/** How a collaborator is paid. Sealed at rest: the account is a number of a bank, or an address. */
export type PayoutDetails = { readonly method: PayoutMethod; readonly holder: string; readonly account: string };

const HIDDEN = '••••';
const SHOWN_CHARACTERS = 4;
/** Shorter ones would be told by their end. */
const MIN_TOLD = 8;

/** The same as it is shown where it only has to be recognized: `••••4321`, or `a••••@example.com`. */
export function maskedDetails(details: PayoutDetails): PayoutDetails {
  return { ...details, account: maskedAccount(details.account) };
}

/**
 * Details as they are to be kept: an account as it is shown stands for the one that it was shown of. Undefined where it
 * stands for none, and nobody could be paid by it.
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
