import type { Server } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Operation } from '#contract/operation.ts';
import type { Problem } from '#contract/problem.ts';
import { admit, type Gate, type Sessions } from './admission.ts';
import type { Auth, Authentication } from './authentication.ts';
import { type AnswerChange, isChange } from './changes.ts';
import { answerPreflight, preflightHeaders } from './cross-origin.ts';
import { headerRefusal, problemOf, refuseConnection, refuseTunnel } from './failures.ts';
import type { Answer, Handler, Handlers, OperationRequest } from './handler.ts';
import { fixedPathsWithin, knownPaths, noSuchPath, pathOf, refuseUnknown } from './known-paths.ts';
import type { RateLimits } from './rate-limits.ts';
import { bytesOf, readRequest } from './read-request.ts';
import { refusalLog } from './refusal-log.ts';
import { refuse, sendAnswer } from './replies.ts';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
} from './request-limits.ts';
import { addServicePages, type ServicePages } from './service-pages.ts';

export type ServerOptions<Table extends Readonly<Record<string, Operation>>> = ServicePages & {
  readonly operations: Table;
  readonly handlers: Handlers<Table>;
  /** Answers the calls that change something: their handlers run within its transaction. Absent: as they are. */
  readonly answerChange?: AnswerChange;
  readonly authentication: Authentication;
  /** What tells who is logged in. Without: nobody is. */
  readonly sessions?: Sessions;
  /** Without: none. */
  readonly rateLimits?: Pick<RateLimits, 'take'>;
  readonly log: Logger;
  /** `/` or a path without a slash at its end. */
  readonly basePath?: string;
  readonly headerPrefix?: string;
  /** People come by https: browsers are told to come by nothing else. */
  readonly isSecure?: boolean;
  /** Addresses or ranges of proxies whose X-Forwarded-For counts. None: the header is ignored. */
  readonly trustedProxies?: readonly string[];
};

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
type Door = Gate & {
  readonly log: Logger;
  readonly basePath: string;
  readonly serviceHeaderName: (name: string) => string;
  readonly preflightHeaders: Readonly<Record<string, string>>;
  readonly everyAnswer: Readonly<Record<string, string>>;
  readonly paths: ReturnType<typeof knownPaths>;
};

function newDoor<Table extends Readonly<Record<string, Operation>>>(options: ServerOptions<Table>): Door {
  const prefix = options.headerPrefix ?? 'X-Service';
  const basePath = (options.basePath ?? '/').replace(/\/$/, '');
  const serviceHeaderName = (name: string): string => `${prefix}-${name}`;
  return {
    authentication: options.authentication,
    sessions: options.sessions,
    rateLimits: options.rateLimits,
    noteRefusal: refusalLog(options.log),
    log: options.log,
    basePath,
    serviceHeaderName,
    preflightHeaders: preflightHeaders(serviceHeaderName),
    everyAnswer: options.isSecure === true ? { ...EVERY_ANSWER, ...BY_TLS_ALONE } : EVERY_ANSWER,
    paths: knownPaths(Object.values(options.operations), basePath),
  };
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
    // Filters are read from the URL once, by the door: see read-request.ts.
    // A part of a path that is too long is no id, and is refused as such by whoever asks for the key first.
    routerOptions: { querystringParser: () => ({}), maxParamLength: MAX_HEADER_BYTES },
    clientErrorHandler: refuseConnection,
    schemaController: { compilersFactory: { buildValidator: compileNone, buildSerializer: compileNone } },
    frameworkErrors: (_error, _request, reply) => {
      refuse(reply.headers(door.everyAnswer), noSuchPath());
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.decorateRequest('auth', undefined as unknown as Auth);
  // Node would answer without a body, or close without a word.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  app.server.on('connect', refuseTunnel);
  addHooks(app, door);
  return app;
}

/** Fields are read by the door itself: without this Fastify loads what it would compile schemas of routes with. */
function compileNone(): never {
  throw new Error('no route has a schema');
}

/**
 * What every answer says: it is what its type says, and as a page of its own it may load nothing, run nothing and stand in
 * no frame. Pages have policies of their own in the place of this one.
 */
const EVERY_ANSWER = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** For a year. Of this host alone: what is below it may be somebody else's. */
const BY_TLS_ALONE = { 'strict-transport-security': 'max-age=31536000' };

/** What holds for every request, whether it has a route or not. */
function addHooks(app: FastifyInstance, { log, paths, everyAnswer }: Door): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everyAnswer);
    const refusal = headerRefusal(request.raw);
    if (refusal !== undefined) refuse(reply, refusal);
    else if (request.is404) refuseUnknown(paths, request, reply);
    else done();
  });
  if (log.isLevelEnabled('debug'))
    app.addHook('onResponse', (request, reply, done) => {
      // Without the query: a filter may hold personal data.
      log.debug(
        { method: request.method, path: request.url.split('?')[0], status: reply.statusCode, ms: reply.elapsedTime },
        'request',
      );
      done();
    });
  app.setErrorHandler((error, request, reply) => refuse(reply, problemOf(error, request, log)));
  app.setNotFoundHandler((request, reply) => refuseUnknown(paths, request, reply));
}

function addOperation(app: FastifyInstance, door: Door, id: string, operation: Operation, answering: Answering): void {
  const others = fixedPathsWithin(door.paths, door.basePath + operation.path);
  const url = door.basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.route({
    method: operation.method,
    url,
    config: { operationId: id },
    onRequest: (request, reply, done) => {
      if (others.length > 0 && others.includes(pathOf(request))) {
        refuseUnknown(door.paths, request, reply);
        return;
      }
      // What is not read may be of any type: the framework would refuse one that it can't parse.
      if (operation.body === undefined) delete request.raw.headers['content-type'];
      admit(door, operation, request, reply, done);
    },
    handler: (request, reply) => perform(door, operation, answering, request, reply),
  });
  if (operation.crossOrigin === true) {
    app.route({
      method: 'OPTIONS',
      url,
      handler: (request, reply) => answerPreflight(door.preflightHeaders, request, reply),
    });
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string;
  }
}

/** JSON, fields, then the handler with its look-ups. */
async function perform(
  door: Door,
  operation: Operation,
  answering: Answering,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const read = readRequest(operation, request, door.serviceHeaderName);
  const result = 'kind' in read ? read : await answering(read, bytesOf(request));
  if (result.kind === 'problem') {
    door.noteRefusal(request, result, authorOf(request));
    return refuse(reply, result);
  }
  return sendAnswer(reply, request, operation, result, door.serviceHeaderName);
}

/** Undefined where the call is open to all. */
function authorOf({ auth }: FastifyRequest): string | undefined {
  return 'author' in auth ? auth.author : undefined;
}
