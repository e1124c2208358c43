import type { Server, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Overloaded } from '#core/failures.ts';
import { isChange, isReport, type Operation } from '#core/contract/operation.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import { preferredType } from './accepted-types.ts';
import { withinAnswerLimit } from './answer-limit.ts';
import { admit, admitAgain, type FindReceiver, type Gate, type Sessions } from './admission.ts';
import { BodiesFull, type BodyPool, bodyPool, type BodyRoom, readBody } from './bodies.ts';
import { callerOf, callKind, type CallLimits, closeSignal, TOO_MANY_CALLS } from './call-limits.ts';
import { answerPreflight, preflightHeaders } from './cross-origin.ts';
import { type AnswerDomain, addRequestHook, headersOfEvery } from './every-request.ts';
import type { ExportLimits } from './export-limits.ts';
import { problemOf, refuseConnection, refuseTunnel } from './failures.ts';
import type { Answer, AnswerChange, Handler, Handlers, OperationRequest, ServiceHeaderNames } from './handler.ts';
import { createHttpServer } from './http-server.ts';
import { fixedPathsWithin, knownPaths, noSuchPath, pathOf, refuseUnknown } from './known-paths.ts';
import { isNextResponse } from './next-response.ts';
import type { LeavePlace } from './places.ts';
import { type CountRequest, networkOf } from './rate-limits.ts';
import { bytesOf, readRequest } from './read-request.ts';
import { refusalLog } from './refusal-log.ts';
import { measureRead } from './shared-reads.ts';
import { sendProblem, RETRY_AFTER_S, sendAnswer } from './replies.ts';
import { maxBodyBytesOf, MAX_BUFFERED_BYTES, MAX_HEADER_BYTES, MAX_OUTSIDE_BODY_BYTES } from './request-limits.ts';
import { trustedProxies } from './trusted-proxies.ts';
import type { Auth, Authentication } from '#core/auth.ts';
import type { Database } from '../postgres/database.ts';

export const DEFAULT_PREFIXES = ['X-Service'] as const;

/** Pages that are served in addition to the operations, at fixed paths below the base path. */
export type Pages = {
  readonly paths: readonly string[];
  readonly add: (app: FastifyInstance, basePath: string) => void;
};

export type ServerOptions<Table extends Readonly<Record<string, Operation>>> = {
  readonly pages: Pages;
  /** The prefixes of the service's own headers. The default is `X-Service`. */
  readonly headerPrefixes?: readonly [string, ...string[]];
  readonly operations: Table;
  readonly handlers: Handlers<Table>;
  /** The database for requests whose handlers run outside of a transaction. */
  readonly database: Database;
  /** Answers changing calls and runs their handlers in its transaction. If absent, handlers run directly. */
  readonly answerChange?: AnswerChange;
  readonly authentication: Authentication;
  /** Authenticates sessions. If absent, session cookies are ignored. */
  readonly sessions?: Sessions;
  readonly exports: ExportLimits;
  /** The limits of calls. If absent, calls are not limited. */
  readonly calls?: CallLimits;
  /** Counts requests for rate limits. If absent, rates are not limited. */
  readonly countRequest?: CountRequest;
  /** Finds the receivers of signed messages. If absent, there are no receivers. */
  readonly findReceiver?: FindReceiver;
  /** Answers requests to domains of merchants. If absent, every host is the service's own. */
  readonly answerDomain?: AnswerDomain;
  readonly log: Logger;
  /** The base path: `/`, or a path without a trailing slash. */
  readonly basePath?: string;
  /** Whether the service is reached over https. If so, browsers are instructed to use only https. */
  readonly isSecure?: boolean;
  /** Addresses or ranges of proxies whose X-Forwarded-For is trusted. If empty, the header is ignored. */
  readonly trustedProxies?: readonly string[];
};

/**
 * Creates the HTTP layer with the routes of the operations. Requests are checked in this order: path and method → key →
 * rate limit → tier, scope and origin → content type → JSON → fields. Handlers check everything else. The server
 * doesn't listen yet. Tests send requests with `inject`.
 */
export function createServer<Table extends Readonly<Record<string, Operation>>>(
  options: ServerOptions<Table>,
): FastifyInstance {
  const layer = createLayer(options);
  const app = newFastify(options, layer);
  for (const [id, operation] of Object.entries(options.operations)) {
    addOperation(app, layer, id, operation, answerCallOf(options, id, operation));
  }
  options.pages.add(app, layer.basePath);
  return app;
}

/**
 * Answers a request whose fields are checked, by calling its handler. A changing call runs in a transaction. `bytes` is
 * the body.
 */
type AnswerCall = (request: OperationRequest<Operation>, bytes: Buffer) => Promise<Answer | Problem>;

function answerCallOf<Table extends Readonly<Record<string, Operation>>>(
  { handlers, answerChange }: ServerOptions<Table>,
  id: string,
  operation: Operation,
): AnswerCall {
  if (answerChange === undefined || !isChange(operation)) return handlers[id] as Handler<Operation>;
  return (request, bytes) => answerChange(id, request, bytes);
}

/** The options in the form that every route uses. */
type Layer = Gate & {
  readonly database: Database;
  readonly exports: ExportLimits;
  readonly calls: CallLimits | undefined;
  readonly answerDomain: AnswerDomain | undefined;
  readonly log: Logger;
  readonly basePath: string;
  readonly serviceHeaderNames: ServiceHeaderNames;
  readonly preflightHeaders: Readonly<Record<string, string>>;
  readonly isSecure: boolean;
  readonly paths: ReturnType<typeof knownPaths>;
  readonly bodies: Readonly<Record<'keys' | 'signed' | 'outside' | 'outsideWhole', BodyPool>>;
};

async function noReceiver(): Promise<undefined> {}

function createLayer<Table extends Readonly<Record<string, Operation>>>(options: ServerOptions<Table>): Layer {
  const prefixes = options.headerPrefixes ?? DEFAULT_PREFIXES;
  const basePath = (options.basePath ?? '/').replace(/\/$/, '');
  const serviceHeaderNames: ServiceHeaderNames = (name) => prefixes.map((prefix) => `${prefix}-${name}`);
  return {
    database: options.database,
    authentication: options.authentication,
    sessions: options.sessions,
    countRequest: options.countRequest,
    findReceiver: options.findReceiver ?? noReceiver,
    exports: options.exports,
    calls: options.calls,
    answerDomain: options.answerDomain,
    noteRefusal: refusalLog(options.log),
    log: options.log,
    basePath,
    serviceHeaderNames,
    preflightHeaders: preflightHeaders(serviceHeaderNames),
    isSecure: options.isSecure === true,
    paths: knownPaths(Object.values(options.operations), options.pages.paths, basePath),
    bodies: {
      keys: bodyPool(MAX_BUFFERED_BYTES.keys, MAX_BUFFERED_BYTES.keysOfOrganization),
      signed: bodyPool(MAX_BUFFERED_BYTES.signed, MAX_BUFFERED_BYTES.signedOfOrganization),
      outside: bodyPool(MAX_BUFFERED_BYTES.outside, MAX_BUFFERED_BYTES.outsideOfAddress),
      outsideWhole: bodyPool(MAX_BUFFERED_BYTES.outside, MAX_BUFFERED_BYTES.outsideOfAddress),
    },
  };
}

function newFastify<Table extends Readonly<Record<string, Operation>>>(
  options: ServerOptions<Table>,
  layer: Layer,
): FastifyInstance {
  const app = Fastify<Server>({
    // Logging each request is too slow for the hot path. Failures are logged here instead of by the framework.
    logger: false,
    serverFactory: createHttpServer,
    trustProxy: options.trustedProxies === undefined ? false : trustedProxies(options.trustedProxies),
    // Connections that are still open while the service drains are served, and asked to close.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Filters are parsed from the URL once, in read-request.ts. Long path parameters still match their route, so that
    // they are refused as unknown ids, after the key has been checked.
    routerOptions: { querystringParser: () => ({}), maxParamLength: MAX_HEADER_BYTES },
    clientErrorHandler: refuseConnection,
    schemaController: { compilersFactory: { buildValidator: compileNone, buildSerializer: compileNone } },
    frameworkErrors: (_error, _request, reply) => {
      sendProblem(reply.headers(headersOfEvery(layer.isSecure)), noSuchPath());
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    readBody(payload, request.response, roomFor(layer, request), done, () => (request.body = undefined));
  });
  app.decorateRequest('auth', undefined as unknown as Auth);
  app.decorateRequest('admittedAt', undefined);
  app.decorateRequest('receiver', undefined);
  app.decorateRequest('response', undefined as unknown as ServerResponse);
  // Listen for CONNECT. Otherwise, Node would close the connection without a response.
  app.server.on('connect', refuseTunnel);
  addHooks(app, layer);
  return app;
}

/** Returns the maximum body size of a request, and the pool that counts its bytes. */
function roomFor({ bodies }: Layer, { auth, ip, receiver, routeOptions }: FastifyRequest): BodyRoom {
  const maxBytes = routeOptions.config.maxBodyBytes ?? MAX_OUTSIDE_BODY_BYTES;
  if (receiver !== undefined) return { maxBytes, pool: bodies.signed, wholePool: bodies.signed, owner: receiver };
  return auth.kind === 'secret' || auth.kind === 'person'
    ? { maxBytes, pool: bodies.keys, wholePool: bodies.keys, owner: auth.organizationId }
    : { maxBytes, pool: bodies.outside, wholePool: bodies.outsideWhole, owner: networkOf(ip) };
}

/** Replaces Fastify's schema compilers, so that they aren't loaded. Fastify calls it only for a route with a schema. */
function compileNone(): never {
  throw new Error('A route has a schema, but Fastify’s schema compilers are replaced. Remove the schema.');
}

/** Adds the hooks for all requests, with or without a route. */
function addHooks(app: FastifyInstance, { log, paths, isSecure, noteRefusal, answerDomain }: Layer): void {
  addRequestHook(app, { paths, isSecure, answerDomain });
  if (log.isLevelEnabled('debug'))
    app.addHook('onResponse', (request, reply, done) => {
      // Omit the query, because a filter can contain personal data.
      log.debug(
        { method: request.method, path: request.url.split('?')[0], status: reply.statusCode, ms: reply.elapsedTime },
        'request',
      );
      done();
    });
  app.setErrorHandler((error, request, reply) => {
    const found = problemOf(error, request, log);
    if (error instanceof BodiesFull || error instanceof Overloaded) noteRefusal(request, found, authorOf(request));
    return sendProblem(reply, found);
  });
  app.setNotFoundHandler((request, reply) => refuseUnknown(paths, request, reply));
}

function addOperation(app: FastifyInstance, layer: Layer, id: string, operation: Operation, answer: AnswerCall): void {
  const others = fixedPathsWithin(layer.paths, layer.basePath + operation.path);
  const url = layer.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.route({
    method: operation.method,
    url,
    config: { operationId: id, maxBodyBytes: maxBodyBytesOf(operation) },
    onRequest: (request, reply, done) => {
      request.response = reply.raw;
      if (others.length > 0 && others.includes(pathOf(request))) {
        refuseUnknown(layer.paths, request, reply);
        return;
      }
      // A body that is not read can have any type. The framework would refuse a type that it can't parse, so remove the
      // header.
      if (operation.body === undefined) delete request.raw.headers['content-type'];
      admit(layer, operation, request, reply, done);
    },
    handler: (request, reply) => perform(layer, operation, answer, request, reply),
  });
  if (operation.crossOrigin === true) {
    app.route({
      method: 'OPTIONS',
      url,
      // Answer preflight requests in `onRequest`, because they have no body and no authenticated caller.
      onRequest: (request, reply) => {
        answerPreflight(layer.preflightHeaders, request, reply);
      },
      handler: (_, reply) => reply,
    });
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string;
    maxBodyBytes?: number;
  }
  interface FastifyRequest {
    /** The response to the request. The request's body counts in its pool until the answer is complete. */
    response: ServerResponse;
  }
}

/** Parses the JSON and the fields, runs the handler, and sends its answer or a refusal. */
async function perform(
  layer: Layer,
  operation: Operation,
  answering: AnswerCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Await only a promise. Awaiting undefined would delay the many requests that need no second authentication.
  const again = admitAgain(layer, operation, request);
  const refusal = again === undefined ? undefined : await again;
  // The responses to reports are small, so pipelined reports are answered without waiting.
  if (!isReport(operation) && !(await isNextResponse(reply.raw))) return reply;
  const read = refusal ?? readRequest(operation, request, layer.database, layer.serviceHeaderNames);
  const result =
    'kind' in read
      ? read
      : await answerInTime(operation, request, () =>
          answerPaced(layer, operation, request, reply, () => answering(read, bytesOf(request))),
        );
  if (result.kind === 'problem') {
    layer.noteRefusal(request, result, authorOf(request));
    return sendProblem(reply, result);
  }
  return sendAnswer(layer, reply, request, operation, result);
}

/**
 * Limits the time of reads, except exports. Reports and changes have no limit, because a refused report or change might
 * still be written, and its caller would send it again.
 */
function answerInTime(
  operation: Operation,
  request: FastifyRequest,
  work: () => Promise<Answer | Problem>,
): Promise<Answer | Problem> {
  const isShort = operation.method === 'GET' && !isExport(operation, request);
  return isShort ? withinAnswerLimit(work) : work();
}

/**
 * Like `answerWithin`, but runs the paced reads of an organization one at a time, with a pause after each. A paced read
 * waits for its turn before it takes a place of `reads`, so that other calls can use the place meanwhile.
 */
async function answerPaced(
  layer: Layer,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<Answer | Problem>,
): Promise<Answer | Problem> {
  const takeTurn = operation.isPaced === true ? layer.calls?.paced : undefined;
  if (takeTurn === undefined) return answerWithin(layer, operation, request, reply, work);
  const leave = await takeTurn(callerOf(request, 'paced'), closeSignal(reply.raw));
  if (leave === undefined) return TOO_MANY_CALLS;
  let pauseMs = 0;
  try {
    return await answerWithin(layer, operation, request, reply, () => measureRead(work, (ms) => (pauseMs = ms)));
  } finally {
    setTimeout(leave, pauseMs).unref();
  }
}

/**
 * Waits until the organization may run another call, runs `work`, and returns its result. Returns a 429 if too many
 * calls wait, or if the wait takes too long. An export waits for other exports instead of other reads, and counts as
 * running until its response has been sent, which can take minutes.
 */
async function answerWithin(
  layer: Layer,
  operation: Operation,
  request: FastifyRequest,
  { raw }: FastifyReply,
  work: () => Promise<Answer | Problem>,
): Promise<Answer | Problem> {
  const { exports, calls } = layer;
  const { auth } = request;
  const isLong = isExport(operation, request);
  const kind = callKind(operation, isLong);
  const takePlace = kind === undefined ? undefined : calls?.[kind];
  if (takePlace === undefined && !isLong) return work();
  const signal = closeSignal(raw);
  const endExport = isLong ? await exports.begin(auth, signal) : NOTHING;
  if (endExport === undefined) return TOO_MANY_EXPORTS;
  const endCall = takePlace === undefined ? NOTHING : await takePlace(callerOf(request, kind), signal);
  if (endCall === undefined) {
    endExport();
    return TOO_MANY_CALLS;
  }
  const end = (): void => {
    endCall();
    endExport();
  };
  if (isLong) exports.limitReading(raw, signal);
  try {
    // Authenticate the caller again, because a key or person may have been removed while the call waited for a place.
    return (await admitAgain(layer, operation, request)) ?? (await work());
  } finally {
    // After an early disconnect, the place stays taken until the query ends, to protect the database from overload.
    if (signal.aborted || !isLong) end();
    else signal.addEventListener('abort', end, { once: true });
  }
}

const NOTHING: LeavePlace = () => {};

/** Returns whether the response is an export. HEAD of a list is not, because it reads only the first slice of rows. */
function isExport({ isLong, success: { csv, alsoCsv } }: Operation, { method, headers }: FastifyRequest): boolean {
  if (isLong === true || csv === true) return true;
  return alsoCsv === true && method !== 'HEAD' && preferredType(headers.accept) !== 'json';
}

const TOO_MANY_EXPORTS = problem(
  'rate-limited',
  'Too many exports are running. Retry after the number of seconds in Retry-After.',
  { headers: { 'retry-after': String(RETRY_AFTER_S) } },
);

/** Returns the caller's name for the log, or undefined if the caller isn't known, for example after a failed lookup. */
function authorOf(request: FastifyRequest): string | undefined {
  const auth = request.auth as FastifyRequest['auth'] | undefined | null;
  return auth != null && 'author' in auth ? auth.author : undefined;
}
