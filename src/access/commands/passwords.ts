import { argon2, type Argon2Parameters, createHmac, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Overloaded } from '#core/failures.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';

/**
 * The cost of a password hash: the minimum that OWASP recommends, which is 19 MiB and two passes, or about 30 ms. Each
 * stored hash contains its cost, so that the cost for new passwords can be raised.
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/**
 * The maximum number of concurrent hashes. Each hash takes 19 MiB and one of the process's four worker threads. Hashing
 * must not delay incoming events, so at least one core stays free if there is more than one.
 */
const AT_ONCE = navigator.hardwareConcurrency > 2 ? 2 : 1;
/**
 * The maximum number of queued hashes. With two concurrent hashes, the whole queue takes about three seconds. Calls
 * beyond the maximum fail with `Overloaded` and can be retried.
 */
const MAX_WAITING = 200;

const derived = promisify(argon2);

/**
 * Returns the salt for new passwords of an address. People of several organizations can have the same address. They
 * share a salt, so that a login computes one hash for all of them and its time doesn't reveal their number.
 */
export function saltOf({ hashKey }: SecretBox, address: string): Buffer {
  return createHmac('sha256', hashKey).update(`salt of passwords\n${address}`).digest().subarray(0, SALT_BYTES);
}

/** Returns the password hash to store: argon2id in its standard notation, with parameters and salt. */
export async function hashPassword(password: string, nonce: Buffer): Promise<string> {
  const tag = await argon2id(password, { ...COST, nonce, tagLength: TAG_BYTES });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** Returns whether a stored hash belongs to the password. */
export async function isPassword(password: string, kept: string): Promise<boolean> {
  return (await findPassword(password, [kept])) === 0;
}

/**
 * Returns the index of the first hash that matches the password, or -1. Hashes the password only once for all stored
 * hashes with the same salt and cost. Also hashes it if `kept` is empty, so that an unknown address takes the same
 * time.
 */
export async function findPassword(password: string, kept: readonly string[]): Promise<number> {
  const hashes = new Map<string, Promise<Buffer>>();
  const compared = (kept.length === 0 ? [undefined] : kept).map(async (each) => {
    const { tag, ...parameters } = read(each) ?? UNMATCHABLE;
    const key = JSON.stringify(parameters);
    const hash = hashes.get(key) ?? argon2id(password, parameters);
    hashes.set(key, hash);
    return timingSafeEqual(await hash, tag);
  });
  return (await Promise.all(compared)).indexOf(true);
}

type Kept = Omit<Argon2Parameters, 'message'> & { readonly tag: Buffer };

/** A hash that no password matches. Passwords are compared with it if the person is unknown. */
const UNMATCHABLE: Kept = {
  ...COST,
  nonce: Buffer.alloc(SALT_BYTES),
  tagLength: TAG_BYTES,
  tag: Buffer.alloc(TAG_BYTES),
};

function read(kept: string | undefined): Kept | undefined {
  const [, memory, passes, parallelism, nonce = '', text = ''] = NOTATION.exec(kept ?? '') ?? [];
  if (memory === undefined) return undefined;
  const tag = Buffer.from(text, 'base64');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tagLength: tag.length,
    tag,
  };
}

const NOTATION = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/**
 * Computes an argon2id tag. Different Unicode spellings of the same characters count as the same password. Throws
 * `Overloaded` if MAX_WAITING hashes are already queued.
 */
async function argon2id(password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  await turn();
  try {
    return await derived('argon2id', { ...parameters, message: password.normalize('NFKC') });
  } finally {
    // Pass the slot on to the next waiting call, so that a new call can't take it first.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

let running = 0;
const waiting: (() => void)[] = [];

async function turn(): Promise<void> {
  if (running < AT_ONCE) {
    running += 1;
    return;
  }
  if (waiting.length >= MAX_WAITING)
    throw new Overloaded(`${MAX_WAITING} password hashes are already queued. Retry later.`);
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
