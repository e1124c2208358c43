import type { FastifyReply, FastifyRequest } from 'fastify';

const PREFLIGHT_MAX_AGE_S = 7_200;

/** Lets the page that asked read the answer, whatever its origin: the key's list is checked by itself. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (origin !== undefined) reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
}

/** What a preflight is told beside that. */
export function preflightHeaders(serviceHeaderName: (name: string) => string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': `Authorization, Content-Type, ${serviceHeaderName('OID')}, Idempotency-Key`,
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_S),
  };
}

/** A preflight carries no key, so every origin is told yes; the key's list is checked at the request. */
export function answerPreflight(
  headers: Readonly<Record<string, string>>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  allowOrigin(request, reply);
  return reply.code(204).headers(headers).send();
}
