/**
 * The characters of a code, each of which encodes five bits. I, L, O and U are excluded, so that codes are easy to read
 * aloud and to copy.
 */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const ENTRY_CODE_LENGTH = 6;

/** How long an emailed link and its code are valid, in seconds. */
export const ENTRY_SECONDS = 900;
/**
 * The maximum number of wrong codes for an address from the network that requested the email, and from all other
 * networks together. Beyond the limit, the codes no longer work for that network, or for all other networks. A code has
 * 30 random bits.
 */
export const MAX_WRONG_CODES = 5;

/** Returns a code encoded from ENTRY_CODE_LENGTH random bytes. Throws a RangeError for any other length. */
export function entryCodeOf(random: Uint8Array): string {
  if (random.length !== ENTRY_CODE_LENGTH) throw new RangeError(`a code needs ${ENTRY_CODE_LENGTH} random bytes`);
  return Array.from(random, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
}

/** Returns the code in two halves, which are easier to type. */
export function shownEntryCode(code: string): string {
  return `${code.slice(0, ENTRY_CODE_LENGTH / 2)}-${code.slice(ENTRY_CODE_LENGTH / 2)}`;
}

/** Normalizes a typed code to the form in which it was generated. */
export function typedEntryCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
