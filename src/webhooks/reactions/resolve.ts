import { lookup, Resolver } from 'node:dns/promises';

/** The number of DNS attempts, and the timeout of each in milliseconds. */
const DNS = { timeout: 2_000, tries: 2 };

/**
 * Resolves a host with DNS queries instead of the system's lookup. The system's lookup has four threads for the whole
 * process, and hosts with unresponsive name servers could block all four. `servers` defaults to the system's name
 * servers. Rejects if the host has no address.
 */
export async function resolvePublicly(host: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver(DNS);
  if (servers !== undefined) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  // Many hosts have only IPv4 or only IPv6 addresses, so only one of the queries has to succeed.
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

/**
 * Resolves a host as the system does, with /etc/hosts and search domains, for webhooks that can use the operator's own
 * network.
 */
export async function resolveLocally(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
