import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
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
  const limited = limitPipelines(handler);
  const options = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Otherwise, Node itself refuses requests without Host, so they bypass the limit of unanswered requests.
    requireHostHeader: false,
    // By default, Node checks for expired connections only twice a minute.
    connectionsCheckingInterval: 1_000,
  };
  // An import of node:http would also load Node's second HTTP client, which the service doesn't use.
  const { createServer } = process.getBuiltinModule('node:http');
  // Without the second listener, Node would answer an unsupported `Expect` header without a body.
  const server = createServer(options, limited).on('checkExpectation', limited);
  server.timeout = STALL_TIMEOUT_MS;
  return server;
}

/**
 * Limits the requests that a connection sends before its earlier requests are answered. Node parses all requests that
 * arrived together in one turn, so thousands of them would delay all other callers. At the first request beyond the
 * limit, the connection is no longer read. It is closed once the earlier requests are answered.
 */
function limitPipelines(handler: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  const refused = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    if (refused.has(socket)) {
      // When the connection closes, Node would destroy each request and response, which takes longer than parsing them.
      request.destroy = () => request;
      response.destroy = () => response;
      return;
    }
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
  };
}

/** Stops reading a socket. Node resumes it when a response ends, so it is paused again. */
function stopReading(socket: Socket): void {
  socket.pause().on('resume', () => socket.pause());
  // When the connection closes, Node creates an error for each request. Their stacks would take most of the time.
  const { stackTraceLimit } = Error;
  socket.prependListener('close', () => (Error.stackTraceLimit = 0));
  socket.on('close', () => (Error.stackTraceLimit = stackTraceLimit));
}
