import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Auth } from '#core/auth.ts';

/*
 * The pages behind links in emails that need no login. Opening such a page changes nothing, because mail scanners open
 * links. Its button sends a POST.
 */

/**
 * Admits every caller, because the request has no key. The handler ignores the body, which is
 * `List-Unsubscribe=One-Click` or empty.
 */
export function admit(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.response = reply.raw;
  request.auth = { kind: 'visitor' } as unknown as Auth;
  done();
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const STYLE = `
  :root { color-scheme: light dark; }
  body { margin: 0 auto; max-width: 32rem; padding: 4rem 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.5rem; line-height: 1.25; }
  button { font: inherit; font-weight: 600; padding: 0.75rem 1.25rem; border: 0; border-radius: 0.5rem; background: #4338ca; color: #fff; cursor: pointer; }`;

/** Sends a page with a title, a text and an optional form. */
export function sendPage(reply: FastifyReply, title: string, text: string, form = ''): FastifyReply {
  return reply.headers(PAGE_HEADERS).send(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <link rel="icon" href="data:,">
    <title>${escapeHtml(title)}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(text)}</p>
      ${form}
    </main>
  </body>
</html>
`);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
