import type { z } from 'zod';
import type { KeyKind, Scope, Tier } from '#domain/api-key.ts';
import type { ProblemCode } from './problem.ts';

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
  /** What a secret key needs. A publishable key has no scopes: it may do what lists its kind. */
  readonly scope: Scope;
  readonly keys: readonly KeyKind[];
  readonly tier?: Tier;
  /** Browsers of other origins may call it: preflights are answered, answers carry the CORS headers. */
  readonly crossOrigin?: true;
  readonly params?: z.ZodType;
  /** Without it the query is ignored; with it an unknown parameter is a fault. */
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Request headers that it reads, without the service's prefix. */
  readonly requestServiceHeaders?: Readonly<Record<string, HeaderDescription>>;
  readonly success: Success;
  /** Beyond those that every call may answer: see COMMON_PROBLEMS. */
  readonly problems: readonly ProblemCode[];
};

export type Success = {
  readonly status: 200 | 201;
  readonly description: string;
  /** Absent, and without `csv`: the answer has an empty body. */
  readonly body?: z.ZodType;
  /** The answer is a file of comma-separated values. */
  readonly csv?: true;
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
export const COMMON_PROBLEMS: readonly ProblemCode[] = ['unauthenticated', 'scope-required', 'internal', 'unavailable'];

/** What any call with a body may answer as well. */
export const BODY_PROBLEMS: readonly ProblemCode[] = [
  'malformed-json',
  'body-too-large',
  'unsupported-media-type',
  'invalid-request',
];

/** Keeps the schemas' types for the handler. */
export function operation<const Spec extends Operation>(spec: Spec): Spec {
  return spec;
}

export type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
export type Params<Spec extends Operation> = Output<Spec['params']>;
export type Query<Spec extends Operation> = Output<Spec['query']>;
export type Body<Spec extends Operation> = Output<Spec['body']>;
