/** One code of an app holds for so long; the one before and the one after count as well, since clocks differ. */
export const TOTP_STEP_SECONDS = 30;

export const RECOVERY_CODES = 10;
/** 120 random bits: guessing is no way, not even with the hashes at hand, which are quick to make (ASVS V6.5.2 asks for 112). */
export const RECOVERY_CODE_BYTES = 15;

/** Without letters and digits that look like others. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const GROUP = 4;
const LENGTH = (RECOVERY_CODE_BYTES * 8) / 5;
/** Codes of 0.2.0, which count until they are replaced. */
const OLDER_LENGTH = 16;
const CODE = new RegExp(`^(?:[${ALPHABET}]{${LENGTH}}|[${ALPHABET}]{${OLDER_LENGTH}})$`);

/** A recovery code as it is shown: six groups of four characters. */
export function recoveryCodeOf(random: Uint8Array): string {
  if (random.length !== RECOVERY_CODE_BYTES) throw new RangeError(`a code is made of ${RECOVERY_CODE_BYTES} bytes`);
  let bits = BigInt(`0x${Buffer.from(random).toString('hex')}`);
  let code = '';
  for (let at = 0; at < LENGTH; at += 1) {
    code = `${ALPHABET.charAt(Number(bits & 31n))}${at % GROUP === 0 && at > 0 ? '-' : ''}${code}`;
    bits >>= 5n;
  }
  return code;
}

/** What somebody typed in, as it is compared; undefined where it can be none. */
export function recoveryCodeText(typed: string): string | undefined {
  const text = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  return CODE.test(text) ? text : undefined;
}
