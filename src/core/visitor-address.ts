import { createHmac } from 'node:crypto';

/** The length of the hash in bytes. It is long enough to distinguish the addresses of an organization's visitors. */
const BYTES = 16;

/**
 * Returns a keyed hash of a visitor's address or network, for counting visits. `key` belongs to the organization.
 * Without the key, the hash can't be reversed or compared with hashes of other organizations.
 */
export function hashAddress(key: Uint8Array, network: string): Buffer {
  return createHmac('sha256', key).update(`address ${network}`).digest().subarray(0, BYTES);
}
