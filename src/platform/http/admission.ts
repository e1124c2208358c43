import type { FastifyReply, FastifyRequest } from 'fastify';
import { canOmitBody, keysOf, type Operation } from '#core/contract/operation.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import { allowOrigin } from './cross-origin.ts';
import type { PortalSite } from './portal-site.ts';
import type { Visitor } from './handler.ts';
import { type Counted, type CountRequest, networkOf } from './rate-limits.ts';
import type { NoteRefusal } from './refusal-log.ts';
import { sendProblem } from './replies.ts';
import { MAX_BODY_BYTES } from './request-limits.ts';
import type { SessionCookies } from './cookie-reader.ts';
import { FRESH_SECONDS, type SessionKind } from '#core/caller.ts';
import type { Auth, Authentication } from '#core/auth.ts';
import type { OrganizationId } from '#core/ids.ts';

/** The dependencies that authenticate callers, limit their rates and log refusals. */
export type Gate = {
  readonly authentication: Authentication;
  /** Authenticates sessions. If absent, session cookies are ignored. */
  readonly sessions: Sessions | undefined;
  /** Counts requests for rate limits. If absent, no caller is limited. */
  readonly countRequest: CountRequest | undefined;
  readonly findReceiver: FindReceiver;
  readonly noteRefusal: NoteRefusal;
};

/**
 * Returns the organization that receives the signed messages sent to the URL with the given id. Returns undefined for
 * an unknown id. Called before the body is read, so that messages to unknown URLs can't fill the memory.
 */
export type FindReceiver = (id: string) => Promise<OrganizationId | undefined>;

export type Sessions = { readonly authentication: Authentication; readonly cookies: Pick<SessionCookies, 'read'> };

declare module 'fastify' {
  interface FastifyRequest {
    auth: Auth;
    /** When the caller was authenticated, in milliseconds of `performance.now()`. Undefined for visitors. */
    admittedAt: number | undefined;
    /** The receiver of a signed message. Undefined for all other requests. */
    receiver: OrganizationId | undefined;
  }
}

/**
 * Admits a request and sets its `auth`, or refuses it. Checks the key or session, the rate limit, the tier, the scope,
 * the origin and the content type, all before the body is read.
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
        ? unauthenticatedProblem(operation)
        : ((operation.revokes === true ? undefined : limitedBy(gate, auth, request, reply)) ??
          refusalOf(operation, auth, request));
    if (refusal !== undefined) {
      if (refusal.code === 'origin-not-allowed') reply.removeHeader('access-control-allow-origin');
      gate.noteRefusal(request, refusal, auth?.author);
      sendProblem(reply, refusal);
      return;
    }
    request.auth = auth as Auth;
    request.admittedAt = performance.now();
    // After a user logs out, their data must not be in the browser's cache.
    if (request.auth.session !== undefined) reply.header('cache-control', 'no-store');
    done();
  }
}

/** How long a request stays admitted, in milliseconds. After that, its caller is authenticated again. */
const ADMITTED_MS = 100;

/**
 * Authenticates the caller again if the body arrived slowly or the request waited in a queue. Otherwise, a call could
 * finish after its key was revoked or its person was removed. Updates the request's `auth`. Returns a refusal, or
 * undefined if the request stays admitted.
 */
export function admitAgain(
  gate: Gate,
  operation: Operation,
  request: FastifyRequest,
): Promise<Problem | undefined> | undefined {
  const { admittedAt } = request;
  const isRecent = admittedAt === undefined || performance.now() - admittedAt <= ADMITTED_MS;
  return isRecent ? undefined : authenticateAgain(gate, operation, request);
}

async function authenticateAgain(
  gate: Gate,
  operation: Operation,
  request: FastifyRequest,
): Promise<Problem | undefined> {
  const auth = await recognize(gate, operation, request);
  if (auth === undefined) return unauthenticatedProblem(operation);
  request.auth = auth;
  request.admittedAt = performance.now();
  return refusalOf(operation, auth, request);
}

/** Admits any visitor, within a rate limit for each network. Responses must not be cached. */
function admitVisitor(
  gate: Gate,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  reply.header('cache-control', 'no-store');
  const refusal =
    limitedBy(gate, operation.signed === true ? SENDER : ANYBODY, request, reply) ?? bodyRefusal(operation, request);
  if (refusal !== undefined) {
    gate.noteRefusal(request, refusal);
    sendProblem(reply, refusal);
    return;
  }
  const token = gate.sessions?.cookies.read(kindOf(operation), request);
  const visitor: Visitor = { kind: 'visitor', network: networkOf(request.ip), token };
  // The cast is safe, because only operations without a key and session receive a visitor (see OperationRequest).
  request.auth = visitor as unknown as Auth;
  if (operation.signed === true) void admitMessage(gate, request, reply, done);
  else done();
}

/** Admits a signed message if it has a receiver. Refuses it with a 404 otherwise. */
async function admitMessage(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): Promise<void> {
  try {
    request.receiver = await gate.findReceiver((request.params as { readonly id: string }).id);
  } catch (error) {
    done(error as Error);
    return;
  }
  if (request.receiver !== undefined) return done();
  gate.noteRefusal(request, NO_RECEIVER);
  sendProblem(reply, NO_RECEIVER);
}

const NO_RECEIVER = problem('not-found');

const ANYBODY: Counted = { kind: 'visitor', caller: 'open' };
const SENDER: Counted = { kind: 'sender', caller: 'signed' };

/**
 * Authenticates a request with its API key or, without an API key, with its session cookie. The portal's operations
 * read the portal's cookie. Returns undefined if the key or the cookie is missing or invalid.
 */
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
  const { portalSite: site } = request;
  return found instanceof Promise ? found.then((auth) => authOfKind(auth, kind, site)) : authOfKind(found, kind, site);
}

function kindOf({ scope }: Operation): SessionKind {
  return scope === 'portal' ? 'collaborator' : 'person';
}

/**
 * Returns `auth` if it has the given kind. A token can be sent under any cookie name, so a collaborator's session must
 * not be accepted as a person's session, and vice versa. On the domain of a portal, only sessions of its organization
 * are accepted.
 */
function authOfKind(auth: Auth | undefined, kind: Auth['kind'], site: PortalSite | undefined): Auth | undefined {
  return auth?.kind === kind && (site === undefined || site.organizationId === auth.organizationId) ? auth : undefined;
}

export function unauthenticatedProblem(operation: Operation): Problem {
  return keysOf(operation).length === 0 ? NOT_LOGGED_IN : NO_KEY;
}

/**
 * The problem for a missing key and for every invalid key. It is always the same, because the response must not reveal
 * why a key is invalid.
 */
const NO_KEY = problem(
  'unauthenticated',
  'The API key is missing or invalid. Send a valid key in the header Authorization: Bearer <key>.',
  {
    headers: { 'www-authenticate': 'Bearer' },
  },
);

const NOT_LOGGED_IN = problem(
  'unauthenticated',
  'This call needs the session cookie of a logged-in user. Log in and retry.',
  {
    headers: { 'www-authenticate': 'Session' },
  },
);

/**
 * Counts a request against the rate limit of its caller, even if the request fails later. Returns a problem if the
 * limit is exceeded, and undefined otherwise.
 */
function limitedBy(gate: Gate, counted: Counted, request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  const weight = counted.kind === 'sender' ? weightOf(request) : 1;
  const verdict = gate.countRequest?.(counted, request.ip, weight);
  if (verdict?.allowed === false)
    return problem('rate-limited', RATE_REFUSALS[counted.kind], {
      headers: verdict.headers,
    });
  if (verdict !== undefined) reply.headers(verdict.headers);
  return undefined;
}

/**
 * The number of bytes of a signed message that count as one message in the rate limit. Recorded events of Stripe have
 * up to 13 KiB.
 */
const BYTES_PER_MESSAGE = 16_384;

/**
 * Returns how many messages a signed message counts as in the rate limit. Its whole body is hashed before a wrong
 * signature is detected, so its cost grows with its size. A message without a declared size counts as the largest
 * possible message.
 */
function weightOf({ headers }: FastifyRequest): number {
  const declared = Number(headers['content-length'] ?? MAX_BODY_BYTES);
  return Math.max(1, Math.ceil(Math.min(declared, MAX_BODY_BYTES) / BYTES_PER_MESSAGE));
}

const BY_KEY = 'The rate limit of this key is exceeded. Retry after the number of seconds in Retry-After.';
const BY_PERSON = 'The rate limit of your account is exceeded. Retry after the number of seconds in Retry-After.';
/** The error texts for exceeded rate limits, by kind of caller. */
export const RATE_REFUSALS: Readonly<Record<Counted['kind'], string>> = {
  secret: BY_KEY,
  publishable: BY_KEY,
  person: BY_PERSON,
  collaborator: BY_PERSON,
  visitor: 'The rate limit for calls without a key is exceeded. Retry after the number of seconds in Retry-After.',
  page: 'The rate limit for pages and files is exceeded. Retry after the number of seconds in Retry-After.',
  sender: 'The rate limit for signed messages is exceeded. Retry after the number of seconds in Retry-After.',
};

function bearerKey(rawHeaders: readonly string[], authorization: string | undefined): string | undefined {
  if (authorization === undefined || isDoubled(rawHeaders, 'authorization')) return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

/**
 * Returns whether a header was sent more than once. For some headers, such as Authorization, Node keeps only the first
 * value. Only the raw list shows the other values.
 */
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
    return problem(
      'tier-required',
      'This operation needs the Essentials tier, and the organization has the Lite tier. An owner can change the tier with PATCH /v1/organization.',
    );
  }
  const refusal = authorityRefusal(operation, auth);
  if (refusal !== undefined) return refusal;
  if (!isOriginAllowed(auth, request.headers.origin)) {
    return problem(
      'origin-not-allowed',
      'This key does not allow requests from this origin. Add the origin to the key, or use another key.',
    );
  }
  return bodyRefusal(operation, request);
}

/**
 * Returns a problem in three cases: the caller lacks a required scope, the login is too old for this operation, or a
 * preview would change something. Returns undefined otherwise.
 */
export function authorityRefusal(operation: Operation, auth: Auth): Problem | undefined {
  if (auth.session?.isPreview === true && mayChange(operation)) return IN_PREVIEW;
  return scopeRefusal(operation, auth) ?? (operation.fresh === true ? staleLoginRefusal(auth) : undefined);
}

/** Returns a problem for a session with an old login, and undefined otherwise. Keys have no login time. */
export function staleLoginRefusal({ session }: Auth): Problem | undefined {
  return session?.isFresh === false ? LOG_IN_TOO_OLD : undefined;
}

/**
 * Returns whether a portal call can change something. Calls with `repeats: 'none'` don't count, because in the portal
 * they only end the session or begin a challenge.
 */
function mayChange({ method, repeats }: Operation): boolean {
  return method !== 'GET' && repeats !== 'none';
}

const IN_PREVIEW = problem(
  'scope-required',
  'A preview of the portal can’t change anything. Only the collaborator can make this call.',
);

const LOG_IN_TOO_OLD = problem(
  'log-in-too-old',
  `This call needs a recent login, and yours is more than ${FRESH_SECONDS / 60} minutes old. Log in again, then retry.`,
);

function scopeRefusal(operation: Operation, { kind, scopes }: Auth): Problem | undefined {
  const { scope, gives } = operation;
  const keys = keysOf(operation);
  if (kind === 'collaborator') return scope === 'portal' ? undefined : roleProblem(scope);
  const missing = [scope, ...(gives === undefined ? [] : [gives])].find((each) => !includes(scopes, each));
  if (kind === 'person') return scope === 'account' || missing === undefined ? undefined : roleProblem(missing);
  if (keys.length === 0)
    return problem('scope-required', 'API keys can’t make this call. It needs the session of a logged-in user.');
  if (!keys.includes(kind))
    return problem('scope-required', `A ${kind} key can’t make this call. Send a ${keys.join(' or ')} key.`);
  if (kind === 'publishable' || missing === undefined) return undefined;
  return problem('scope-required', `This key lacks the scope ${missing}. Send a key with this scope.`);
}

function roleProblem(scope: string): Problem {
  return problem(
    'scope-required',
    `Your role does not allow this call, which needs the scope ${scope}. Ask an owner for another role.`,
  );
}

function includes(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope);
}

function bodyRefusal(operation: Operation, request: FastifyRequest): Problem | undefined {
  if (operation.body === undefined || (isBodyless(request) && canOmitBody(operation))) return undefined;
  return mediaTypeRefusal(request);
}

function isBodyless({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function isOriginAllowed(auth: Auth, origin: string | undefined): boolean {
  return auth.origins.length === 0 || (origin !== undefined && auth.origins.includes(origin));
}

/**
 * Matches JSON, with or without the charset UTF-8. The pattern has no adjacent runs of spaces, because with them,
 * matching a header of 15 kB took 300 ms.
 */
const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*(?:;[ \t]*)?)?)?$/i;

function mediaTypeRefusal(request: FastifyRequest): Problem | undefined {
  const type = request.headers['content-type'];
  if (type !== 'application/json' && (type === undefined || !JSON_IN_UTF8.test(type))) {
    return problem(
      'unsupported-media-type',
      'The body must be JSON in UTF-8. Send it with Content-Type: application/json.',
    );
  }
  const encoding = request.headers['content-encoding'];
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? undefined
    : problem('unsupported-media-type', 'The body must not be compressed. Send it without Content-Encoding.');
}
