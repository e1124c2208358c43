/**
 * The characters of a login code, each of which encodes five bits. I, L, O and U are excluded, so that login codes are
 * easy to read aloud and to copy.
 */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const ENTRY_CODE_LENGTH = 6;

/** How long an emailed link and its code are valid, in seconds. */
export const ENTRY_SECONDS = 900;
/**
 * The number of wrong codes after which the emailed codes of an address no longer work. Wrong codes from the network
 * that requested the email are counted separately from wrong codes from all other networks. Each count blocks only the
 * networks that it counts. A code has 30 random bits.
 */
export const MAX_WRONG_CODES = 5;

/** Returns a login code encoded from ENTRY_CODE_LENGTH random bytes. Throws a RangeError for any other length. */
export function entryCodeOf(random: Uint8Array): string {
  if (random.length !== ENTRY_CODE_LENGTH)
    throw new RangeError(`Pass ${ENTRY_CODE_LENGTH} random bytes, not ${random.length}.`);
  return Array.from(random, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
}

/** Returns a login code with a hyphen in the middle, such as `K7Q-M2X`, so that it is easier to type. */
export function shownEntryCode(code: string): string {
  return `${code.slice(0, ENTRY_CODE_LENGTH / 2)}-${code.slice(ENTRY_CODE_LENGTH / 2)}`;
}

/**
 * Returns a typed login code in its generated form: in upper case, without spaces and hyphens, and with digits instead
 * of the letters I, L and O.
 */
export function typedEntryCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
