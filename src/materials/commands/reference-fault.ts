import { findPortal } from '#organizations/store/portals.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { allowedOrigins } from '#portal/domain/portal-link.ts';
import { findCurrentProgram } from '#programs/store/programs.ts';
import type { MaterialFields } from '../domain/material.ts';

/** A program or page that a material can't refer to. `sites` are the allowed sites. */
export type ReferenceFault =
  | { readonly kind: 'unknown-program' | 'deleted-program' }
  | { readonly kind: 'other-site'; readonly sites: readonly string[] };

/** Returns the reason why a material can't refer to the given program or page, or undefined. Null is always allowed. */
export async function findReferenceFault(
  tenant: Tenant<Connection>,
  { programId = null, pageUrl = null }: Partial<Pick<MaterialFields, 'programId' | 'pageUrl'>>,
): Promise<ReferenceFault | undefined> {
  if (programId !== null) {
    const program = await findCurrentProgram(tenant, programId);
    if (program === undefined) return { kind: 'unknown-program' };
    if (program.fields.status === 'deleted') return { kind: 'deleted-program' };
  }
  if (pageUrl === null) return undefined;
  const { landingUrl, linkOrigins } = await findPortal(tenant);
  const sites = allowedOrigins(landingUrl, linkOrigins);
  return sites.includes(new URL(pageUrl).origin) ? undefined : { kind: 'other-site', sites };
}
