import type { OrganizationId } from '#core/ids.ts';
import { type Logo, logoUrl } from '../../domain/logo.ts';
import { findPortal, findPortalOwner, type PortalFields } from '../portals.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readOrganization } from './organizations.ts';

export type Brand = {
  readonly name: string;
  readonly accent: string;
  readonly logo: string | null;
  readonly supportEmail: string | null;
  readonly termsUrl: string | null;
};

export type PortalSettings = Brand & Omit<PortalFields, keyof Brand>;

export type OpenPortal = PortalSettings & {
  readonly organizationId: OrganizationId;
  readonly slug: string;
  readonly landingUrl: string;
};

export async function readPortalSettings(tenant: Tenant): Promise<PortalSettings> {
  const { name, logo, ...settings } = await findPortal(tenant);
  return {
    ...settings,
    name: name ?? (await readOrganization(tenant)).name,
    logo: logo && logoUrl(logo),
  };
}

/** Returns the portal of an organization, or undefined if the portal is closed. */
export async function readPortalOf(tenant: Tenant): Promise<OpenPortal | undefined> {
  const { slug, landingUrl, ...settings } = await readPortalSettings(tenant);
  return slug === null || landingUrl === null
    ? undefined
    : { ...settings, organizationId: tenant.organizationId, slug, landingUrl };
}

/** Returns the open portal with the given slug, or undefined if there is no such portal. */
export async function readPortal(connection: Queryable, slug: string): Promise<OpenPortal | undefined> {
  const organizationId = await findPortalOwner(connection, slug);
  return organizationId === undefined ? undefined : readPortalOf({ connection, organizationId });
}

/** Returns the sites that may embed the portal, or undefined if no portal has the slug. */
export async function readEmbedOrigins(connection: Queryable, slug: string): Promise<readonly string[] | undefined> {
  const { rows } = await connection.query<{ origins: string[] }>(
    `select p.embed_origins as origins
     from portal_slugs s join portals p on p.organization_id = s.organization_id where s.slug = $1`,
    [slug],
  );
  return rows[0]?.origins;
}

/**
 * Returns the logo of the open portal with the given slug, or undefined if there is no such portal or it has no logo.
 */
export async function readLogo(connection: Queryable, slug: string): Promise<Logo | undefined> {
  const organizationId = await findPortalOwner(connection, slug);
  return organizationId === undefined
    ? undefined
    : ((await findPortal({ connection, organizationId })).logo ?? undefined);
}
