import { randomBytes } from 'node:crypto';
import { SECRET_BYTES, signingSecretOf } from '#domain/webhook.ts';
import { type Database, inTransaction } from '#store/database.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { findLostSecrets, type LostSecret, replaceLostSecret } from '#store/webhook-secrets.ts';

/** Gives a new signing secret to each webhook whose own was sealed with a key that is not ours; answers them, to be shown once. */
export function replaceLostSecrets(
  database: Database,
  secrets: SecretBox,
): Promise<(LostSecret & { readonly signingSecret: string })[]> {
  return inTransaction(database, async (connection) => {
    const lost = await findLostSecrets(connection, secrets.keyMark);
    const replaced = lost.map((each) => ({ ...each, signingSecret: signingSecretOf(randomBytes(SECRET_BYTES)) }));
    for (const each of replaced) await replaceLostSecret(connection, each, secrets.seal(each.signingSecret));
    return replaced;
  });
}
