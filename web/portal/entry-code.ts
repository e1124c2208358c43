/** Returns the first six letters and digits of a typed text in the format of an emailed code, such as `K7Q-M2X`. */
export function entryCode(typed: string): string {
  const code = typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .slice(0, CODE_LENGTH);
  return code.length > HALF ? `${code.slice(0, HALF)}-${code.slice(HALF)}` : code;
}

const HALF = 3;
const CODE_LENGTH = 6;
