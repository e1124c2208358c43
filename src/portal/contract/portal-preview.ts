import { z } from 'zod';
import { SET_COOKIE } from '#access/contract/session.ts';
import { collaboratorId } from '#collaborators/contract/collaborator.ts';
import { operation } from '#core/contract/operation.ts';
import { shownText, shownTime } from '#core/contract/response-fields.ts';

export const previewPortal = operation({
  method: 'POST',
  path: '/v1/collaborators/{id}/portal-preview',
  tag: 'Collaborators',
  summary: 'Preview the portal as a collaborator',
  description:
    'Begins a session in which you see the portal as this collaborator. The session can’t change anything, and isn’t ' +
    'in the collaborator’s list of sessions. It ends after 30 minutes, or earlier with your own session. The call ends your ' +
    'earlier preview, replaces the portal cookie of this browser, and is recorded in the audit log. API keys can’t make ' +
    'this call, because the session is a cookie.',
  scope: 'resources:write',
  keys: [],
  params: collaboratorId,
  repeats: 'none',
  success: {
    status: 201,
    description: 'The preview.',
    body: z
      .strictObject({
        url: shownText({
          description: 'The address of the portal.',
          example: 'https://whence.example/portal/adas-mugs',
        }),
        expiresAt: shownTime({ description: 'When the preview ends.' }),
      })
      .meta({ id: 'PortalPreview', description: 'A preview of the portal.' }),
    headers: SET_COOKIE,
  },
  problems: ['invalid-transition'],
});
