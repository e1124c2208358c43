import { beginPreview } from '../commands/begin-preview.ts';
import type * as contract from '../contract/portal-preview.ts';
import { personOf, SESSION_ENDED, type Site } from '#access/routes/session-answers.ts';
import { problem } from '#core/contract/problem.ts';
import { servicePortalUrl } from '#organizations/domain/portal.ts';
import { answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';

/** Returns the handlers for previews of the portal by the merchant's people. */
export function portalPreviewHandlers({ cookies, publicUrl }: Site): HandlersFor<typeof contract> {
  return {
    previewPortal: async ({ auth, tenant, params: { id }, header }) =>
      answerOutcome(await beginPreview(tenant, personOf(auth), id, header('user-agent')), {
        begun: (begun) => {
          const { token, slug, expiresAt } = begun;
          // The cookie is for this host, so the preview isn't on the portal's own domain.
          const headers = { 'set-cookie': cookies.begin('collaborator', token) };
          return answer(201, { url: servicePortalUrl(publicUrl(), slug), expiresAt }, { headers });
        },
        unknown: problem('not-found'),
        ended: SESSION_ENDED,
        'kept-out': ({ status }) =>
          problem(
            'invalid-transition',
            `Only active and pending collaborators can log in to the portal. This collaborator is ${status}. You can activate inactive collaborators, but not rejected or deleted collaborators.`,
          ),
        'no-portal': NO_PORTAL,
      }),
  };
}

const NO_PORTAL = problem(
  'invalid-transition',
  'The portal is closed. Set its slug and the landing page of its links first.',
);
