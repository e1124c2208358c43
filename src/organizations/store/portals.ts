import type { OrganizationId } from '#core/ids.ts';
import type { Logo, LogoType } from '../domain/logo.ts';
import { DEFAULT_ACCENT, DEFAULT_REF_PARAMETER } from '../domain/portal.ts';
import { lockConfiguration } from './configuration.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type PortalFields = {
  /** The slug in the portal's address, or null if the portal is closed. */
  readonly slug: string | null;
  /** The name of the portal, or null if the portal uses the organization's name. */
  readonly name: string | null;
  readonly accent: string;
  readonly logo: Logo | null;
  readonly supportEmail: string | null;
  readonly termsUrl: string | null;
  readonly landingUrl: string | null;
  readonly refParameter: string;
  readonly embedOrigins: readonly string[];
  /** The sites whose pages a link can open, in addition to the site of the landing page. */
  readonly linkOrigins: readonly string[];
  /** The host name of short links, or null without short links. */
  readonly linkDomain: string | null;
  /** The host name of the portal, or null if the portal has no domain of its own. */
  readonly portalDomain: string | null;
};

/** The settings of a portal that has never been changed. */
const UNTOUCHED: PortalFields = {
  slug: null,
  name: null,
  accent: DEFAULT_ACCENT,
  logo: null,
  supportEmail: null,
  termsUrl: null,
  landingUrl: null,
  refParameter: DEFAULT_REF_PARAMETER,
  embedOrigins: [],
  linkOrigins: [],
  linkDomain: null,
  portalDomain: null,
};

export async function findPortal({ connection, organizationId }: Tenant): Promise<PortalFields> {
  const { rows } = await connection.query<
    Omit<PortalFields, 'logo'> & { readonly logoType: LogoType | null; readonly logo: Buffer | null }
  >(
    `select slug, name, accent, logo_type as "logoType", logo, support_email as "supportEmail", terms_url as "termsUrl",
       landing_url as "landingUrl", ref_parameter as "refParameter", embed_origins as "embedOrigins",
       link_origins as "linkOrigins", link_domain as "linkDomain", portal_domain as "portalDomain"
     from portals where organization_id = $1`,
    [organizationId],
  );
  const [found] = rows;
  if (found === undefined) return UNTOUCHED;
  const { logoType, logo, ...fields } = found;
  return { ...fields, logo: logoType === null || logo === null ? null : { type: logoType, bytes: logo } };
}

/** Writes the settings of a portal. Reserve its slug with `takeSlug` and its domains with `takeDomains` first. */
export async function savePortal(
  { connection, organizationId }: Tenant<Connection>,
  fields: PortalFields,
): Promise<void> {
  await connection.query(
    `insert into portals (organization_id, slug, name, accent, logo_type, logo, support_email, terms_url, landing_url,
       ref_parameter, embed_origins, link_origins, link_domain, portal_domain)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (organization_id) do update set slug = $2, name = $3, accent = $4, logo_type = $5, logo = $6,
       support_email = $7, terms_url = $8, landing_url = $9, ref_parameter = $10, embed_origins = $11,
       link_origins = $12, link_domain = $13, portal_domain = $14, updated_at = now()`,
    [
      organizationId,
      fields.slug,
      fields.name,
      fields.accent,
      fields.logo?.type,
      fields.logo?.bytes,
      fields.supportEmail,
      fields.termsUrl,
      fields.landingUrl,
      fields.refParameter,
      fields.embedOrigins,
      fields.linkOrigins,
      fields.linkDomain,
      fields.portalDomain,
    ],
  );
}

/**
 * Assigns a slug to an organization and frees its previous slug. With null, only frees the previous slug. Returns false
 * and changes nothing if another organization has the slug. Concurrent calls for the same slug run one at a time.
 */
export async function takeSlug(
  { connection, organizationId }: Tenant<Connection>,
  slug: string | null,
): Promise<boolean> {
  if (slug !== null) {
    await connection.query('insert into portal_slugs (slug, organization_id) values ($1, $2) on conflict do nothing', [
      slug,
      organizationId,
    ]);
    if ((await findPortalOwner(connection, slug)) !== organizationId) return false;
  }
  await connection.query('delete from portal_slugs where organization_id = $1 and slug is distinct from $2', [
    organizationId,
    slug,
  ]);
  return true;
}

/** Returns the organization of the open portal with the given slug, or undefined if there is no such portal. */
export async function findPortalOwner(connection: Queryable, slug: string): Promise<OrganizationId | undefined> {
  const { rows } = await connection.query<{ organizationId: OrganizationId }>(
    'select organization_id as "organizationId" from portal_slugs where slug = $1',
    [slug],
  );
  return rows[0]?.organizationId;
}

/**
 * Returns whether the portal is open, and locks that state until the transaction ends. Closing the portal waits for
 * this transaction, and then deletes any session or link that the transaction created.
 */
export async function lockOpenPortal(tenant: Tenant<Connection>): Promise<boolean> {
  await lockConfiguration(tenant);
  const { rowCount } = await tenant.connection.query(
    'select from portals where organization_id = $1 and slug is not null',
    [tenant.organizationId],
  );
  return rowCount === 1;
}

/** Ends all portal sessions of an organization, and deletes its links for logins and sign-ups. */
export async function emptyPortal({ connection, organizationId }: Tenant<Connection>): Promise<void> {
  await connection.query('delete from sessions where organization_id = $1 and collaborator_id is not null', [
    organizationId,
  ]);
  await connection.query('delete from entry_links where organization_id = $1', [organizationId]);
}
