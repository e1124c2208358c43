import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TakePlace } from '#platform/http/places.ts';
import { changeInPlace, type PageRoute } from './page-limit.ts';
import { admit, sendPage } from './link-page.ts';
import { NOTICE_NAMES } from '#notifications/wording/notice-names.ts';
import type { Subscription } from '#notifications/domain/unsubscribe-token.ts';

/** The path of the unsubscribe link in emails. SERVICE_PAGES includes it, so that the server refuses other methods. */
export const UNSUBSCRIBE_PATH = '/unsubscribe/{token}';

export type UnsubscribeActions = {
  /**
   * Returns the subscription that a link ends, and the name of the portal or organization. Returns undefined if the
   * link is invalid.
   */
  readonly find: (token: string) => Promise<{ readonly subscription: Subscription; readonly name: string } | undefined>;
  /** Ends the subscription, and returns true. */
  readonly end: (subscription: Subscription) => Promise<boolean>;
};

/**
 * Serves the page behind the link "Stop these emails". Opening the page changes nothing. The page's button sends a
 * POST, like an email program that unsubscribes with one click (RFC 8058).
 */
export function addUnsubscribePage(
  app: FastifyInstance,
  basePath: string,
  { find, end }: UnsubscribeActions,
  route: PageRoute,
  takePlace: TakePlace | undefined,
): void {
  const path = basePath + UNSUBSCRIBE_PATH.replace('{token}', ':token');
  app.get(path, route, async (request, reply) => {
    const found = await find((request.params as { readonly token: string }).token);
    if (found === undefined) return sendUnknown(reply);
    return sendPage(
      reply,
      'Stop these emails?',
      `You would no longer get ${emailsOf(found)}.`,
      '<form method="post"><button>Stop these emails</button></form>',
    );
  });
  app.post(path, { onRequest: [...route.onRequest, admit] }, async (request, reply) => {
    const found = await find((request.params as { readonly token: string }).token);
    if (found === undefined) return sendUnknown(reply);
    const isEnded = await changeInPlace(takePlace, request, reply, () => end(found.subscription));
    if (isEnded === undefined) return reply;
    const settings =
      found.subscription.kind === 'digest'
        ? 'on the Account page of the console'
        : 'in the settings of the partner portal';
    return sendPage(
      reply,
      'You are unsubscribed',
      `You no longer get ${emailsOf(found)}. You can change this ${settings}.`,
    );
  });
}

function emailsOf({ subscription: { kind }, name }: { readonly subscription: Subscription; readonly name: string }) {
  return kind === 'digest' ? `the summary of open items at ${name}` : `emails from ${name} about ${NOTICE_NAMES[kind]}`;
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  const text =
    'The link may be incomplete. You can also stop emails in the settings of the partner portal, or on the Account page of the console.';
  return sendPage(reply.code(404), 'This link is not valid', text);
}
