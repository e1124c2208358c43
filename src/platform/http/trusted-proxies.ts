import { BlockList, isIP } from 'node:net';

/** The maximum number of proxies in front of the service. Further addresses are ignored. */
export const MAX_PROXIES = 10;

/** Returns whether the `hop`th address of a request is a trusted proxy. The connection's own address is hop 0. */
export type IsTrustedProxy = (address: string | undefined, hop: number) => boolean;

/**
 * Returns a function that recognizes trusted proxies. `ranges` contains addresses, ranges, and the names `loopback`,
 * `linklocal` and `uniquelocal`.
 *
 * The number of hops is bounded because proxies append to the client's header. A header with many trusted addresses
 * would cost a lookup for each of them.
 */
export function trustedProxies(ranges: readonly string[]): IsTrustedProxy {
  const trusted = new BlockList();
  for (const range of ranges.flatMap((text) => NAMED_RANGES[text] ?? [text])) {
    const [address = '', prefix] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (address = '', hop) => {
    const family = isIP(address);
    return hop < MAX_PROXIES && family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
