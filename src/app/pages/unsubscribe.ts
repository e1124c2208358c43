import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Auth } from '#core/auth.ts';
import { NOTICE_NAMES } from '#notifications/wording/notice-names.ts';
import type { Subscription } from '#notifications/domain/unsubscribe-token.ts';

/** The path of the link in emails, listed so that the server can refuse other methods. */
export const UNSUBSCRIBE_PATH = '/unsubscribe/{token}';

export type UnsubscribeActions = {
  /** Returns the subscription that a link ends, and the portal's name. Returns undefined if the link is invalid. */
  readonly find: (
    token: string,
  ) => Promise<{ readonly subscription: Subscription; readonly portal: string } | undefined>;
  readonly mute: (subscription: Subscription) => Promise<void>;
};

/**
 * Serves the page behind the link "Stop these emails". Opening the page changes nothing, because mail scanners open
 * links. Its button sends a POST, and so do email programs that unsubscribe with one click (RFC 8058).
 */
export function addUnsubscribePage(app: FastifyInstance, basePath: string, { find, mute }: UnsubscribeActions): void {
  const path = basePath + UNSUBSCRIBE_PATH.replace('{token}', ':token');
  app.get(path, async (request, reply) => {
    const found = await find((request.params as { readonly token: string }).token);
    if (found === undefined) return sendUnknown(reply);
    const { portal, subscription } = found;
    return sendPage(
      reply,
      'Stop these emails?',
      `You would no longer get emails from ${portal} about ${NOTICE_NAMES[subscription.kind]}.`,
      '<form method="post"><button>Stop these emails</button></form>',
    );
  });
  app.post(path, { onRequest: admit }, async (request, reply) => {
    const found = await find((request.params as { readonly token: string }).token);
    if (found === undefined) return sendUnknown(reply);
    const { portal, subscription } = found;
    await mute(subscription);
    return sendPage(
      reply,
      'You are unsubscribed',
      `You no longer get emails from ${portal} about ${NOTICE_NAMES[subscription.kind]}. You can change this in the settings of the partner portal.`,
    );
  });
}

/**
 * Admits every caller, because the request has no key. The handler ignores the body, which is
 * `List-Unsubscribe=One-Click` or empty.
 */
function admit(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.response = reply.raw;
  request.auth = { kind: 'visitor' } as unknown as Auth;
  done();
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const STYLE = `
  :root { color-scheme: light dark; }
  body { margin: 0 auto; max-width: 32rem; padding: 4rem 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.5rem; line-height: 1.25; }
  button { font: inherit; font-weight: 600; padding: 0.75rem 1.25rem; border: 0; border-radius: 0.5rem; background: #4338ca; color: #fff; cursor: pointer; }`;

function sendUnknown(reply: FastifyReply): FastifyReply {
  const text = 'The address may be incomplete. You can also stop emails in the settings of the partner portal.';
  return sendPage(reply.code(404), 'This link is not valid', text);
}

function sendPage(reply: FastifyReply, title: string, text: string, form = ''): FastifyReply {
  return reply.headers(PAGE_HEADERS).send(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <link rel="icon" href="data:,">
    <title>${escaped(title)}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escaped(title)}</h1>
      <p>${escaped(text)}</p>
      ${form}
    </main>
  </body>
</html>
`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
