import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Problem, problem } from '#core/contract/problem.ts';
import { RATE_REFUSALS } from '#platform/http/admission.ts';
import { closeSignal, TOO_MANY_CALLS, visitor } from '#platform/http/call-limits.ts';
import type { TakePlace } from '#platform/http/places.ts';
import type { CountRequest } from '#platform/http/rate-limits.ts';
import { sendProblem } from '#platform/http/replies.ts';

/**
 * The options of routes for pages that query the database without a key or a session. The options limit the requests of
 * each network. Without a limit, a flood of requests would use up the connections for calls.
 */
export type PageRoute = { readonly onRequest: onRequestHookHandler[] };

/**
 * Returns the options of a route for pages that query the database. Without `countRequest`, requests are not limited.
 */
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

/**
 * Counts a request for a page that queries the database. Returns a problem if the network has sent too many requests,
 * and undefined otherwise.
 */
export function pageRefusal(countRequest: CountRequest, { ip }: FastifyRequest): Problem | undefined {
  const verdict = countRequest({ kind: 'page', caller: 'pages' }, ip);
  return verdict?.allowed === false
    ? problem('rate-limited', RATE_REFUSALS.page, { headers: verdict.headers })
    : undefined;
}

/**
 * Runs the change behind a link in an email in one of the places for calls without a login, and returns its result.
 * Sends a problem and returns undefined if no place becomes free. Without `takePlace`, there is no limit.
 */
export async function changeInPlace<Result extends object | boolean>(
  takePlace: TakePlace | undefined,
  { ip }: FastifyRequest,
  reply: FastifyReply,
  change: () => Promise<Result>,
): Promise<Result | undefined> {
  if (takePlace === undefined) return change();
  const leave = await takePlace(visitor(ip), closeSignal(reply.raw));
  if (leave === undefined) {
    sendProblem(reply, TOO_MANY_CALLS);
    return undefined;
  }
  return change().finally(leave);
}
