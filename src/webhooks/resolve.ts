import { lookup, Resolver } from 'node:dns/promises';

/** Tries of a name server, and how long each takes at most. */
const DNS = { timeout: 2_000, tries: 2 };

/**
 * Asks the name servers for a host's addresses, without a thread: the system's own look-up has four of them for the
 * whole process, and names of strangers whose servers don't answer would hold all four. `servers`: those of the system
 * unless told.
 */
export async function resolvePublicly(host: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver(DNS);
  if (servers !== undefined) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  // Many hosts have only one kind.
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

/** As the system does, with /etc/hosts and search domains: where webhooks may lead into the operator's own network. */
export async function resolveLocally(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
