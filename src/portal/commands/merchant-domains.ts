import type { OrganizationId } from '#core/ids.ts';
import { opportunityNumbers, type OpportunityNumbers } from '#core/opportunity-number.ts';
import type { CustomDomains } from '#organizations/domain/custom-domains.ts';
import type { LinkDomain, PortalDomain } from '#organizations/store/domains.ts';

export type KnownLinkDomain = LinkDomain & { readonly numbers: OpportunityNumbers };
export type KnownDomain = KnownLinkDomain | PortalDomain;

export type MerchantDomains = {
  /** Returns the merchant's domain that a Host header names. Returns undefined for all other hosts. */
  readonly at: (host: string | undefined) => Promise<KnownDomain | undefined> | undefined;
  /** Makes the next request read the domains again. Call it after a change of the domains. */
  readonly forget: () => void;
};

/** The time in milliseconds after which a change by another process takes effect. */
const FRESH_MS = 1_000;
/**
 * The maximum time in milliseconds that a request waits for the domains to be read. After that, the domains of the last
 * read are used.
 */
const PATIENCE_MS = 1_000;

/**
 * Returns a cache of the domains of all organizations, in the memory of this process. Requests to hosts that the
 * operator has not listed in `allowed` never wait for `load`. `now` is a monotonic clock in milliseconds.
 */
export function merchantDomains(
  load: () => Promise<readonly (LinkDomain | PortalDomain)[]>,
  allowed: CustomDomains,
  now: () => number = () => performance.now(),
): MerchantDomains {
  let known: ReadonlyMap<string, KnownDomain> = new Map();
  const numbers = new Map<OrganizationId, OpportunityNumbers>();
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  return {
    at: (host = '') => {
      const name = hostName(host);
      return allowed.has(name) ? find(name) : undefined;
    },
    forget: () => {
      readAt = -Infinity;
      reading = undefined;
    },
  };

  async function find(name: string): Promise<KnownDomain | undefined> {
    if (reading === undefined && now() - readAt >= FRESH_MS) reading = read();
    if (reading !== undefined) await waitBriefly(reading);
    return known.get(name);
  }

  async function read(): Promise<void> {
    readAt = now();
    const begun = readAt;
    try {
      const domains = await load();
      const permitted = domains.filter(({ domain, organizationId }) => allowed.isAllowed(domain, organizationId));
      // A read that began before `forget` may have an outdated result.
      if (readAt === begun) known = new Map(permitted.map((domain) => [domain.domain, withNumbers(domain)]));
    } catch {
      // While the database is down, the domains of the last read remain.
    } finally {
      if (readAt === begun) reading = undefined;
    }
  }

  function withNumbers(domain: LinkDomain | PortalDomain): KnownDomain {
    return domain.use === 'portal' ? domain : { ...domain, numbers: numbersOf(domain) };
  }

  function numbersOf({ organizationId, opportunityKey }: LinkDomain): OpportunityNumbers {
    const made = numbers.get(organizationId) ?? opportunityNumbers(opportunityKey);
    numbers.set(organizationId, made);
    return made;
  }
}

/** Returns the name in a Host header, in lower case and without its port and a final dot. */
function hostName(host: string): string {
  const colon = host.indexOf(':');
  return (colon === -1 ? host : host.slice(0, colon)).toLowerCase().replace(/\.$/, '');
}

async function waitBriefly(work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PATIENCE_MS);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
