import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { watchParser } from './lingering.ts';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
  STALL_TIMEOUT_MS,
} from './request-limits.ts';

/** The maximum number of unanswered requests of a connection. Common clients send one request at a time. */
const MAX_PIPELINED = 16;

/** Creates the HTTP server with its limits. */
export function createHttpServer(handler: RequestListener): Server {
  const pipelines = limitPipelines(handler);
  const options = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // By default, Node itself refuses requests without Host, so they would bypass the limit of unanswered requests.
    requireHostHeader: false,
    // Check for expired connections every second. The default is twice a minute.
    connectionsCheckingInterval: 1_000,
  };
  // An import of node:http would also load Node's second HTTP client, which the service doesn't use.
  const { createServer } = process.getBuiltinModule('node:http');
  // Pass requests with an unsupported `Expect` header to the handler. Otherwise, Node would answer them without a body.
  const server = createServer(options, pipelines.handler).on('checkExpectation', pipelines.handler);
  server.on('connection', pipelines.addConnection);
  server.timeout = STALL_TIMEOUT_MS;
  return server;
}

type LimitedPipelines = {
  readonly handler: RequestListener;
  /** Limits the requests of a connection. Must be called for each new connection. */
  readonly addConnection: (socket: Socket) => void;
};

/**
 * Limits the requests that a connection sends before its earlier requests are answered. At the first request beyond the
 * limit, the connection is no longer read. It is closed once the earlier requests are answered.
 */
function limitPipelines(handler: RequestListener): LimitedPipelines {
  const unanswered = new WeakMap<Socket, number>();
  const refused = new WeakSet<Socket>();
  return {
    handler: (request, response) => {
      const { socket } = request;
      const count = unanswered.get(socket) ?? 0;
      if (count === MAX_PIPELINED) {
        refused.add(socket);
        stopReading(socket);
        return;
      }
      unanswered.set(socket, count + 1);
      response.once('close', () => {
        const left = (unanswered.get(socket) ?? 1) - 1;
        unanswered.set(socket, left);
        if (left === 0 && refused.has(socket)) socket.destroySoon();
      });
      handler(request, response);
    },
    addConnection: (socket) => {
      watchParser(socket);
      dropRequestsIf(() => refused.has(socket), socket);
    },
  };
}

/** Stops reading a socket. Node resumes it when a response ends, so it is paused again. */
function stopReading(socket: Socket): void {
  socket.pause().on('resume', () => socket.pause());
}

/** The part of Node's HTTP parser that dropRequestsIf uses. It is not documented. */
type Parser = { onIncoming: (request: IncomingMessage, keepAlive: boolean) => number };

/**
 * A result from which Node's parser concludes that another protocol follows. The parser then reads no further requests.
 */
const STOP_PARSING = 2;

/**
 * Drops the requests of a connection, unparsed, while `isDropping` returns true. Otherwise, Node would parse all
 * requests of a chunk in one turn, up to 3,600 requests in 64 KiB. Twenty such chunks a second would take most of the
 * process's time.
 */
function dropRequestsIf(isDropping: () => boolean, socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser: Parser };
  const onIncoming = parser.onIncoming;
  parser.onIncoming = (request, keepAlive) => {
    if (!isDropping()) return onIncoming(request, keepAlive);
    // Clear `upgrade`. Otherwise, Node would close the connection before the earlier requests are answered.
    Object.assign(request, { upgrade: false });
    return STOP_PARSING;
  };
}
