import type { OrganizationId } from '#domain/ids.ts';
import { type Logo, logoUrl } from '#domain/logo.ts';
import { findPortal, findPortalOwner } from '../portals.ts';
import type { Queryable } from '../database.ts';
import { readOrganization } from './organizations.ts';

/** What a page is dressed in. */
export type Brand = {
  readonly name: string;
  readonly accent: string;
  /** As a data: URL. */
  readonly logo: string | null;
  readonly supportEmail: string | null;
  readonly termsUrl: string | null;
};

export type PortalSettings = Brand & {
  /** Null: the portal is closed. */
  readonly slug: string | null;
  readonly landingUrl: string | null;
  readonly refParameter: string;
  readonly embedOrigins: readonly string[];
};

export type OpenPortal = PortalSettings & {
  readonly organizationId: OrganizationId;
  readonly slug: string;
  readonly landingUrl: string;
};

export async function readPortalSettings(
  connection: Queryable,
  organizationId: OrganizationId,
): Promise<PortalSettings> {
  const { name, logo, ...settings } = await findPortal(connection, organizationId);
  return {
    ...settings,
    name: name ?? (await readOrganization(connection, organizationId)).name,
    logo: logo && logoUrl(logo),
  };
}

/** The portal of an organization, where it is open. */
export async function readPortalOf(
  connection: Queryable,
  organizationId: OrganizationId,
): Promise<OpenPortal | undefined> {
  const { slug, landingUrl, ...settings } = await readPortalSettings(connection, organizationId);
  return slug === null || landingUrl === null ? undefined : { ...settings, organizationId, slug, landingUrl };
}

/** The portal that is open under a slug. */
export async function readPortal(connection: Queryable, slug: string): Promise<OpenPortal | undefined> {
  const organizationId = await findPortalOwner(connection, slug);
  return organizationId === undefined ? undefined : readPortalOf(connection, organizationId);
}

/** The sites that may show the portal within their pages; undefined where there is no portal under the slug. */
export async function readEmbedOrigins(connection: Queryable, slug: string): Promise<readonly string[] | undefined> {
  const { rows } = await connection.query<{ origins: string[] }>(
    `select p.embed_origins as origins
     from portal_slugs s join portals p on p.organization_id = s.organization_id where s.slug = $1`,
    [slug],
  );
  return rows[0]?.origins;
}

/** The picture of the portal that is open under a slug; undefined where there is none. */
export async function readLogo(connection: Queryable, slug: string): Promise<Logo | undefined> {
  const organizationId = await findPortalOwner(connection, slug);
  return organizationId === undefined ? undefined : ((await findPortal(connection, organizationId)).logo ?? undefined);
}
