import type { Body, Operation, Params, Query } from '#core/contract/operation.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import type { CsvReader } from './csv-lists.ts';
import type { Auth } from '#core/auth.ts';
import type { Database } from '../postgres/database.ts';
import type { Tenant } from '../postgres/tenant.ts';

/** The caller of an operation that needs no key and no session. */
export type Visitor = {
  readonly kind: 'visitor';
  /** The client's IPv4 address, or the network of its IPv6 address. */
  readonly network: string;
  /** The token of the browser's session, if any. A login replaces that session. */
  readonly token: string | undefined;
};

/** Returns the names of a service header under each prefix: `OID` becomes `X-Service-OID`. */
export type ServiceHeaderNames = (name: string) => readonly string[];

/** A request after admission, with its caller and with its fields as trusted values. */
export type OperationRequest<Spec extends Operation> = {
  readonly params: Params<Spec>;
  readonly query: Query<Spec>;
  readonly body: Body<Spec>;
  readonly bodyBytes: number;
  /** Returns the exact bytes of the body, which are needed to verify a signature. */
  readonly bytes: () => Buffer;
  /** The body's JSON as it was sent, to return fields unchanged. Numbers are NumberLiterals. */
  readonly sent: unknown;
  /** Returns a request header by its name without the service's prefix: `OID` reads `X-Service-OID`. */
  readonly serviceHeader: (name: string) => string | undefined;
  /** Returns a request header without a service prefix, by its name in any case. */
  readonly header: (name: string) => string | undefined;
  /** Returns the client's IPv4 address, or the network of its IPv6 address. */
  readonly network: () => string;
  /** The origin of the portal's own domain, if the request was sent to that domain. */
  readonly portalOrigin: string | undefined;
  /** The path and query as they were received, including the base path. */
  readonly url: string;
} & (Spec extends { readonly open: true } ? OfVisitor : OfCaller);

type OfVisitor = { readonly auth: Visitor; readonly database: Database };

/**
 * The fields for a request of an authenticated caller. `tenant` accesses the organization's rows on the primary, on a
 * replica, or in the transaction of the change.
 */
type OfCaller = { readonly auth: Auth; readonly tenant: Tenant<Database> };

export type Answer = {
  readonly kind: 'answer';
  readonly status: number;
  /** Whether the call changed nothing. */
  readonly isUnchanged?: true;
  /** The body, written as JSON with bigints as integers. If absent, the response has an empty body. */
  readonly body?: unknown;
  /** The body as JSON text, if several responses share it. */
  readonly json?: Buffer;
  /** For a bulk call, the previous statuses of its items. They are used for the audit log only. */
  readonly before?: readonly { readonly id: number; readonly status: string }[];
  /** A streamed body (see `answerLongJson` and `answerLongCsv`). */
  readonly stream?: Stream;
  /** The rows of a list instead of a body, in slices. They are sent as CSV. */
  readonly rows?: AsyncIterable<readonly unknown[]>;
  readonly reader?: CsvReader;
  readonly headers?: Readonly<Record<string, string>>;
  /** The headers, by names without the service's prefix. */
  readonly serviceHeaders?: Readonly<Record<string, string>>;
};

export type Handler<Spec extends Operation> = (request: OperationRequest<Spec>) => Promise<Answer | Problem>;

export type Handlers<Table extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Table]: Handler<Table[Id]>;
};

/** The handlers of the operations that a contract file exports: `HandlersFor<typeof contract>`. */
export type HandlersFor<Contract> = {
  readonly [Id in keyof Contract as Contract[Id] extends Operation ? Id : never]: Contract[Id] extends Operation
    ? Handler<Contract[Id]>
    : never;
};

/** Returns a 200 with the resource, or a 404 if `found` is undefined. */
export function answerFound(found: unknown): Answer | Problem {
  return found === undefined ? problem('not-found') : answer(200, found);
}

export function answer(status: number, body?: unknown, more: Pick<Answer, 'headers' | 'serviceHeaders'> = {}): Answer {
  return { kind: 'answer', status, ...(body === undefined ? {} : { body }), ...more };
}

type Reply = Answer | Problem;

/** Returns the response to the outcome of a command, from a table with a response for each kind of outcome. */
export function answerOutcome<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
  replies: {
    readonly [Kind in Outcome['kind']]: Reply | ((outcome: Extract<Outcome, { readonly kind: Kind }>) => Reply);
  },
): Reply {
  const reply = replies[outcome.kind as Outcome['kind']];
  return typeof reply === 'function' ? reply(outcome as never) : reply;
}

/** Answers a changing call. `bytes` are the original bytes of its body. */
export type AnswerChange = (
  id: string,
  request: OperationRequest<Operation>,
  bytes: Buffer,
) => Promise<Answer | Problem>;

/**
 * Marks the response of a call that changed nothing, such as a repeated call. Such a call is neither audited nor
 * stored.
 */
export function unchanged(same: Answer): Answer {
  return { ...same, isUnchanged: true };
}

/** A streamed response, for content that is too long to build in one step. */
export type Stream = { readonly type: string; readonly pieces: AsyncIterator<string> };
