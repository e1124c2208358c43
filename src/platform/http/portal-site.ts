import type { OrganizationId } from '#core/ids.ts';

/** The domain of an organization's portal, with its origin as browsers send it. */
export type PortalSite = { readonly organizationId: OrganizationId; readonly origin: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** The portal whose domain the request names. Undefined on the service's own hosts. */
    portalSite: PortalSite | undefined;
  }
}
