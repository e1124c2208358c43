/**
 * How long an authenticator app shows a code, in seconds. The previous and the next code are accepted too, because
 * clocks differ.
 */
export const TOTP_STEP_SECONDS = 30;

export const RECOVERY_CODES = 10;
/**
 * The length of recovery codes in bytes. 120 random bits can't be guessed, even from the hashes, which are fast to
 * compute. (ASVS V6.5.2 requires 112.)
 */
export const RECOVERY_CODE_BYTES = 15;

/** The characters of recovery codes. 0 and O, and 1 and I, are left out because they look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const GROUP = 4;
const LENGTH = (RECOVERY_CODE_BYTES * 8) / 5;
/**
 * The length of recovery codes created by version 0.2.0, in characters. These codes stay valid until they are replaced.
 */
const OLDER_LENGTH = 16;
const CODE = new RegExp(`^(?:[${ALPHABET}]{${LENGTH}}|[${ALPHABET}]{${OLDER_LENGTH}})$`);

export function recoveryCodeOf(random: Uint8Array): string {
  if (random.length !== RECOVERY_CODE_BYTES)
    throw new RangeError(`Pass ${RECOVERY_CODE_BYTES} random bytes, not ${random.length}.`);
  let bits = BigInt(`0x${Buffer.from(random).toString('hex')}`);
  let code = '';
  for (let at = 0; at < LENGTH; at += 1) {
    code = `${ALPHABET.charAt(Number(bits & 31n))}${at % GROUP === 0 && at > 0 ? '-' : ''}${code}`;
    bits >>= 5n;
  }
  return code;
}

/**
 * Returns a typed code in the form used for comparison, or undefined if it doesn't have the format of a recovery code.
 */
export function recoveryCodeText(typed: string): string | undefined {
  const text = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  return CODE.test(text) ? text : undefined;
}
