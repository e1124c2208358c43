/** Five bits each. Without I, L, O and U: who reads one aloud or types it off is understood. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const ENTRY_CODE_LENGTH = 6;

/** For how long a mailed link, and the code beside it, let somebody in. */
export const ENTRY_SECONDS = 900;
/** Of an address; then its codes count no more. A code has 30 random bits. */
export const MAX_WRONG_CODES = 5;

/** A code made of as many random bytes as it has letters. */
export function entryCodeOf(random: Uint8Array): string {
  if (random.length !== ENTRY_CODE_LENGTH) throw new RangeError(`a code is made of ${ENTRY_CODE_LENGTH} random bytes`);
  return Array.from(random, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
}

/** In two halves, as it is easier to type. */
export function shownEntryCode(code: string): string {
  return `${code.slice(0, ENTRY_CODE_LENGTH / 2)}-${code.slice(ENTRY_CODE_LENGTH / 2)}`;
}

/** A code as somebody typed it, in the form in which it was made. */
export function typedEntryCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
