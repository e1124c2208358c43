import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, InvalidConfig } from './config.ts';
import type { Queryable } from '#store/database.ts';
import { countLost } from '#store/lost-secrets.ts';
import { KEY_BYTES, type SecretBox } from '#store/secret-box.ts';
import { findLostSecrets } from '#store/webhook-secrets.ts';

const FILE = 'encryption.key';

/**
 * The key that seals what must be read back, such as the secrets of webhooks: the setting, or else the file in the data
 * folder, which is made at the first start. `isNew` where it was made just now. Throws InvalidConfig where there is no
 * setting and the folder can't hold a file.
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
      `There is no encryption key: WHENCE_ENCRYPTION_KEY is not set, and ${path} can't be read or made ` +
        `(${(error as Error).message}). Set it to 32 bytes, such as what "openssl rand -hex 32" prints.`,
    );
  }
}

/** Where the key lies that no setting gives. */
export const keyFileIn = (config: Config): string => join(config.WHENCE_DATA_DIR, FILE);

/**
 * Throws InvalidConfig where the database holds secrets that another key has sealed: nothing could be signed, nobody could
 * log in with a code, and what came in from then on would need a second key.
 */
export async function requireSameKey(database: Queryable, secrets: SecretBox): Promise<void> {
  const webhooks = (await findLostSecrets(database, secrets.keyMark)).length;
  const { secondFactors, payoutDetails } = await countLost(database, secrets.keyMark);
  if (webhooks + secondFactors + payoutDetails === 0) return;
  const found = [
    [webhooks, 'secrets of webhooks'],
    [secondFactors, 'second factors'],
    [payoutDetails, 'payout details'],
  ] as const;
  const sealed = found.flatMap(([count, of]) => (count === 0 ? [] : [`${of} (${count})`])).join(', ');
  throw new InvalidConfig(
    `What follows was sealed with another encryption key than this process has: ${sealed}. Set WHENCE_ENCRYPTION_KEY to ` +
      `the one that made them (or put back the file ${FILE} of the data folder). If it is lost, "whence secrets replace" ` +
      'gives these webhooks new secrets and prints them, leaves people to their recovery codes, and forgets the payout details.',
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
  // Never made anew: what the lost key has sealed would be lost with it.
  throw new InvalidConfig(`${path} is no encryption key (64 hex digits). Put the right one back from your backup.`);
}

/** Answers whether it was us: of several that start at once one makes the key, whole or not at all. */
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
