import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** What OWASP asks for at least: 19 MiB and two passes, some 30 ms. Kept with each password, so that they can be raised. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** Each takes a thread of the four that a process has, and its memory: those who report must not wait for those who log in. */
const AT_ONCE = 2;
/** Some three seconds of work. Beyond it whoever comes is told to try again. */
const MAX_WAITING = 200;

/** Thrown where more passwords wait to be looked at than could be soon. */
export class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
}

const derived = promisify(argon2);

/** A password as it is kept: argon2id in its own notation, with parameters and salt. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await argon2id(password, { ...COST, nonce, tagLength: TAG_BYTES });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** Whether it is this password. It takes the same time where there is none to compare with. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const { tag, ...parameters } = read(kept) ?? NOBODYS;
  const found = await argon2id(password, parameters);
  return kept !== undefined && timingSafeEqual(found, tag);
}

type Kept = Omit<Argon2Parameters, 'message'> & { readonly tag: Buffer };

/** What nobody's password is compared with. */
const NOBODYS: Kept = { ...COST, nonce: Buffer.alloc(SALT_BYTES), tagLength: TAG_BYTES, tag: Buffer.alloc(TAG_BYTES) };

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

/** One password may be written in several ways that look the same: they are one. */
async function argon2id(password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  await turn();
  try {
    return await derived('argon2id', { ...parameters, message: password.normalize('NFKC') });
  } finally {
    // Who waits takes this one's place: nobody who comes just now may.
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
  if (waiting.length >= MAX_WAITING) throw new TooManyPasswords(`${MAX_WAITING} wait already`);
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
