import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TakePlace } from '#platform/http/places.ts';
import { changeInPlace, type PageRoute } from './page-limit.ts';
import { admit, sendPage } from './link-page.ts';

/**
 * The path of the link that confirms an email address. SERVICE_PAGES includes it, so that the server refuses other
 * methods.
 */
export const CONFIRM_ADDRESS_PATH = '/confirm-address/{token}';

export type ConfirmationActions = {
  /** Returns whether a link is valid. */
  readonly isValid: (token: string) => boolean;
  /** Confirms the address of the link's person. Returns false if the link is invalid, or the person was removed. */
  readonly confirm: (token: string) => Promise<boolean>;
};

/**
 * Serves the page behind the link "Confirm your address". Opening the page changes nothing. Its button sends a POST,
 * which confirms the address.
 */
export function addConfirmationPage(
  app: FastifyInstance,
  basePath: string,
  { isValid, confirm }: ConfirmationActions,
  route: PageRoute,
  takePlace: TakePlace | undefined,
): void {
  const path = basePath + CONFIRM_ADDRESS_PATH.replace('{token}', ':token');
  app.get(path, route, async (request, reply) => {
    if (!isValid((request.params as { readonly token: string }).token)) return sendUnknown(reply);
    return sendPage(
      reply,
      'Confirm your address?',
      'You then get a regular summary of open items by email. You can turn it off at any time.',
      '<form method="post"><button>Confirm your address</button></form>',
    );
  });
  app.post(path, { onRequest: [...route.onRequest, admit] }, async (request, reply) => {
    const { token } = request.params as { readonly token: string };
    const isConfirmed = await changeInPlace(takePlace, request, reply, () => confirm(token));
    if (isConfirmed === undefined) return reply;
    if (!isConfirmed) return sendUnknown(reply);
    return sendPage(reply, 'Your address is confirmed', 'You can close this page.');
  });
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  const text = 'The link may be incomplete. Request another email on the Account page of the console.';
  return sendPage(reply.code(404), 'This link is not valid', text);
}
