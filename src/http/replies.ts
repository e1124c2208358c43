import type { FastifyReply } from 'fastify';
import { type Problem, problemBody, problemStatus } from '#contract/problem.ts';
import { jsonText } from '#contract/json-text.ts';

/** Seconds after which a caller may try again what the service could not do now. */
export const RETRY_AFTER_S = 1;

/** Answers a problem, as RFC 9457 says. A browser of another origin may read the headers that belong to it. */
export function refuse(reply: FastifyReply, found: Problem): FastifyReply {
  if (found.headers !== undefined) {
    reply.headers(found.headers);
    if (reply.hasHeader('access-control-allow-origin'))
      reply.header('access-control-expose-headers', Object.keys(found.headers).join(', '));
  }
  reply.code(problemStatus(found));
  return sendJson(reply, 'application/problem+json', problemBody(found));
}

export function sendJson(reply: FastifyReply, type: string, body: unknown): FastifyReply {
  return sendText(reply, type, jsonText(body));
}

/** As bytes: to a string the framework would add a charset, which JSON’s types do not have. */
export function sendText(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.headers({ 'content-type': type, 'x-content-type-options': 'nosniff' }).send(Buffer.from(text));
}
