import type { Body, Operation, Params, Query } from '#contract/operation.ts';
import type { Operations } from '#contract/operations.ts';
import { type Problem, problem } from '#contract/problem.ts';
import type { Auth } from './authentication.ts';
import type { CsvReader } from './csv-lists.ts';

/** Who calls what is open to all. */
export type Visitor = {
  readonly kind: 'visitor';
  /** The address that it comes from, or of IPv6 the network. */
  readonly network: string;
  /** Of the session that their browser has, if it has one: a log-in takes its place. */
  readonly token: string | undefined;
};

/** A request after the door: who calls is known, every field is a trusted value. */
export type OperationRequest<Spec extends Operation> = {
  readonly auth: Spec extends { readonly open: true } ? Visitor : Auth;
  readonly params: Params<Spec>;
  readonly query: Query<Spec>;
  readonly body: Body<Spec>;
  readonly bodyBytes: number;
  /** The body's JSON as it was sent, to echo from: numbers are NumberLiterals. */
  readonly sent: unknown;
  /** A request header by its name without the service's prefix: `OID` reads `X-Service-OID`. */
  readonly serviceHeader: (name: string) => string | undefined;
  /** A request header that has no prefix of ours, by its name in any case. */
  readonly header: (name: string) => string | undefined;
  /** The address, or of IPv6 the network, that it comes from. */
  readonly network: () => string;
  /** Path and query as they came, with the base path. */
  readonly url: string;
};

export type Answer = {
  readonly kind: 'answer';
  readonly status: number;
  /** Written as JSON, bigints as integers. Absent: an empty body. */
  readonly body?: unknown;
  /** Of a call over many: what each was, for the audit alone. */
  readonly before?: readonly { readonly id: number; readonly status: string }[];
  /** A file in place of the body: see `answerCsv`. */
  readonly csv?: string;
  /** A list in place of the body, some rows at a time: it is sent as CSV. */
  readonly rows?: AsyncIterable<readonly unknown[]>;
  /** Who is to read those. */
  readonly reader?: CsvReader;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names without the service's prefix. */
  readonly serviceHeaders?: Readonly<Record<string, string>>;
};

export type Handler<Spec extends Operation> = (request: OperationRequest<Spec>) => Promise<Answer | Problem>;

export type Handlers<Table extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Table]: Handler<Table[Id]>;
};

/** The handlers of some operations of the interface, as one file of routes has them. */
export type HandlersFor<Id extends keyof Operations> = Handlers<Pick<Operations, Id>>;

/** 200 with what was found, or 404. */
export function answerFound(found: unknown): Answer | Problem {
  return found === undefined ? problem('not-found') : answer(200, found);
}

export function answer(status: number, body?: unknown, more: Pick<Answer, 'headers' | 'serviceHeaders'> = {}): Answer {
  return { kind: 'answer', status, ...(body === undefined ? {} : { body }), ...more };
}
