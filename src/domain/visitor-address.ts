import { createHmac } from 'node:crypto';

/** Enough to tell two addresses of an organization apart. */
const BYTES = 16;

/**
 * What stands for a visitor's address, or network, where visits are counted: nobody without the organization's key can say
 * whose it was, and that of another organization is another.
 */
export function hashAddress(key: Uint8Array, network: string): Buffer {
  return createHmac('sha256', key).update(`address ${network}`).digest().subarray(0, BYTES);
}
