import type { OrganizationId } from '#core/ids.ts';
import type { Tier } from '#core/caller.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** A merchant's domain for short links, with the settings that its redirects use. */
export type LinkDomain = {
  readonly use: 'links';
  readonly domain: string;
  readonly organizationId: OrganizationId;
  readonly tier: Tier;
  readonly opportunityKey: Buffer;
  readonly landingUrl: string;
  readonly refParameter: string;
  readonly linkOrigins: readonly string[];
};

/** A merchant's domain for the portal. The slug is null while the portal is closed. */
export type PortalDomain = {
  readonly use: 'portal';
  readonly domain: string;
  readonly organizationId: OrganizationId;
  readonly slug: string | null;
};

/**
 * Assigns domains to an organization and frees its previous domains. Returns false if another organization has one of
 * the domains. The caller must then roll back. Concurrent calls for a domain run one at a time.
 */
export async function takeDomains(
  { connection, organizationId }: Tenant<Connection>,
  domains: readonly string[],
): Promise<boolean> {
  // Lock the domains in alphabetical order, so that concurrent calls can't deadlock.
  for (const domain of domains.toSorted()) {
    const { rows } = await connection.query<{ organizationId: OrganizationId }>(
      `with taken as (
         insert into domains (domain, organization_id) values ($1, $2)
         on conflict (domain) do update set domain = excluded.domain
         returning organization_id
       )
       select organization_id as "organizationId" from taken`,
      [domain, organizationId],
    );
    if (rows[0]?.organizationId !== organizationId) return false;
  }
  await connection.query('delete from domains where organization_id = $1 and domain <> all ($2::text[])', [
    organizationId,
    domains,
  ]);
  return true;
}

/** Returns the domains of all organizations. */
export async function readDomains(connection: Queryable): Promise<(LinkDomain | PortalDomain)[]> {
  const { rows } = await connection.query<LinkDomain | PortalDomain>(
    `select case d.domain when p.link_domain then 'links' else 'portal' end as use, d.domain,
       d.organization_id as "organizationId", p.slug, o.tier, o.opportunity_key as "opportunityKey",
       p.landing_url as "landingUrl", p.ref_parameter as "refParameter", p.link_origins as "linkOrigins"
     from domains d
     join portals p on p.organization_id = d.organization_id and d.domain in (p.link_domain, p.portal_domain)
     join organizations o on o.id = d.organization_id`,
  );
  return rows;
}
