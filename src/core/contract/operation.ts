import type { z } from 'zod';
import { type ProblemCode, PROBLEMS } from './problem.ts';
import type { KeyKind, Scope, Tier } from '../caller.ts';

/** Scopes that only sessions have: `account` for a person's own account, `portal` for a collaborator's portal. */
export type SessionScope = 'account' | 'portal';

/**
 * An API operation, described as data. The route, the types of the handler, and the OpenAPI document are derived from
 * this description.
 */
export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below the root of the service, with `{name}` for each parameter. */
  readonly path: `/v1/${string}`;
  /**
   * The operation that reads the resource, if this operation changes an existing resource. Both operations must have
   * the same path parameters. Before the change, the reader's response is compared with If-Match and stored in the
   * audit log. Bulk operations have no reader, because they report the earlier states themselves.
   */
  readonly reader?: Operation;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /**
   * The required scope of a secret key, or of a logged-in person's role. A publishable key has no scopes. It can call
   * the operations that list its kind in `keys`. Every session of a person has the scope `account`, and every session
   * of a collaborator has `portal`. Keys have neither of these scopes.
   */
  readonly scope: Scope | SessionScope;
  /**
   * A second scope that the call requires, because the call grants the access that the second scope controls. For
   * example, a webhook shows data of the organization, and the secret of a connector allows reporting sales.
   */
  readonly gives?: Scope;
  /** The kinds of keys that can make the call, if they differ from the default (see `keysOf`). */
  readonly keys?: readonly KeyKind[];
  /**
   * Whether the operation needs no key and no session. Calls are rate-limited for each network. `scope` determines
   * whether a session cookie of the console or of the portal is read.
   */
  readonly open?: true;
  /**
   * Whether another system sends the body in its own format and signs it. The handler verifies the signature over the
   * exact bytes. Such a call has no key. Its rate limit for each network is higher than for other open calls,
   * because a system sends all its messages from a few addresses.
   */
  readonly signed?: true;
  readonly tier?: Tier;
  /**
   * Whether the call grants access that outlasts the session, redirects money or data, or deletes data permanently. A
   * session can make such a call only within FRESH_SECONDS after its login. A key has no such limit. If `fresh` is a
   * list of body fields, the rule applies only to calls that change these fields, or that add to a list in them.
   */
  readonly fresh?: true | readonly string[];
  /**
   * Whether the call revokes access. Such a call has no rate limit, and doesn't wait for a place behind other changes.
   * Otherwise, a flood of calls with a stolen session or key could delay its revocation.
   */
  readonly revokes?: true;
  /**
   * Whether the call is a read that can cost much. A process runs one such read of an organization at a time, with a
   * pause after it.
   */
  readonly isPaced?: true;
  /**
   * Whether pages of other origins may call the operation. Preflights are answered, and responses have CORS headers.
   */
  readonly crossOrigin?: true;
  readonly params?: z.ZodType;
  /** The query parameters. If absent, the query is ignored. If present, an unknown parameter is a fault. */
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The maximum size of the body in bytes, if it differs from the usual limits of the server. */
  readonly maxBodyBytes?: number;
  /** An example of a body. If absent, it is generated from the examples of the required fields. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** The request headers that the operation reads, by their names without the service's prefix. */
  readonly requestServiceHeaders?: Readonly<Record<string, HeaderDescription>>;
  /**
   * How a repeated POST is recognized. The default is its Idempotency-Key and the stored response.
   * - `binding`: by the content of the report.
   * - `event-row`: by its Idempotency-Key, which is stored together with its event.
   * - `token`: by the link's token or the challenge, which can be used once.
   * - `none`: not needed, because a repeated call does no harm.
   */
  readonly repeats?: 'binding' | 'event-row' | 'token' | 'none';
  /** Whether the resource has an ETag. A GET returns it, and a change can require it with If-Match. */
  readonly versioned?: true;
  /**
   * Whether a replica may answer the call. The response can be a few seconds old. Never set `mayLag` for calls that
   * grant access. Never set it for payouts, because a stale list could show a paid payout as unpaid, and someone could
   * pay it twice.
   */
  readonly mayLag?: true;
  /**
   * Whether the response can be long. Each caller can run one such call or file download at a time. The calls and
   * downloads of an organization, and of the whole process, are limited too.
   */
  readonly isLong?: true;
  /** The secret fields of the response. No other call shows them, and they are never stored in plain text. */
  readonly showsSecret?: string | readonly string[];
  /**
   * The fields of the body that the audit log never stores, such as passwords and codes. A POST with such fields takes
   * no Idempotency-Key, because a hash of the body would be stored, and short secrets can be guessed from a hash.
   */
  readonly takesSecret?: readonly string[];
  /**
   * The fields of the resource that its audit records leave out, because readers of the audit log aren't allowed to see
   * these fields. The audit record still says who changed the resource, and when.
   */
  readonly hidden?: readonly string[];
  readonly success: Success;
  /**
   * The problems of the operation itself. `problemsOf` adds the problems of all similar calls, such as `rate-limited`,
   * and `not-found` if the path has parameters.
   */
  readonly problems?: readonly ProblemCode[];
};

export type Success = {
  /** 201 if the call creates a resource. The default is 200. */
  readonly status?: 201;
  readonly description: string;
  /** The body. The response is empty if `body` and `csv` are both absent. */
  readonly body?: z.ZodType;
  /** An example of the file, or the fields in which the example differs from the generated example. */
  readonly example?: string | Readonly<Record<string, unknown>>;
  /** Whether the response is a CSV file. */
  readonly csv?: true;
  /** Whether the file can also be XML, depending on the request. Requires `csv`. */
  readonly xml?: true;
  /** Whether clients that send `Accept: text/csv` get the whole list as a CSV file. */
  readonly alsoCsv?: true;
  /**
   * The headers, by names without the service's prefix (`OID` is `X-Service-OID`). Pages of other origins can read
   * these headers.
   */
  readonly serviceHeaders?: Readonly<Record<string, HeaderDescription>>;
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
};

export type HeaderDescription = {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string;
  /** For a response header, whether every successful response has it. */
  readonly presence?: 'always' | 'sometimes';
};

/** The problems that any call can return. */
const COMMON_PROBLEMS: readonly ProblemCode[] = ['rate-limited', 'internal', 'unavailable'];

/** The additional problems of calls that need authentication. */
const ADMISSION_PROBLEMS: readonly ProblemCode[] = ['unauthenticated', 'scope-required'];

/** The additional problems of calls with a body. */
const BODY_PROBLEMS: readonly ProblemCode[] = [
  'malformed-json',
  'body-too-large',
  'unsupported-media-type',
  'invalid-request',
];

/**
 * Returns the kinds of keys that can make the call. The default is a secret key. Keys can't make open calls, and can't
 * have the scopes of sessions.
 */
export function keysOf({ keys, open, scope }: Operation): readonly KeyKind[] {
  return keys ?? (open === true || scope === 'account' || scope === 'portal' ? [] : ['secret']);
}

/** Returns the headers of a successful response that is saved as a file. `name` is an example of the file's name. */
export function fileHeaders(name: string, description = 'Makes browsers save the response as a file.') {
  const example = `attachment; filename="${name}"`;
  return { 'Content-Disposition': { description, schema: { type: 'string' }, example } } satisfies Success['headers'];
}

/** Returns the status of a successful response. */
export function successStatus({ success }: Operation): 200 | 201 {
  return success.status ?? 200;
}

/** Returns whether the body may be absent, because all its fields are optional. An absent body means `{}`. */
export function canOmitBody({ body }: Operation): boolean {
  return body?.safeParse({}).success === true;
}

/**
 * Returns whether an Idempotency-Key is read. A POST reads the key unless it recognizes repeats differently, takes a
 * secret, or is harmless if repeated.
 */
export function takesIdempotencyKey(operation: Operation): boolean {
  return isAnswerStored(operation) || operation.repeats === 'event-row';
}

/** Returns whether the response is stored under the Idempotency-Key and returned again for a repeated request. */
export function isAnswerStored({ method, repeats, takesSecret }: Operation): boolean {
  return method === 'POST' && repeats === undefined && takesSecret === undefined;
}

/** Returns whether the response has an ETag. Responses to a DELETE and responses that show a secret have no ETag. */
export function hasETag({ method, showsSecret, versioned }: Operation): boolean {
  return versioned === true && showsSecret === undefined && method !== 'DELETE';
}

/** Returns whether the call responds with 304 and no body if If-None-Match matches the resource. */
export function canHaveIfNoneMatch({ method, versioned }: Operation): boolean {
  return versioned === true && method === 'GET';
}

/** Returns whether If-Match can require that the resource hasn't changed since it was read. */
export function canHaveIfMatch({ method, success, versioned }: Operation): boolean {
  return versioned === true && method !== 'GET' && success.status !== 201;
}

/** Returns the problems that the OpenAPI document lists for an operation, in the order of `PROBLEMS`. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const { method, problems = [], params, body, query, tier, fresh, crossOrigin, showsSecret, open } = operation;
  const possible = new Set<ProblemCode>([
    ...COMMON_PROBLEMS,
    ...(open === undefined ? ADMISSION_PROBLEMS : []),
    ...problems,
    ...(method === 'GET' ? [] : (['body-too-large'] as const)),
    ...(body === undefined ? [] : BODY_PROBLEMS),
    ...(params === undefined ? [] : (['not-found'] as const)),
    ...(query === undefined ? [] : (['bad-request', 'invalid-request'] as const)),
    ...(tier === undefined ? [] : (['tier-required'] as const)),
    ...(fresh === undefined ? [] : (['log-in-too-old'] as const)),
    ...(crossOrigin === undefined ? [] : (['origin-not-allowed'] as const)),
    ...(takesIdempotencyKey(operation) ? (['invalid-request', 'idempotency-mismatch'] as const) : []),
    ...(isAnswerStored(operation) ? (['idempotency-in-flight'] as const) : []),
    ...(isAnswerStored(operation) && showsSecret !== undefined ? (['idempotency-answer-lost'] as const) : []),
    ...(canHaveIfMatch(operation) ? (['precondition-failed'] as const) : []),
  ]);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => possible.has(code));
}

/** Returns `spec` unchanged, with the precise types of its schemas for the handler. */
export function operation<const Spec extends Operation>(spec: Spec): Spec {
  return spec;
}

/** Returns `operation` for several operations with the same tag. An operation can still name another tag. */
export function operationsOf<const Tag extends string>(tag: Tag) {
  return <const Spec extends Omit<Operation, 'tag'> & { readonly tag?: string }>(spec: Spec) => ({ tag, ...spec });
}

export type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
export type Params<Spec extends Operation> = Output<Spec['params']>;
export type Query<Spec extends Operation> = Output<Spec['query']>;
export type Body<Spec extends Operation> = Output<Spec['body']>;

/**
 * Returns whether the call runs in a transaction that also writes its audit record and, for an Idempotency-Key, its
 * response. GETs and calls with `repeats` have no such transaction. Reports are written in batches instead. Calls with
 * `repeats` that are not reports use a one-time token, or do no harm if repeated.
 */
export function isChange({ method, repeats }: Operation): boolean {
  return method !== 'GET' && repeats === undefined;
}

/** Returns whether the call reports events of a shop, directly or as a message to a connector. */
export function isReport({ repeats }: Operation): boolean {
  return repeats === 'binding' || repeats === 'event-row';
}
