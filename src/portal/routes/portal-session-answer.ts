import { summarizeTerms } from '#programs/wording/program-words.ts';
import type { Brand, OpenPortal } from '#organizations/store/read/portals.ts';
import type { PortalSession } from '../store/read/portal-session.ts';

/** Returns the portal settings that visitors can see without logging in. */
export function brandOf({ name, accent, logo, supportEmail, termsUrl }: OpenPortal): Brand {
  return { name, accent, logo, supportEmail, termsUrl };
}

/** Returns the session as the API shows it, with the terms summary of each program. */
export function showPortalSession({
  collaborator,
  portal,
  timeZone,
  programs,
  agreementToAccept,
  isPreview,
  expiresAt,
}: PortalSession): object {
  const reader = { kind: 'collaborator', id: collaborator.id } as const;
  return {
    collaborator,
    portal: { slug: portal.slug, ...brandOf(portal) },
    timeZone,
    programs: programs.map(({ id, fields, goals }) => ({
      id,
      name: fields.name,
      words: summarizeTerms(fields, reader),
      goals: goals.map((goal) => ({ ...goal, currency: fields.currency })),
    })),
    agreementToAccept,
    isPreview,
    expiresAt,
  };
}
