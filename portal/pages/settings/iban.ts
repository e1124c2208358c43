const LOOKS_LIKE_ONE = /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/;
const FIRST_LETTER = 10;

/** Whether something looks like an IBAN and is none: its two digits after the country are made of all others (ISO 13616). */
export function isMistypedIban(typed: string): boolean {
  const iban = typed.replaceAll(/\s/g, '').toUpperCase();
  if (!LOOKS_LIKE_ONE.test(iban)) return false;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((sign) => String(digitOf(sign))).join('');
  return BigInt(digits) % 97n !== 1n;
}

function digitOf(sign: string): number {
  return /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 'A'.charCodeAt(0) + FIRST_LETTER;
}
