import { type Cipheriv, createCipheriv } from 'node:crypto';
import type { OpportunityId } from './ids.ts';

/** An organization's translation between internal opportunity ids and public opportunity numbers. */
export type OpportunityNumbers = {
  readonly encode: (ids: readonly OpportunityId[]) => number[];
  /**
   * Decodes numbers from 1 to 2^53−1. Every such number decodes to an id, so callers must check whether that id exists.
   * Throws a RangeError for any other number.
   */
  readonly decode: (numbers: readonly number[]) => OpportunityId[];
};

const HIGH_BITS = 26;
const LOW_BITS = 27;
const LOW_SIZE = 2 ** LOW_BITS;
const HIGH_MASK = 2 ** HIGH_BITS - 1;
const LOW_MASK = LOW_SIZE - 1;
const ROUNDS = 8;
const BLOCK = 16;

/**
 * Returns a keyed permutation of 1 … 2^53−1 (docs/decisions/0012). With it, internal ids stay small and sequential, but
 * a visitor who sees some opportunity numbers in a browser can't guess others.
 *
 * The permutation is an unbalanced Feistel network over 26 + 27 bits with eight rounds of AES-128. Each round encrypts
 * the whole batch in one call, because a call costs far more than a block. 0 is not a valid number, so a result of 0 is
 * permuted again.
 */
export function opportunityNumbers(key: Uint8Array): OpportunityNumbers {
  // ECB is safe here, because every block contains its round and its half. The permutation needs the bare block cipher.
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  return {
    encode: (ids) => permute(cipher, ids, FORWARD),
    decode: (numbers) => permute(cipher, numbers, BACKWARD) as OpportunityId[],
  };
}

const FORWARD = Array.from({ length: ROUNDS }, (_, round) => round);
const BACKWARD = FORWARD.toReversed();

function permute(cipher: Cipheriv, values: readonly number[], rounds: readonly number[]): number[] {
  for (const value of values) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`An id must be an integer from 1 to 2^53-1, not ${value}.`);
  }
  if (values.length === 0) return [];
  const permuted = walk(cipher, values, rounds);
  // 0 is not a valid number, so a value that is mapped to 0 is mapped again. Only one value is mapped to 0, so a second
  // mapping is almost never needed.
  return permuted.map((value) => (value === 0 ? (walk(cipher, [0], rounds)[0] as number) : value));
}

/** Applies the Feistel network to all values once. */
function walk(cipher: Cipheriv, values: readonly number[], rounds: readonly number[]): number[] {
  const high = new Uint32Array(values.length);
  const low = new Uint32Array(values.length);
  values.forEach((value, index) => {
    high[index] = Math.floor(value / LOW_SIZE);
    low[index] = value % LOW_SIZE;
  });
  for (const round of rounds) {
    if (round % 2 === 0) mix(cipher, round, low, high, HIGH_MASK);
    else mix(cipher, round, high, low, LOW_MASK);
  }
  return Array.from(high, (part, index) => part * LOW_SIZE + (low[index] as number));
}

/**
 * Sets target ^= AES(round, source) for each value. The step is its own inverse, so decoding only reverses the rounds.
 */
function mix(cipher: Cipheriv, round: number, source: Uint32Array, target: Uint32Array, mask: number): void {
  const blocks = Buffer.alloc(source.length * BLOCK);
  source.forEach((half, index) => {
    blocks[index * BLOCK] = round;
    blocks.writeUInt32LE(half, index * BLOCK + 4);
  });
  const enciphered = cipher.update(blocks);
  target.forEach((half, index) => {
    target[index] = (half ^ (enciphered.readUInt32LE(index * BLOCK) & mask)) >>> 0;
  });
}
