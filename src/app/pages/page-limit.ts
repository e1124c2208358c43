import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Problem, problem } from '#core/contract/problem.ts';
import { RATE_REFUSALS } from '#platform/http/admission.ts';
import type { CountRequest } from '#platform/http/rate-limits.ts';
import { sendProblem } from '#platform/http/replies.ts';

/**
 * The options of the routes of pages that query the database without a key or a session. With a `countRequest`, their
 * requests are limited for each network. Otherwise, a flood would use up the connections for calls.
 */
export type PageRoute = { readonly onRequest: onRequestHookHandler[] };

/** Returns the options of such a route. */
export function limitedRoute(countRequest: CountRequest | undefined): PageRoute {
  if (countRequest === undefined) return { onRequest: [] };
  return {
    onRequest: [
      (request, reply, done) => {
        const refusal = pageRefusal(countRequest, request);
        if (refusal === undefined) done();
        else sendProblem(reply, refusal);
      },
    ],
  };
}

/** Counts a request for such a page. Returns a problem if its network has sent too many, and undefined otherwise. */
export function pageRefusal(countRequest: CountRequest, { ip }: FastifyRequest): Problem | undefined {
  const verdict = countRequest({ kind: 'page', caller: 'pages' }, ip);
  return verdict?.allowed === false
    ? problem('rate-limited', RATE_REFUSALS.page, { headers: verdict.headers })
    : undefined;
}
