import { createHmac } from 'node:crypto';

/** The length of the hash in bytes, long enough to tell the addresses of an organization apart. */
const BYTES = 16;

/**
 * Returns a hash that represents a visitor's address or network where visits are counted. It can't be reversed without
 * the organization's key. Each organization gets a different hash for the same address.
 */
export function hashAddress(key: Uint8Array, network: string): Buffer {
  return createHmac('sha256', key).update(`address ${network}`).digest().subarray(0, BYTES);
}
