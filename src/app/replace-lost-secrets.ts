import { randomBytes } from 'node:crypto';
import type { OrganizationId } from '#core/ids.ts';
import { SECRET_BYTES, signingSecretOf } from '#webhooks/domain/webhook.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import {
  type LostConnector,
  type LostDetails,
  removeLostDetails,
  removeLostPayers,
  removeLostConnectorSecrets,
  replaceLostTotps,
} from './lost-secrets.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { findLostSecrets, type LostSecret, replaceLostSecret } from '#webhooks/store/webhook-secrets.ts';
import { newTotp } from '#access/commands/second-factor.ts';

export type Replaced = {
  /** The webhooks with their new secrets, which are shown once. */
  readonly webhooks: readonly (LostSecret & { readonly signingSecret: string })[];
  /** The number of people who must now log in with a recovery code. */
  readonly secondFactors: number;
  /** The collaborators who must enter their payout details again. */
  readonly payoutDetails: readonly LostDetails[];
  /** The collaborators whose tax details must be entered again. */
  readonly taxDetails: readonly LostDetails[];
  /** The organizations that must enter their bank account again. */
  readonly payerAccounts: readonly OrganizationId[];
  /** The connectors that refuse all events until the secret from the shop or billing system is entered again. */
  readonly connectors: readonly LostConnector[];
};

/**
 * Handles data that was encrypted with another key, and so can't be decrypted. Replaces webhook secrets and second
 * factors, and deletes payout details, tax details, payer accounts and connector secrets.
 */
export function replaceLostSecrets(database: Database, secrets: SecretBox): Promise<Replaced> {
  return inTransaction(database, async (connection) => ({
    webhooks: await replaceSigningSecrets(connection, secrets),
    secondFactors: await replaceLostTotps(connection, secrets.keyMark, await unknownTotp(secrets)),
    payoutDetails: await removeLostDetails(connection, 'payout_details', secrets.keyMark),
    taxDetails: await removeLostDetails(connection, 'tax_details', secrets.keyMark),
    payerAccounts: await removeLostPayers(connection, secrets.keyMark),
    connectors: await removeLostConnectorSecrets(connection, secrets.keyMark),
  }));
}

async function replaceSigningSecrets(connection: Connection, secrets: SecretBox): Promise<Replaced['webhooks']> {
  const lost = await findLostSecrets(connection, secrets.keyMark);
  const replaced = lost.map((each) => ({ ...each, signingSecret: signingSecretOf(randomBytes(SECRET_BYTES)) }));
  for (const each of replaced) await replaceLostSecret(connection, each, secrets.seal(each.signingSecret));
  return replaced;
}

/**
 * Returns an encrypted second-factor secret that no app has. If the second factor were removed instead, a password
 * alone would be enough to log in after the loss of the key. Recovery codes still work.
 */
async function unknownTotp(secrets: SecretBox): Promise<Buffer> {
  const { secret } = await newTotp('nobody');
  return secrets.seal(secret);
}
