import type { z } from 'zod';
import type { KeyKind, Scope, Tier } from '#domain/api-key.ts';
import { type ProblemCode, PROBLEMS } from './problem.ts';

/** What only sessions have: a person's own account, a collaborator's portal. */
export type SessionScope = 'account' | 'portal';

/**
 * One call of the interface, as plain data. The server makes its route from it, the handler its types and openapi.json
 * its description; nothing about a call is said anywhere else.
 */
export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the root of the service, with `{name}` for each parameter. */
  readonly path: `/v1/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /**
   * What a secret key needs, or the role of whoever has a session. A publishable key has no scopes: it may do what lists its
   * kind. `account` has every session of a person and no key, `portal` every session of a collaborator and nobody else.
   */
  readonly scope: Scope | SessionScope;
  readonly keys: readonly KeyKind[];
  /** Anybody may call it, without a key or a session; each network so often. Its `scope` says whose door it is then. */
  readonly open?: true;
  readonly tier?: Tier;
  /** It changes how somebody logs in: their session has to have begun within FRESH_SECONDS, or they log in once more. */
  readonly fresh?: true;
  /** Browsers of other origins may call it: preflights are answered, answers carry the CORS headers. */
  readonly crossOrigin?: true;
  readonly params?: z.ZodType;
  /** Without it the query is ignored; with it an unknown parameter is a fault. */
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** A body as somebody would send it. Absent: made of the examples of the fields that are required. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Request headers that it reads, without the service's prefix. */
  readonly requestServiceHeaders?: Readonly<Record<string, HeaderDescription>>;
  /**
   * How a POST that is sent again is recognized, where not by its Idempotency-Key and the answer that is kept for it: by
   * what it reports (`binding`), by the key in the row of its own event (`event-row`), or by the link's token or the
   * challenge that it takes, which count once (`token`). `none`: it changes nothing that a second time would change again.
   */
  readonly repeats?: 'binding' | 'event-row' | 'token' | 'none';
  /** Its resource has an ETag: a GET answers it, a change may demand it with If-Match. */
  readonly versioned?: true;
  /**
   * Where there is a replica, its answer may come from there, and be some seconds old. Never of what lets somebody in, and
   * never of payouts: who pays what a list shows, and asks again, must not see it unpaid once more.
   */
  readonly mayLag?: true;
  /** The field of the answer that is shown this once, and kept nowhere in the open; or several. */
  readonly showsSecret?: string | readonly string[];
  /**
   * Fields of the body that are kept nowhere, such as passwords and codes. Its POST takes no Idempotency-Key: a hash of the
   * body would be kept, and short secrets can be guessed by one.
   */
  readonly takesSecret?: readonly string[];
  readonly success: Success;
  /** Beyond those that every call may answer: see COMMON_PROBLEMS. */
  readonly problems: readonly ProblemCode[];
};

export type Success = {
  readonly status: 200 | 201;
  readonly description: string;
  /** Absent, and without `csv`: the answer has an empty body. */
  readonly body?: z.ZodType;
  /** The file, or what differs from the example that is made of those of the fields. */
  readonly example?: string | Readonly<Record<string, unknown>>;
  /** The answer is a file of comma-separated values. */
  readonly csv?: true;
  /** To who asks for it by `Accept: text/csv`, the whole list as such a file. */
  readonly alsoCsv?: true;
  /** Names without the service's prefix (`OID` is `X-Service-OID`). A browser of another origin may read them. */
  readonly serviceHeaders?: Readonly<Record<string, HeaderDescription>>;
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
};

export type HeaderDescription = {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string;
};

/** What any call may answer, whatever it does. */
const COMMON_PROBLEMS: readonly ProblemCode[] = ['rate-limited', 'internal', 'unavailable'];

/** What any call that asks who calls may answer as well. */
const ADMISSION_PROBLEMS: readonly ProblemCode[] = ['unauthenticated', 'scope-required'];

/** What any call with a body may answer as well. */
const BODY_PROBLEMS: readonly ProblemCode[] = [
  'malformed-json',
  'body-too-large',
  'unsupported-media-type',
  'invalid-request',
];

/** Whether its body may be left out, and is `{}` then: every field of it is optional. */
export function mayLackBody({ body }: Operation): boolean {
  return body?.safeParse({}).success === true;
}

/** Whether an Idempotency-Key is read: of a POST, unless it is recognized otherwise, takes a secret, or changes nothing. */
export function takesIdempotencyKey(operation: Operation): boolean {
  return keepsAnswer(operation) || operation.repeats === 'event-row';
}

/** Whether its answer is kept under the Idempotency-Key, and given again. */
export function keepsAnswer({ method, repeats, takesSecret }: Operation): boolean {
  return method === 'POST' && repeats === undefined && takesSecret === undefined;
}

/** Whether its answer has an ETag. What is deleted has none, nor has an answer that is more than the resource. */
export function answersTag({ method, showsSecret, versioned }: Operation): boolean {
  return versioned === true && showsSecret === undefined && method !== 'DELETE';
}

/** Whether it answers 304, without a body, where the resource is still as If-None-Match names it. */
export function takesIfNoneMatch({ method, versioned }: Operation): boolean {
  return versioned === true && method === 'GET';
}

/** Whether it may be demanded, with If-Match, that the resource is still as it was read. */
export function takesIfMatch({ method, success, versioned }: Operation): boolean {
  return versioned === true && method !== 'GET' && success.status !== 201;
}

/** Every problem that a call may answer, in the order of the table. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const { method, problems, body, query, tier, fresh, crossOrigin, showsSecret, open } = operation;
  const possible = new Set<ProblemCode>([
    ...COMMON_PROBLEMS,
    ...(open === undefined ? ADMISSION_PROBLEMS : []),
    ...problems,
    ...(method === 'GET' ? [] : (['body-too-large'] as const)),
    ...(body === undefined ? [] : BODY_PROBLEMS),
    ...(query === undefined ? [] : (['bad-request', 'invalid-request'] as const)),
    ...(tier === undefined ? [] : (['tier-required'] as const)),
    ...(fresh === undefined ? [] : (['log-in-too-old'] as const)),
    ...(crossOrigin === undefined ? [] : (['origin-not-allowed'] as const)),
    ...(takesIdempotencyKey(operation) ? (['invalid-request', 'idempotency-mismatch'] as const) : []),
    ...(keepsAnswer(operation) ? (['idempotency-in-flight'] as const) : []),
    ...(keepsAnswer(operation) && showsSecret !== undefined ? (['idempotency-answer-lost'] as const) : []),
    ...(takesIfMatch(operation) ? (['precondition-failed'] as const) : []),
  ]);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => possible.has(code));
}

/** Keeps the schemas' types for the handler. */
export function operation<const Spec extends Operation>(spec: Spec): Spec {
  return spec;
}

export type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
export type Params<Spec extends Operation> = Output<Spec['params']>;
export type Query<Spec extends Operation> = Output<Spec['query']>;
export type Body<Spec extends Operation> = Output<Spec['body']>;
