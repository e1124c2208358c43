import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { headerRefusal } from './failures.ts';
import { type knownPaths, refuseUnknown } from './known-paths.ts';
import { sendProblem } from './replies.ts';

/**
 * Answers a request to a merchant's domain. Returns undefined, or resolves to false, if the service must handle the
 * request as usual. That is the case on the service's own hosts, and for calls that are also available on the domain of
 * a portal. For these calls, sets the request's `portalSite`.
 */
export type AnswerDomain = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> | undefined;

type Begin = {
  readonly paths: ReturnType<typeof knownPaths>;
  readonly isSecure: boolean;
  readonly answerDomain: AnswerDomain | undefined;
};

/**
 * Adds the hook that begins every request, with or without a route. It sets the headers of every response, refuses
 * invalid headers and unknown paths, and passes requests to domains of merchants to `answerDomain`.
 */
export function addRequestHook(app: FastifyInstance, { paths, isSecure, answerDomain }: Begin): void {
  const headers = headersOfEvery(isSecure);
  app.decorateRequest('portalSite', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    const refusal = headerRefusal(request.raw);
    if (refusal !== undefined) {
      sendProblem(reply, refusal);
      return;
    }
    const proceed = (): void => {
      if (request.is404) refuseUnknown(paths, request, reply);
      else done();
    };
    const answering = answerDomain?.(request, reply);
    if (answering === undefined) proceed();
    else void answering.then((isAnswered) => isAnswered || proceed(), done);
  });
}

/** Returns the headers of every response. `isSecure` means that the service is reached over https. */
export function headersOfEvery(isSecure: boolean): Readonly<Record<string, string>> {
  return isSecure ? { ...EVERY_ANSWER, ...BY_TLS_ALONE } : EVERY_ANSWER;
}

/**
 * Headers of every response. Browsers must use the declared type. If a response is opened as a page, it can't load or
 * run anything, and it can't be framed. Pages send their own Content-Security-Policy instead.
 */
const EVERY_ANSWER = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The header that makes browsers use only https for one year, on this host but not on its subdomains. */
const BY_TLS_ALONE = { 'strict-transport-security': 'max-age=31536000' };
