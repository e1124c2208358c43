import type { OrganizationId } from '#core/ids.ts';

/** The domains that the operator has listed for organizations. Domains are in lower case. */
export type CustomDomains = {
  /** Returns whether the domain is listed, for any organization. */
  readonly has: (domain: string) => boolean;
  /** Returns whether an organization may use the domain. */
  readonly isAllowed: (domain: string, organizationId: OrganizationId) => boolean;
};

/** The pattern of an entry in CUSTOM_DOMAINS: a domain, or a domain with the id of the organization that may use it. */
export const CUSTOM_DOMAIN_PATTERN = /^[a-z0-9.-]+\.[a-z][a-z0-9-]*(?:=[1-9][0-9]{0,14})?$/i;

/**
 * Returns the domains of the entries, such as `go.shop.example` for any organization, or `go.shop.example=2` for the
 * organization 2. `serviceHost` is the host of the service, which no organization may use.
 *
 * The operator must list the domains. Otherwise, an organization could enter another host name of the service, or the
 * domain of another merchant. It could then redirect the requests of other organizations.
 */
export function customDomains(entries: readonly string[], serviceHost: string): CustomDomains {
  const listed = entries.map((entry) => entry.toLowerCase().split('='));
  // A domain can be listed several times, for several organizations.
  const owners = Map.groupBy(
    listed.filter(([domain]) => domain !== serviceHost),
    ([domain = '']) => domain,
  );
  return {
    has: (domain) => owners.has(domain),
    isAllowed: (domain, organizationId) =>
      owners.get(domain)?.some(([, owner]) => owner === undefined || owner === String(organizationId)) ?? false,
  };
}
