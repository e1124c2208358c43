import { hash, randomBytes } from 'node:crypto';
import type { OrganizationId, PersonId } from '#core/ids.ts';
import {
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
  recoveryCodeOf,
  recoveryCodeText,
  TOTP_STEP_SECONDS,
} from '../domain/second-factor.ts';
import type { Connection } from '#platform/postgres/database.ts';
import { spendChallenge } from '../store/passkeys.ts';
import { spendRecoveryCode } from '../store/second-factors.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';

/** The owner of a second factor, with its encrypted secret. */
export type Factor = {
  readonly organizationId: OrganizationId;
  readonly id: PersonId;
  readonly totpSecret: Buffer | null;
};

/**
 * Uses up a code of the authenticator app or a recovery code, in the caller's transaction. Returns false if the code is
 * wrong or already used.
 */
export async function spendCode(
  connection: Connection,
  secrets: SecretBox,
  factor: Factor,
  code: string,
): Promise<boolean> {
  const recovery = recoveryCodeText(code);
  if (recovery === undefined) return spendTotp(connection, secrets, factor, code);
  return spendRecoveryCode({ connection, organizationId: factor.organizationId }, factor.id, hashOf(recovery));
}

/** Uses up a code of the authenticator app. Returns false for a wrong or used code, and for a recovery code. */
export async function spendTotp(
  connection: Connection,
  secrets: SecretBox,
  { organizationId, id, totpSecret }: Factor,
  code: string,
): Promise<boolean> {
  // The secret is lost if the encryption key is lost. The person can still log in with a recovery code.
  if (totpSecret === null || !secrets.sealed(totpSecret)) return false;
  if (!/^\d{6}$/.test(code)) return false;
  const { verify } = await import('otplib');
  const secret = secrets.open(totpSecret);
  const found = await verify({ secret, token: code, epochTolerance: TOTP_STEP_SECONDS });
  if (!found.valid || !('timeStep' in found)) return false;
  // A login has only a shared lock of the person, so the used step is stored in a table of its own.
  const tenant = { connection, organizationId };
  const stepHash = (step: number): Buffer => hashOf(`code of person ${id}\n${secret}\n${step}`);
  if (!(await spendChallenge(tenant, stepHash(found.timeStep)))) return false;
  // Earlier codes that are still accepted by the clock no longer count either.
  for (const earlier of [1, 2]) await spendChallenge(tenant, stepHash(found.timeStep - earlier));
  return true;
}

/** Returns a new secret for an authenticator app, also as a URI for a QR code. */
export async function newTotp(email: string): Promise<{ readonly secret: string; readonly uri: string }> {
  const { generateSecret, generateURI } = await import('otplib');
  const secret = generateSecret();
  return { secret, uri: generateURI({ issuer: 'Whence', label: email, secret }) };
}

/** Returns new recovery codes as they are shown, and their hashes. */
export function newRecoveryCodes(): { readonly codes: readonly string[]; readonly hashes: readonly Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCodeOf(randomBytes(RECOVERY_CODE_BYTES)));
  return { codes, hashes: codes.map((code) => hashOf(recoveryCodeText(code) as string)) };
}

function hashOf(code: string): Buffer {
  return hash('sha256', code, 'buffer');
}
