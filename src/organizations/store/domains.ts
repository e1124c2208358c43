import type { OrganizationId } from '#core/ids.ts';
import type { Tier } from '#core/caller.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** A merchant's host of short links, with the settings that its redirects use. */
export type LinkDomain = {
  readonly domain: string;
  readonly organizationId: OrganizationId;
  readonly tier: Tier;
  readonly opportunityKey: Buffer;
  readonly landingUrl: string;
  readonly refParameter: string;
  readonly linkOrigins: readonly string[];
};

/**
 * Assigns a domain to an organization and frees its previous domain. With null, only frees the previous domain. Returns
 * false and changes nothing if another organization has the domain. Concurrent calls for a domain run one at a time.
 */
export async function takeDomain(
  { connection, organizationId }: Tenant<Connection>,
  domain: string | null,
): Promise<boolean> {
  if (domain !== null) {
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
  await connection.query('delete from domains where organization_id = $1 and domain is distinct from $2', [
    organizationId,
    domain,
  ]);
  return true;
}

/** Returns the link domains of all organizations. */
export async function readLinkDomains(connection: Queryable): Promise<LinkDomain[]> {
  const { rows } = await connection.query<LinkDomain>(
    `select d.domain, d.organization_id as "organizationId", o.tier, o.opportunity_key as "opportunityKey",
       p.landing_url as "landingUrl", p.ref_parameter as "refParameter",
       p.link_origins as "linkOrigins"
     from domains d
     join portals p on p.organization_id = d.organization_id and p.link_domain = d.domain
     join organizations o on o.id = d.organization_id`,
  );
  return rows;
}
