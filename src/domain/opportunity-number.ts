import { type Cipheriv, createCipheriv } from 'node:crypto';
import type { OpportunityId } from './ids.ts';

/** An organization's translation between the ids of opportunities and the numbers that leave the service. */
export type OpportunityNumbers = {
  readonly encode: (ids: readonly OpportunityId[]) => number[];
  /** Any number of 1 … 2^53−1 leads to some id; whether that id was ever given out is for the store to say. */
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
 * A keyed permutation of 1 … 2^53−1 (docs/decisions/0012): numbers in a browser can be neither guessed nor counted up,
 * and the row's id stays small and in order. An unbalanced Feistel network over 26 + 27 bits with eight rounds of
 * AES-128; each round enciphers the whole batch in one call, since the call costs far more than the block. 0 is not a
 * number of an opportunity, so whatever would come out as 0 goes in once more.
 */
export function opportunityNumbers(key: Uint8Array): OpportunityNumbers {
  // ECB: the permutation needs the bare block cipher; every block carries its round and its half.
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
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`not an id: ${value}`);
  }
  if (values.length === 0) return [];
  const permuted = walk(cipher, values, rounds);
  // The only value of the network's domain that is outside ours is 0: at most one of a batch meets it, hardly ever.
  return permuted.map((value) => (value === 0 ? (walk(cipher, [0], rounds)[0] as number) : value));
}

/** One pass through the network, for all values at once. */
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

/** target ^= AES(round, source), each on its own; it is its own inverse, so decoding only turns the rounds around. */
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
