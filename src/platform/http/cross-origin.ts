import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceHeaderNames } from './handler.ts';

const PREFLIGHT_MAX_AGE_S = 7_200;

/** Allows any requesting origin to read the response. The key's list of origins is checked separately. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (origin !== undefined) reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
}

/** Returns the headers of a preflight response, except the headers that `allowOrigin` sets. */
export function preflightHeaders(serviceHeaderNames: ServiceHeaderNames): Readonly<Record<string, string>> {
  const allowed = ['Authorization', 'Content-Type', ...serviceHeaderNames('OID'), 'Idempotency-Key'];
  return {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': allowed.join(', '),
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_S),
  };
}

/**
 * Answers a preflight request. Such a request has no key, so every origin is allowed. The key's list of origins is
 * checked with the actual request.
 */
export function answerPreflight(
  headers: Readonly<Record<string, string>>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  allowOrigin(request, reply);
  return reply.code(204).headers(headers).send();
}
