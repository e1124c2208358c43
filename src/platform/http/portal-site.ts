import type { OrganizationId } from '#core/ids.ts';

/** A portal that has its own domain: its organization, and the origin of the domain as browsers send it. */
export type PortalSite = { readonly organizationId: OrganizationId; readonly origin: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** The portal to whose domain the request was sent. Undefined on the service's own hosts. */
    portalSite: PortalSite | undefined;
  }
}
