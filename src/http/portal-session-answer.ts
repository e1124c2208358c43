import { programWords } from '#domain/program-words.ts';
import type { Brand, OpenPortal } from '#store/read/portals.ts';
import type { PortalSession } from '#store/read/portal-session.ts';

/** What a page is dressed in: no more of the settings is for everybody. */
export function brandOf({ name, accent, logo, supportEmail, termsUrl }: OpenPortal): Brand {
  return { name, accent, logo, supportEmail, termsUrl };
}

/** Who has logged in, with what they may earn in, in words. */
export function showPortalSession({ collaborator, portal, programs, expiresAt }: PortalSession): object {
  const reader = { kind: 'collaborator', id: collaborator.id } as const;
  return {
    collaborator,
    portal: { slug: portal.slug, ...brandOf(portal) },
    programs: programs.map(({ id, fields }) => ({ id, name: fields.name, words: programWords(fields, reader) })),
    expiresAt,
  };
}
