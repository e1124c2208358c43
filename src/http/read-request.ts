import type { FastifyRequest } from 'fastify';
import { parse, type Parsed } from '#contract/fields.ts';
import { mayLackBody, type Operation } from '#contract/operation.ts';
import { type Fault, invalidRequest, type Problem, problem } from '#contract/problem.ts';
import type { OperationRequest } from './handler.ts';
import { type JsonValue, parseJson } from './json.ts';
import { networkOf } from './rate-limits.ts';

/** A request that was let in as trusted values, or what is wrong with it, all faults at once. Throws MalformedJson. */
export function readRequest(
  operation: Operation,
  request: FastifyRequest,
  serviceHeaderName: (name: string) => string,
): OperationRequest<Operation> | Problem {
  const bytes = bytesOf(request);
  const root = operation.body === undefined ? undefined : rootOf(operation, bytes);
  if (operation.body !== undefined && !isJsonObject(root))
    return problem('malformed-json', 'The body must be a JSON object.');
  const params = operation.params === undefined ? NOTHING : parse(operation.params, request.params);
  // An id that can't exist answers as one that does not.
  if (params.kind === 'faults') return problem('not-found');
  const parameters = operation.query === undefined ? {} : queryOf(request.url);
  if (parameters === undefined) return problem('bad-request', 'The query is not percent-encoded UTF-8.');
  const query = operation.query === undefined ? NOTHING : parse(operation.query, parameters);
  const body = operation.body === undefined ? NOTHING : parse(operation.body, root);
  const faults = [...faultsIn(query), ...faultsIn(body)];
  if (query.kind === 'faults' || body.kind === 'faults') return invalidRequest(faults);
  return {
    auth: request.auth,
    params: params.value as undefined,
    query: query.value as undefined,
    body: body.value as undefined,
    bodyBytes: bytes.length,
    sent: root,
    header: (name) => headerText(request.headers[name.toLowerCase()]),
    serviceHeader: (name) => headerText(request.headers[serviceHeaderName(name).toLowerCase()]),
    network: () => networkOf(request.ip),
    url: request.url,
  };
}

/** The body as it came; empty where there is none. */
export function bytesOf(request: FastifyRequest): Buffer {
  return (request.body as Buffer | undefined) ?? EMPTY;
}

const EMPTY = Buffer.alloc(0);
const NOTHING = { kind: 'value', value: undefined } as const;

function faultsIn(parsed: Parsed<unknown>): readonly Fault[] {
  return parsed.kind === 'faults' ? parsed.faults : [];
}

function rootOf(operation: Operation, bytes: Buffer): JsonValue {
  return bytes.length === 0 && mayLackBody(operation) ? {} : parseJson(bytes);
}

/** Neither a list nor a NumberLiteral: the parser makes plain objects. */
function isJsonObject(root: unknown): boolean {
  return typeof root === 'object' && root !== null && Object.getPrototypeOf(root) === Object.prototype;
}

/** The parameters of the query; one that is given twice is a list, which no field accepts. Undefined where it is no text. */
function queryOf(url: string): Record<string, unknown> | undefined {
  const start = url.indexOf('?');
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  if (start === -1) return query;
  const text = url.slice(start + 1);
  if (!isEncodedUtf8(text)) return undefined;
  const parameters = new URLSearchParams(text);
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    query[name] = values.length === 1 ? values[0] : values;
  }
  return query;
}

/** URLSearchParams would silently put U+FFFD in the place of what is no UTF-8, as nothing is replaced in a body. */
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

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
