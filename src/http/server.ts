import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { parse, type Parsed } from '#contract/fields.ts';
import type { Operation } from '#contract/operation.ts';
import { type Fault, invalidRequest, type Problem, problem, problemBody, problemStatus } from '#contract/problem.ts';
import { isUnavailable } from '#store/database.ts';
import type { Auth, Authentication } from './authentication.ts';
import { Overloaded } from './batching.ts';
import { type AnswerChange, isChange } from './changes.ts';
import { entityTag, namesTag } from './entity-tags.ts';
import type { Answer, Handler, Handlers, OperationRequest } from './handler.ts';
import { MalformedJson, parseJson } from './json.ts';
import { jsonText } from '#contract/json-text.ts';
import type { RateLimits } from './rate-limits.ts';
import { refuse, RETRY_AFTER_S, sendText } from './replies.ts';
import { addServicePages, SERVICE_PAGES, type ServicePages } from './service-pages.ts';

export type ServerOptions<Table extends Readonly<Record<string, Operation>>> = ServicePages & {
  readonly operations: Table;
  readonly handlers: Handlers<Table>;
  /** Answers the calls that change something: their handlers run within its transaction. Absent: as they are. */
  readonly answerChange?: AnswerChange;
  readonly authentication: Authentication;
  /** Without: none. */
  readonly rateLimits?: Pick<RateLimits, 'take'>;
  readonly log: Logger;
  /** `/` or a path without a slash at its end. */
  readonly basePath?: string;
  readonly headerPrefix?: string;
  /** Addresses or ranges of proxies whose X-Forwarded-For counts. None: the header is ignored. */
  readonly trustedProxies?: readonly string[];
};

/** More than any URL and any headers that a caller of ours needs. Above it: 431. */
const MAX_HEADER_BYTES = 16_384;
const MAX_BODY_BYTES = 1_048_576;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 8_000;
/** Above the 60 s of common load balancers, so that they close an idle connection first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const PREFLIGHT_MAX_AGE_S = 7_200;

/**
 * The door: routes from the table of operations, and the checks in their order: path and method → key → rate
 * limit → tier and scope → content type → JSON → fields → look-ups. It decides nothing else. Not listening yet; `inject` tests it.
 */
export function createServer<Table extends Readonly<Record<string, Operation>>>(
  options: ServerOptions<Table>,
): FastifyInstance {
  const door = newDoor(options);
  const app = newFastify(options, door);
  for (const [id, operation] of Object.entries(options.operations)) {
    addOperation(app, door, id, operation, answeringOf(options, id, operation));
  }
  addServicePages(app, door.basePath, options);
  return app;
}

/** What answers a request whose fields are trusted: a handler, or the transaction around one; `bytes` are the body's. */
type Answering = (request: OperationRequest<Operation>, bytes: Buffer) => Promise<Answer | Problem>;

function answeringOf<Table extends Readonly<Record<string, Operation>>>(
  { handlers, answerChange }: ServerOptions<Table>,
  id: string,
  operation: Operation,
): Answering {
  if (answerChange === undefined || !isChange(operation)) return handlers[id] as Handler<Operation>;
  return (request, bytes) => answerChange(id, request, bytes);
}

/** What every route needs of the options, in the form in which it needs it. */
type Door = {
  readonly authentication: Authentication;
  readonly rateLimits: Pick<RateLimits, 'take'> | undefined;
  readonly log: Logger;
  readonly basePath: string;
  readonly serviceHeaderName: (name: string) => string;
  readonly preflightHeaders: Readonly<Record<string, string>>;
  /** Which methods each path has, for 405. */
  readonly paths: { readonly pattern: RegExp; readonly methods: readonly string[]; readonly crossOrigin: boolean }[];
};

function newDoor<Table extends Readonly<Record<string, Operation>>>(options: ServerOptions<Table>): Door {
  const prefix = options.headerPrefix ?? 'X-Service';
  const basePath = (options.basePath ?? '/').replace(/\/$/, '');
  const serviceHeaderName = (name: string): string => `${prefix}-${name}`;
  return {
    authentication: options.authentication,
    rateLimits: options.rateLimits,
    log: options.log,
    basePath,
    serviceHeaderName,
    preflightHeaders: {
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': `Authorization, Content-Type, ${serviceHeaderName('OID')}, Idempotency-Key`,
      'access-control-max-age': String(PREFLIGHT_MAX_AGE_S),
    },
    paths: pathsOf(Object.values(options.operations), basePath),
  };
}

function pathsOf(operations: readonly Operation[], basePath: string): Door['paths'] {
  const paths = [...new Set(operations.map(({ path }) => path))].map((path) => {
    const here = operations.filter((operation) => operation.path === path);
    const crossOrigin = here.some((operation) => operation.crossOrigin === true);
    return { pattern: patternOf(basePath + path), methods: methodsOf(here, crossOrigin), crossOrigin };
  });
  const pages = SERVICE_PAGES.map((path) => ({
    pattern: patternOf(basePath + path),
    methods: ['GET', 'HEAD'],
    crossOrigin: false,
  }));
  return [...paths, ...pages];
}

function methodsOf(operations: readonly Operation[], crossOrigin: boolean): string[] {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return crossOrigin ? [...methods, 'OPTIONS'] : methods;
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^$()|[\]\\{}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

function newFastify<Table extends Readonly<Record<string, Operation>>>(
  options: ServerOptions<Table>,
  door: Door,
): FastifyInstance {
  const app = Fastify<Server>({
    // One line for each request is too slow for the hot path; what goes wrong is logged here, not by the framework.
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The default looks for expired connections twice a minute.
      connectionsCheckingInterval: 1_000,
    },
    trustProxy: options.trustedProxies === undefined ? false : [...options.trustedProxies],
    // A connection that is still open while the service drains is served, and told to close.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Filters are read from the URL once, by the door: see queryOf.
    routerOptions: { querystringParser: () => ({}) },
    clientErrorHandler: refuseConnection,
    frameworkErrors: (_error, _request, reply) => {
      refuse(reply, notFound());
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.decorateRequest('auth', undefined as unknown as Auth);
  app.addHook('onRequest', (request, reply, done) => {
    if (isDoubled(request.raw.rawHeaders, 'host')) refuse(reply, problem('bad-request', 'Host was sent twice.'));
    else if (request.is404) refuseUnknown(door, request, reply);
    else done();
  });
  if (options.log.isLevelEnabled('debug'))
    app.addHook('onResponse', (request, reply, done) => {
      // Without the query: a filter may hold personal data.
      options.log.debug(
        { method: request.method, path: request.url.split('?')[0], status: reply.statusCode, ms: reply.elapsedTime },
        'request',
      );
      done();
    });
  app.setErrorHandler((error, request, reply) => refuse(reply, problemOf(door, error, request)));
  app.setNotFoundHandler((request, reply) => refuseUnknown(door, request, reply));
  return app;
}

declare module 'fastify' {
  interface FastifyRequest {
    auth: Auth;
  }
}

/** A path that we do not have, or have with other methods. */
function refuseUnknown(door: Door, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0] ?? '';
  const known = door.paths.find(({ pattern }) => pattern.test(path));
  if (known === undefined) return refuse(reply, notFound());
  if (known.crossOrigin) allowOrigin(request, reply);
  const allow = known.methods.join(', ');
  const refusal = problem('method-not-allowed', `This resource has ${allow}.`, { headers: { allow } });
  return refuse(reply, refusal);
}

function notFound(): Problem {
  return problem('not-found', 'There is nothing at this path.');
}

function addOperation(app: FastifyInstance, door: Door, id: string, operation: Operation, answering: Answering): void {
  const url = door.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.route({
    method: operation.method,
    url,
    config: { operationId: id },
    onRequest: (request, reply, done) => admit(door, operation, request, reply, done),
    handler: (request, reply) => perform(door, operation, answering, request, reply),
  });
  if (operation.crossOrigin === true) {
    app.route({ method: 'OPTIONS', url, handler: (request, reply) => answerPreflight(door, request, reply) });
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string;
  }
}

/** A preflight carries no key, so every origin is told yes; the key's list is checked at the request. */
function answerPreflight(door: Door, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  allowOrigin(request, reply);
  return reply.code(204).headers(door.preflightHeaders).send();
}

function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (origin !== undefined) reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
}

/** Key, tier and scope, origin, content type: all before the body is read. */
function admit(
  door: Door,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  if (operation.crossOrigin === true) allowOrigin(request, reply);
  const rawKey = bearerKey(request.raw.rawHeaders, request.headers.authorization);
  const recognized = rawKey === undefined ? undefined : door.authentication.recognize(rawKey);
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
        : (limitedBy(door, auth, request, reply) ?? refusalOf(operation, auth, request));
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
function limitedBy(door: Door, auth: Auth, request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  const verdict = door.rateLimits?.take(auth, request.ip);
  if (verdict?.allowed === false)
    return problem('rate-limited', 'Come again after Retry-After seconds.', { headers: verdict.headers });
  if (verdict !== undefined) reply.headers(verdict.headers);
  return undefined;
}

function bearerKey(rawHeaders: readonly string[], authorization: string | undefined): string | undefined {
  if (authorization === undefined || isDoubled(rawHeaders, 'authorization')) return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

/** Node keeps the first of two such headers and drops the other, so only the raw list shows both. */
function isDoubled(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) seen += 1;
  }
  return seen > 1;
}

function refusalOf(operation: Operation, auth: Auth, request: FastifyRequest): Problem | undefined {
  if (operation.tier === 'essentials' && auth.tier !== 'essentials') {
    return problem('tier-required', 'This operation needs the tier Essentials.');
  }
  if (!operation.keys.includes(auth.kind)) {
    return problem('scope-required', `A ${auth.kind} key can't do this.`);
  }
  if (auth.kind === 'secret' && !auth.scopes.includes(operation.scope)) {
    return problem('scope-required', `This needs a key with the scope ${operation.scope}.`);
  }
  if (!isOriginAllowed(auth, request.headers.origin)) {
    return problem('origin-not-allowed', 'This key may not be used from this origin.');
  }
  return operation.body === undefined ? undefined : mediaTypeRefusal(request);
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

/** JSON, fields, then the handler with its look-ups. */
async function perform(
  door: Door,
  operation: Operation,
  answering: Answering,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const read = readRequest(door, operation, request);
  const result = isProblem(read) ? read : await answering(read, bytesOf(request));
  return isProblem(result) ? refuse(reply, result) : send(door, operation, request, reply, result);
}

function isProblem(value: Problem | { readonly kind?: string }): value is Problem {
  return value.kind === 'problem';
}

function readRequest(
  door: Door,
  operation: Operation,
  request: FastifyRequest,
): (OperationRequest<Operation> & { kind?: never }) | Problem {
  const bytes = bytesOf(request);
  const root = operation.body === undefined ? undefined : parseJson(bytes);
  if (operation.body !== undefined && !isJsonObject(root))
    return problem('malformed-json', 'The body must be a JSON object.');
  const params = operation.params === undefined ? NOTHING : parse(operation.params, request.params);
  // An id that can't exist answers as one that does not.
  if (params.kind === 'faults') return problem('not-found');
  const query = operation.query === undefined ? NOTHING : parse(operation.query, queryOf(request.url));
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
    serviceHeader: (name) => headerText(request.headers[door.serviceHeaderName(name).toLowerCase()]),
    url: request.url,
  };
}

function bytesOf(request: FastifyRequest): Buffer {
  return (request.body as Buffer | undefined) ?? EMPTY;
}

const EMPTY = Buffer.alloc(0);
const NOTHING = { kind: 'value', value: undefined } as const;

function faultsIn(parsed: Parsed<unknown>): readonly Fault[] {
  return parsed.kind === 'faults' ? parsed.faults : [];
}

/** Neither a list nor a NumberLiteral: the parser makes plain objects. */
function isJsonObject(root: unknown): boolean {
  return typeof root === 'object' && root !== null && Object.getPrototypeOf(root) === Object.prototype;
}

/** The parameters of the query; one that is given twice is a list, which no field accepts. */
function queryOf(url: string): Record<string, unknown> {
  const start = url.indexOf('?');
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  if (start === -1) return query;
  const parameters = new URLSearchParams(url.slice(start + 1));
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    query[name] = values.length === 1 ? values[0] : values;
  }
  return query;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

function send(
  door: Door,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body, csv, headers, serviceHeaders }: Answer,
): FastifyReply {
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  if (serviceHeaders !== undefined) {
    for (const [name, value] of Object.entries(serviceHeaders)) reply.header(door.serviceHeaderName(name), value);
    const names = Object.keys(serviceHeaders).map((name) => door.serviceHeaderName(name));
    reply.header('access-control-expose-headers', names.join(', '));
  }
  if (csv !== undefined) return sendText(reply, 'text/csv; charset=utf-8', csv);
  if (body === undefined) return reply.header('content-length', '0').send();
  const json = jsonText(body);
  if (hasTag(operation)) {
    const tag = entityTag(json);
    reply.header('etag', tag);
    if (operation.method === 'GET' && isKnown(request, tag)) return reply.code(304).send();
  }
  return sendText(reply, 'application/json', json);
}

/** Not where the answer is more than the resource. */
function hasTag({ versioned, showsSecret, method }: Operation): boolean {
  return versioned === true && showsSecret === undefined && method !== 'DELETE';
}

function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers['if-none-match'];
  return known !== undefined && namesTag(known, tag);
}

/** What was thrown, as the caller may know it. Our own faults are logged and say nothing. */
function problemOf(door: Door, error: unknown, request: FastifyRequest): Problem {
  if (error instanceof MalformedJson) return problem('malformed-json', 'The body is not well-formed JSON.');
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return problem('body-too-large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return problem('unsupported-media-type', 'Send the body as application/json in UTF-8, and say so in Content-Type.');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return problem('bad-request', 'Content-Length is not the length of the body.');
  if (request.raw.destroyed && !request.raw.complete) return problem('bad-request', 'The request broke off.');
  if (error instanceof Overloaded || isUnavailable(error)) {
    door.log.warn({ err: error, operation: request.routeOptions.config.operationId }, 'unavailable');
    return problem('unavailable', 'Try again in a moment.', { headers: { 'retry-after': String(RETRY_AFTER_S) } });
  }
  door.log.error({ err: error, operation: request.routeOptions.config.operationId }, 'an operation failed');
  return problem('internal', 'The service failed; the fault is in its log.');
}

/** A connection on which no request could be read: node's parser refused it, or it was too slow. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  const answering = Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined;
  if (socket.writable && error.code !== 'ECONNRESET' && answering?.headersSent !== true) {
    const found = connectionProblem(error.code);
    const body = jsonText(problemBody(found));
    socket.write(
      `HTTP/1.1 ${problemStatus(found)} ${REASONS[problemStatus(found)] ?? ''}\r\n` +
        `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy(error);
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function connectionProblem(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('request-timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return problem('headers-too-large');
  return problem('bad-request');
}
