import { randomBytes } from 'node:crypto';
import { SECRET_BYTES, signingSecretOf } from '#domain/webhook.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { type LostDetails, removeLostDetails, replaceLostTotps } from '#store/lost-secrets.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { findLostSecrets, type LostSecret, replaceLostSecret } from '#store/webhook-secrets.ts';
import { newTotp } from './second-factor.ts';

export type Replaced = {
  /** With their new secrets, to be shown once. */
  readonly webhooks: readonly (LostSecret & { readonly signingSecret: string })[];
  /** People who log in by a recovery code from now on. */
  readonly secondFactors: number;
  /** Who has to say anew how they want to be paid. */
  readonly payoutDetails: readonly LostDetails[];
};

/** Gives up what was sealed with a key that is not ours, all of it: nobody can read it any more. */
export function replaceLostSecrets(database: Database, secrets: SecretBox): Promise<Replaced> {
  return inTransaction(database, async (connection) => ({
    webhooks: await replaceSigningSecrets(connection, secrets),
    secondFactors: await replaceLostTotps(connection, secrets.keyMark, await unknownTotp(secrets)),
    payoutDetails: await removeLostDetails(connection, secrets.keyMark),
  }));
}

async function replaceSigningSecrets(connection: Connection, secrets: SecretBox): Promise<Replaced['webhooks']> {
  const lost = await findLostSecrets(connection, secrets.keyMark);
  const replaced = lost.map((each) => ({ ...each, signingSecret: signingSecretOf(randomBytes(SECRET_BYTES)) }));
  for (const each of replaced) await replaceLostSecret(connection, each, secrets.seal(each.signingSecret));
  return replaced;
}

/** One that no app has: the password alone is not to be enough because a key is lost. Recovery codes are, as before. */
async function unknownTotp(secrets: SecretBox): Promise<Buffer> {
  const { secret } = await newTotp('nobody');
  return secrets.seal(secret);
}
