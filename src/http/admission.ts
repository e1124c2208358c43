import type { FastifyReply, FastifyRequest } from 'fastify';
import { mayLackBody, type Operation } from '#contract/operation.ts';
import { type Problem, problem } from '#contract/problem.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { FRESH_SECONDS, type SessionKind } from '#domain/session.ts';
import type { Auth, Authentication } from './authentication.ts';
import { allowOrigin } from './cross-origin.ts';
import type { Visitor } from './handler.ts';
import { type Counted, networkOf, type RateLimits } from './rate-limits.ts';
import type { NoteRefusal } from './refusal-log.ts';
import { refuse } from './replies.ts';
import type { SessionCookies } from './session-cookies.ts';

/** What tells who calls, and how often they may. */
export type Gate = {
  readonly authentication: Authentication;
  /** What tells who is logged in. Absent: nobody is. */
  readonly sessions: Sessions | undefined;
  /** Absent: nobody is limited. */
  readonly rateLimits: Pick<RateLimits, 'take'> | undefined;
  readonly noteRefusal: NoteRefusal;
};

export type Sessions = { readonly authentication: Authentication; readonly cookies: Pick<SessionCookies, 'read'> };

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
  if (operation.open === true) return admitVisitor(gate, operation, request, reply, done);
  const recognized = recognize(gate, operation, request);
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
        ? unauthenticated(operation)
        : (limitedBy(gate, auth, request, reply) ?? refusalOf(operation, auth, request));
    if (refusal !== undefined) {
      if (refusal.code === 'origin-not-allowed') reply.removeHeader('access-control-allow-origin');
      gate.noteRefusal(request, refusal, auth?.author);
      refuse(reply, refusal);
      return;
    }
    request.auth = auth as Auth;
    // What somebody has seen who was logged in is not to be seen again in their browser once they are not.
    if (request.auth.session !== undefined) reply.header('cache-control', 'no-store');
    done();
  }
}

/** Lets anybody in, a network so often. Nothing that is answered here is for a cache. */
function admitVisitor(
  gate: Gate,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.header('cache-control', 'no-store');
  const refusal = limitedBy(gate, ANYBODY, request, reply) ?? bodyRefusal(operation, request);
  if (refusal !== undefined) {
    gate.noteRefusal(request, refusal);
    refuse(reply, refusal);
    return;
  }
  const token = gate.sessions?.cookies.read(kindOf(operation), request);
  const visitor: Visitor = { kind: 'visitor', network: networkOf(request.ip), token };
  // The handlers of such operations, and no others, have a visitor: see OperationRequest.
  request.auth = visitor as unknown as Auth;
  done();
}

const ANYBODY: Counted = { kind: 'visitor', caller: 'open', organizationId: 0 as OrganizationId };

/** A key where one is sent; else the session of whoever is logged in: in the portal where the call is the portal's. */
function recognize(
  { authentication, sessions }: Gate,
  operation: Operation,
  request: FastifyRequest,
): Auth | undefined | Promise<Auth | undefined> {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) {
    const rawKey = bearerKey(request.raw.rawHeaders, authorization);
    return rawKey === undefined ? undefined : authentication.recognize(rawKey);
  }
  if (cookie === undefined || sessions === undefined) return undefined;
  const kind = kindOf(operation);
  const token = sessions.cookies.read(kind, request);
  if (token === undefined) return undefined;
  const found = sessions.authentication.recognize(token);
  return found instanceof Promise ? found.then((auth) => ofKind(auth, kind)) : ofKind(found, kind);
}

function kindOf({ scope }: Operation): SessionKind {
  return scope === 'portal' ? 'collaborator' : 'person';
}

/** Whoever has a token may send it under any name: a collaborator's is nobody's among people, nor the other way round. */
function ofKind(auth: Auth | undefined, kind: Auth['kind']): Auth | undefined {
  return auth?.kind === kind ? auth : undefined;
}

function unauthenticated({ keys }: Operation): Problem {
  return keys.length === 0 ? NOT_LOGGED_IN : NO_KEY;
}

/** One for every key that is not valid: what is wrong with it is nobody's business. */
const NO_KEY = problem('unauthenticated', 'Send a valid API key: Authorization: Bearer <key>.', {
  headers: { 'www-authenticate': 'Bearer' },
});

const NOT_LOGGED_IN = problem('unauthenticated', 'Log in: this is for people, by the cookie of their session.', {
  headers: { 'www-authenticate': 'Session' },
});

/** Every request of a valid caller counts, whatever it is answered. */
function limitedBy(gate: Gate, counted: Counted, request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  const verdict = gate.rateLimits?.take(counted, request.ip);
  if (verdict?.allowed === false)
    return problem('rate-limited', LIMITED[counted.kind], {
      headers: verdict.headers,
    });
  if (verdict !== undefined) reply.headers(verdict.headers);
  return undefined;
}

const BY_KEY = 'This is more than the key may send: wait the seconds that Retry-After says.';
const BY_PERSON = 'This is more than one person may send: wait the seconds that Retry-After says.';
const LIMITED: Readonly<Record<Counted['kind'], string>> = {
  secret: BY_KEY,
  publishable: BY_KEY,
  person: BY_PERSON,
  collaborator: BY_PERSON,
  visitor: 'This is more than one network may send without a key: wait the seconds that Retry-After says.',
};

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
  const refusal = scopeRefusal(operation, auth);
  if (refusal !== undefined) return refusal;
  if (operation.fresh === true && auth.session?.isFresh !== true) return LOG_IN_TOO_OLD;
  if (!isOriginAllowed(auth, request.headers.origin)) {
    return problem(
      'origin-not-allowed',
      'This origin is not among the key’s origins. Add it to them, or use another key.',
    );
  }
  return bodyRefusal(operation, request);
}

const LOG_IN_TOO_OLD = problem(
  'log-in-too-old',
  `This changes how you log in, and your log-in is more than ${FRESH_SECONDS / 60} minutes ago: log in once more.`,
);

function scopeRefusal({ keys, scope }: Operation, { kind, scopes }: Auth): Problem | undefined {
  if (kind === 'collaborator') return scope === 'portal' ? undefined : ofRole(scope);
  if (kind === 'person') return scope === 'account' || includes(scopes, scope) ? undefined : ofRole(scope);
  if (keys.length === 0) return problem('scope-required', 'No key can do this: it is for people who are logged in.');
  if (!keys.includes(kind))
    return problem('scope-required', `A ${kind} key can't do this: send a ${keys.join(' or ')} one.`);
  if (kind === 'publishable' || includes(scopes, scope)) return undefined;
  return problem('scope-required', `This needs a key with the scope ${scope}.`);
}

function ofRole(scope: string): Problem {
  return problem('scope-required', `Your role may not do this: it needs ${scope}.`);
}

function includes(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope);
}

function bodyRefusal(operation: Operation, request: FastifyRequest): Problem | undefined {
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
