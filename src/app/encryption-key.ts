import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, InvalidConfig } from './config.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import { countLost } from './lost-secrets.ts';
import { KEY_BYTES, type SecretBox } from '#platform/crypto/secret-box.ts';
import { findLostSecrets } from '#webhooks/store/webhook-secrets.ts';

const FILE = 'encryption.key';

/**
 * Returns the encryption key for secrets that must be decrypted later, such as webhook signing secrets. The key is read
 * from the setting WHENCE_ENCRYPTION_KEY, or from a file in the data folder. If both are missing, the file is created,
 * and `isNew` is true. Throws InvalidConfig if the file can't be created or read, or contains no key.
 */
export async function encryptionKey(config: Config): Promise<{ key: Buffer; path?: string; isNew: boolean }> {
  const given = config.WHENCE_ENCRYPTION_KEY;
  if (given !== undefined) {
    return { key: Buffer.from(given, given.length === 2 * KEY_BYTES ? 'hex' : 'base64'), isNew: false };
  }
  const path = keyFileIn(config);
  try {
    const kept = await readKey(path);
    if (kept !== undefined) return { key: kept, path, isNew: false };
    const isNew = await makeKey(config.WHENCE_DATA_DIR, path);
    return { key: (await readKey(path)) as Buffer, path, isNew };
  } catch (error) {
    if (error instanceof InvalidConfig) throw error;
    throw new InvalidConfig(
      `There is no encryption key: WHENCE_ENCRYPTION_KEY is not set, and ${path} can’t be read or created ` +
        `(${(error as Error).message}). Set WHENCE_ENCRYPTION_KEY to 32 bytes, for example the output of "openssl rand -hex 32".`,
    );
  }
}

/** Returns the path of the key file, which is used if WHENCE_ENCRYPTION_KEY is not set. */
export const keyFileIn = (config: Config): string => join(config.WHENCE_DATA_DIR, FILE);

/**
 * Throws InvalidConfig if the database contains secrets that another key has encrypted. With the wrong key, webhooks
 * couldn't be signed, and second factors couldn't be verified. New secrets would be encrypted with a second key.
 */
export async function requireSameKey(database: Queryable, secrets: SecretBox): Promise<void> {
  const webhooks = (await findLostSecrets(database, secrets.keyMark)).length;
  const { secondFactors, payoutDetails, taxDetails, payerAccounts, connectors } = await countLost(
    database,
    secrets.keyMark,
  );
  if (webhooks + secondFactors + payoutDetails + taxDetails + payerAccounts + connectors === 0) return;
  const found = [
    [webhooks, 'secrets of webhooks'],
    [secondFactors, 'second factors'],
    [payoutDetails, 'payout details'],
    [taxDetails, 'tax details'],
    [payerAccounts, 'bank accounts of merchants'],
    [connectors, 'secrets of connectors'],
  ] as const;
  const sealed = found.flatMap(([count, of]) => (count === 0 ? [] : [`${of} (${count})`])).join(', ');
  throw new InvalidConfig(
    `The encryption key of this process can’t decrypt existing data: ${sealed}. Set WHENCE_ENCRYPTION_KEY to ` +
      `the key that encrypted this data, or restore the file ${FILE} of the data folder. If the key is lost, run "whence secrets replace". ` +
      'It replaces the webhook secrets and prints the new secrets. It deletes the payout details, the tax details and the bank accounts of merchants. ' +
      'People with a second factor must log in with a recovery code. ' +
      'The command lists the connectors whose secrets you must enter again.',
  );
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), 'hex');
  if (key.length === KEY_BYTES) return key;
  // Never replace the key file, because all secrets encrypted with the original key would be lost.
  throw new InvalidConfig(
    `${path} is not an encryption key (64 hex digits). Restore the original file from your backup.`,
  );
}

/** Creates the key file atomically. Returns false if another process has created it first. */
async function makeKey(folder: string, path: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}
