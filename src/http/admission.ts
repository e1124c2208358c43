import type { FastifyReply, FastifyRequest } from 'fastify';
import { mayLackBody, type Operation } from '#contract/operation.ts';
import { type Problem, problem } from '#contract/problem.ts';
import type { Auth, Authentication } from './authentication.ts';
import { allowOrigin } from './cross-origin.ts';
import type { RateLimits } from './rate-limits.ts';
import { refuse } from './replies.ts';

/** What tells who calls, and how often they may. */
export type Gate = {
  readonly authentication: Authentication;
  /** Absent: nobody is limited. */
  readonly rateLimits: Pick<RateLimits, 'take'> | undefined;
};

declare module 'fastify' {
  interface FastifyRequest {
    auth: Auth;
  }
}

/**
 * Lets a request in, with its `auth`, or refuses it: key, rate limit, tier and scope, origin, content type. All of that is
 * seen before the body is read.
 */
export function admit(
  gate: Gate,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  if (operation.crossOrigin === true) allowOrigin(request, reply);
  const rawKey = bearerKey(request.raw.rawHeaders, request.headers.authorization);
  const recognized = rawKey === undefined ? undefined : gate.authentication.recognize(rawKey);
  if (recognized instanceof Promise) void proceedLater(recognized);
  else proceed(recognized);

  async function proceedLater(looking: Promise<Auth | undefined>): Promise<void> {
    try {
      proceed(await looking);
    } catch (error) {
      done(error as Error);
    }
  }

  function proceed(auth: Auth | undefined): void {
    const refusal =
      auth === undefined
        ? UNAUTHENTICATED
        : (limitedBy(gate, auth, request, reply) ?? refusalOf(operation, auth, request));
    if (refusal !== undefined) {
      if (refusal.code === 'origin-not-allowed') reply.removeHeader('access-control-allow-origin');
      refuse(reply, refusal);
      return;
    }
    request.auth = auth as Auth;
    done();
  }
}
/** One for every key that is not valid: what is wrong with it is nobody's business. */
const UNAUTHENTICATED = problem('unauthenticated', 'Send a valid API key: Authorization: Bearer <key>.', {
  headers: { 'www-authenticate': 'Bearer' },
});

/** Every request with a valid key counts, whatever it is answered. */
function limitedBy(gate: Gate, auth: Auth, request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  const verdict = gate.rateLimits?.take(auth, request.ip);
  if (verdict?.allowed === false)
    return problem('rate-limited', 'This is more than the key may send: wait the seconds that Retry-After says.', {
      headers: verdict.headers,
    });
  if (verdict !== undefined) reply.headers(verdict.headers);
  return undefined;
}

function bearerKey(rawHeaders: readonly string[], authorization: string | undefined): string | undefined {
  if (authorization === undefined || isDoubled(rawHeaders, 'authorization')) return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

/** Node keeps the first of two such headers and drops the other, so only the raw list shows both. */
export function isDoubled(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) seen += 1;
  }
  return seen > 1;
}

function refusalOf(operation: Operation, auth: Auth, request: FastifyRequest): Problem | undefined {
  if (operation.tier === 'essentials' && auth.tier !== 'essentials') {
    return problem('tier-required', 'This operation needs the tier Essentials; the organization has Lite.');
  }
  if (!operation.keys.includes(auth.kind)) {
    return problem('scope-required', `A ${auth.kind} key can't do this: send a ${operation.keys.join(' or ')} one.`);
  }
  if (auth.kind === 'secret' && !auth.scopes.includes(operation.scope)) {
    return problem('scope-required', `This needs a key with the scope ${operation.scope}.`);
  }
  if (!isOriginAllowed(auth, request.headers.origin)) {
    return problem(
      'origin-not-allowed',
      'This origin is not among the key’s origins. Add it to them, or use another key.',
    );
  }
  if (operation.body === undefined || (isBodyless(request) && mayLackBody(operation))) return undefined;
  return mediaTypeRefusal(request);
}

function isBodyless({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function isOriginAllowed(auth: Auth, origin: string | undefined): boolean {
  return auth.origins.length === 0 || (origin !== undefined && auth.origins.includes(origin));
}

const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?;?[ \t]*$/i;

function mediaTypeRefusal(request: FastifyRequest): Problem | undefined {
  const type = request.headers['content-type'];
  if (type !== 'application/json' && (type === undefined || !JSON_IN_UTF8.test(type))) {
    return problem('unsupported-media-type', 'Send the body as application/json in UTF-8, and say so in Content-Type.');
  }
  const encoding = request.headers['content-encoding'];
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? undefined
    : problem('unsupported-media-type', 'Send the body without a content encoding.');
}
