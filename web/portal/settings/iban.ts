const LOOKS_LIKE_ONE = /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/;
const FIRST_LETTER = 10;

/**
 * Returns whether a text looks like an IBAN but has a wrong checksum. The checksum is the two digits after the country
 * code (ISO 13616).
 */
export function isMistypedIban(typed: string): boolean {
  const iban = typed.replaceAll(/\s/g, '').toUpperCase();
  if (!LOOKS_LIKE_ONE.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => String(numberOf(letter)));
  return BigInt(digits) % 97n !== 1n;
}

/** Returns the number of a letter in an IBAN: A is 10 and Z is 35. */
function numberOf(letter: string): number {
  return letter.charCodeAt(0) - 'A'.charCodeAt(0) + FIRST_LETTER;
}
