import type { FastifyRequest } from 'fastify';
import { parse, type Parsed } from '#core/contract/parse.ts';
import { canOmitBody, type Operation } from '#core/contract/operation.ts';
import { type Fault, invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import type { OperationRequest, ServiceHeaderNames } from './handler.ts';
import { type JsonValue, parseJson } from '../json.ts';
import { networkOf } from './rate-limits.ts';
import type { Database } from '../postgres/database.ts';

/**
 * Returns the fields of an admitted request as trusted values, or a problem. An `invalid-request` problem lists the
 * faults of the query and of the body. Throws MalformedJson if the body can't be parsed.
 */
export function readRequest(
  operation: Operation,
  request: FastifyRequest,
  database: Database,
  serviceHeaderNames: ServiceHeaderNames,
): ReadRequest | Problem {
  const bytes = bytesOf(request);
  const root = operation.body === undefined ? undefined : rootOf(operation, bytes);
  if (operation.body !== undefined && !isJsonObject(root))
    return problem('malformed-json', 'The body must be a JSON object.');
  const params = operation.params === undefined ? NOTHING : parse(operation.params, request.params);
  // An invalid id gets the same response as an unknown id.
  if (params.kind === 'faults') return problem('not-found');
  const parameters = operation.query === undefined ? {} : queryOf(request.url);
  if (parameters === undefined)
    return problem('bad-request', 'The query is not percent-encoded UTF-8. Encode it and retry.');
  if (parameters === 'too-many')
    return problem('bad-request', `The query has too many parameters. Send at most ${MAX_PARAMETERS}.`);
  const query = operation.query === undefined ? NOTHING : parse(operation.query, parameters);
  const body = operation.body === undefined ? NOTHING : parse(operation.body, root);
  const faults = [...faultsIn(query), ...faultsIn(body)];
  if (query.kind === 'faults' || body.kind === 'faults') return invalidRequest(faults);
  return {
    auth: request.auth,
    database,
    tenant: { connection: database, organizationId: request.auth.organizationId },
    params: params.value as undefined,
    query: query.value as undefined,
    body: body.value as undefined,
    bodyBytes: bytes.length,
    bytes: () => bytes,
    sent: root,
    header: (name) => headerText(request.headers[name.toLowerCase()]),
    serviceHeader: (name) => firstOf(request, serviceHeaderNames(name)),
    network: () => networkOf(request.ip),
    portalOrigin: request.portalSite?.origin,
    url: request.url,
  };
}

/**
 * A request of any operation. If the operation needs no key and no session, its handler gets `database`, because the
 * organization is not known yet.
 */
type ReadRequest = OperationRequest<Operation> & { readonly database: Database };

/** Returns the bytes of the body, which are empty if there is no body. */
export function bytesOf(request: FastifyRequest): Buffer {
  return (request.body as Buffer | undefined) ?? EMPTY;
}

const EMPTY = Buffer.alloc(0);
const NOTHING = { kind: 'value', value: undefined } as const;

function faultsIn(parsed: Parsed<unknown>): readonly Fault[] {
  return parsed.kind === 'faults' ? parsed.faults : [];
}

function rootOf(operation: Operation, bytes: Buffer): JsonValue {
  return bytes.length === 0 && canOmitBody(operation) ? {} : parseJson(bytes);
}

/** Returns whether a value is an object, not a list or a NumberLiteral. The parser creates plain objects. */
function isJsonObject(root: unknown): boolean {
  return typeof root === 'object' && root !== null && Object.getPrototypeOf(root) === Object.prototype;
}

/** The maximum number of query parameters. The operations of lists have up to twenty. */
const MAX_PARAMETERS = 100;

/**
 * Returns the query parameters, undefined if the query isn't percent-encoded UTF-8, or `too-many` if it has more than
 * MAX_PARAMETERS. A repeated parameter becomes a list, which no field accepts.
 */
function queryOf(url: string): Record<string, unknown> | 'too-many' | undefined {
  const start = url.indexOf('?');
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  if (start === -1) return query;
  const text = url.slice(start + 1);
  if (!isEncodedUtf8(text)) return undefined;
  const parameters = new URLSearchParams(text);
  if (parameters.size > MAX_PARAMETERS) return 'too-many';
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    query[name] = values.length === 1 ? values[0] : values;
  }
  return query;
}

/**
 * Returns whether a query is percent-encoded UTF-8. URLSearchParams would silently replace invalid bytes with U+FFFD,
 * but invalid bytes in a body are refused.
 */
function isEncodedUtf8(query: string): boolean {
  if (!VISIBLE_ASCII.test(query)) return false;
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}

const VISIBLE_ASCII = /^[!-~]*$/;

/** Returns the value of the first header of `names` that is present, or undefined if all of them are absent. */
function firstOf({ headers }: FastifyRequest, names: readonly string[]): string | undefined {
  const sent = names.find((name) => headers[name.toLowerCase()] !== undefined);
  return sent === undefined ? undefined : headerText(headers[sent.toLowerCase()]);
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
