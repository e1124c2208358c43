import { createHmac } from 'node:crypto';

/** The length of the hash in bytes. It is long enough to distinguish the addresses of an organization's visitors. */
const BYTES = 16;

/**
 * Returns a hash of a visitor's address or network, for counting visits. The hash can't be reversed without the
 * organization's key. It differs between organizations for the same address.
 */
export function hashAddress(key: Uint8Array, network: string): Buffer {
  return createHmac('sha256', key).update(`address ${network}`).digest().subarray(0, BYTES);
}
