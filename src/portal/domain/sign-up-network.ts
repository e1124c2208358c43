import ipaddr from 'ipaddr.js';
import { readListValue } from '#programs/domain/fraud-list.ts';

/** The values that a program can set as its limit of sign-ups from one network, and the value for new programs. */
export const SIGN_UPS_FROM_NETWORK = { least: 2, most: 100, initial: 3 } as const;
/** The number of days within which sign-ups from one network count together. */
export const COUNTED_DAYS = 7;
/** The number of days after which the hash of a sign-up's network is deleted. */
export const NETWORK_DAYS = 30;

/**
 * Returns the network of a sign-up, such as `203.0.113.0/24` or `2001:db8:1:0::/48`. `client` has the form
 * that `networkOf` of the HTTP layer returns. Returns undefined for addresses that don't identify a network on the
 * internet. They usually belong to a proxy that isn't listed in TRUSTED_PROXIES, so all applicants would share one
 * network.
 */
export function signUpNetwork(client: string): string | undefined {
  const [address, bits] = client.includes(':') ? [`${client}::`, 48] : [client, 24];
  if (!ipaddr.isValid(address) || INTERNAL.has(ipaddr.parse(address).range())) return undefined;
  return readListValue('network', `${address}/${bits}`);
}

/** The names that ipaddr.js gives to ranges of addresses inside a network or a computer. */
const INTERNAL = new Set(['unspecified', 'loopback', 'linkLocal', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Returns whether the number of applicants from one network is a fraud signal. A limit of null turns the fraud signal
 * off.
 */
export function isFraudSignal(applicants: number, limit: number | null): boolean {
  return limit !== null && applicants >= limit;
}
