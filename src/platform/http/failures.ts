import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { jsonText } from '#core/contract/json-text.ts';
import { type Problem, problem, problemBody, problemStatus } from '#core/contract/problem.ts';
import { isUnavailable } from '../postgres/database.ts';
import { isDoubled } from './admission.ts';
import { BodiesFull, BodyShredded, BodyTooLarge } from './bodies.ts';
import { MalformedJson } from '../json.ts';
import { RETRY_AFTER_S } from './replies.ts';
import {
  HEADERS_TIMEOUT_MS,
  LINGER_MS,
  MAX_DISCARDED_BYTES,
  MAX_HEADER_BYTES,
  MIN_PIECE_BYTES,
  REQUEST_TIMEOUT_MS,
} from './request-limits.ts';
import { Overloaded, PersonGone } from '#core/failures.ts';

/**
 * Returns the problem that a caller sees for an error. Logs internal errors and outages. The response to an internal
 * error has no details.
 */
export function problemOf(error: unknown, request: FastifyRequest, log: Logger): Problem {
  if (error instanceof MalformedJson)
    return problem(
      'malformed-json',
      `The body can’t be read as JSON. ${error.message} Correct the body and send it again.`,
    );
  if (error instanceof BodyTooLarge)
    return problem(
      'body-too-large',
      `The body is too large. This call accepts at most ${error.maxBytes} bytes. Send less data.`,
    );
  if (error instanceof BodyShredded) return problem('bad-request', SHREDDED);
  if (error instanceof BodiesFull)
    return problem('unavailable', BODIES_FULL, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return problem(
      'unsupported-media-type',
      'The body must be JSON in UTF-8. Send it with Content-Type: application/json.',
    );
  if (request.raw.destroyed && !request.raw.complete)
    return problem('bad-request', 'The request was interrupted. Send it again.');
  // The client of a long response has disconnected, which is not an error of the service.
  if (code === 'ERR_STREAM_PREMATURE_CLOSE')
    return problem('bad-request', 'The connection was closed. Send the request again.');
  if (error instanceof PersonGone)
    return problem('unauthenticated', 'Your account was removed. Ask an owner to invite you again.', {
      headers: { 'www-authenticate': 'Session' },
    });
  if (error instanceof Overloaded || isUnavailable(error)) {
    // The server logs an overload as a refusal. Otherwise, a flood of calls would write a line with a stack for each
    // call.
    if (!(error instanceof Overloaded)) {
      log.warn({ err: error, operation: request.routeOptions.config.operationId }, 'unavailable');
    }
    return problem(
      'unavailable',
      'The service is temporarily unavailable. Retry after the number of seconds in Retry-After.',
      { headers: { 'retry-after': String(RETRY_AFTER_S) } },
    );
  }
  log.error({ err: error, operation: request.routeOptions.config.operationId }, 'an operation failed');
  return problem('internal', 'The service failed. Retry the request. If it fails again, see the log of the service.');
}

/**
 * Returns a problem for headers that Node accepts but that are invalid, unsupported or ambiguous for other HTTP
 * software. Returns undefined for all other headers.
 */
export function headerRefusal({ method, headers, rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  if (headers.host === undefined && httpVersion !== '1.0')
    return problem('bad-request', 'The Host header is missing. Send it.');
  if (isDoubled(rawHeaders, 'host')) return problem('bad-request', 'The Host header was sent twice. Send it once.');
  if (isDoubled(rawHeaders, 'content-type'))
    return problem('bad-request', 'The Content-Type header was sent twice. Send it once.');
  const { expect, 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return problem('bad-request', CODED);
  // Nothing reads such a body. Node would discard it without a limit on its pieces, which delays other callers.
  if (UNREAD.has(method ?? '') && (coding !== undefined || Number(length ?? 0) > 0))
    return problem('bad-request', `A request with the method ${method} can’t have a body. Send it without a body.`);
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return problem('expectation-failed', EXPECTED);
  return undefined;
}

/** Refuses a connection on which no request could be read, because Node's parser rejected it or it was too slow. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy(error);
  else refuseInTurn(socket, connectionProblem(error.code), { error, isHead: isHead(error) });
}

/** Returns whether the bytes that Node's parser rejected begin a HEAD request. A response to HEAD has no body. */
function isHead(error: Error): boolean {
  const rejected: unknown = Reflect.get(error, 'rawPacket');
  return Buffer.isBuffer(rejected) && rejected.subarray(0, 5).toString('latin1') === 'HEAD ';
}

/** Refuses CONNECT. Node passes the bare connection without any listeners, so this function adds its own. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => {});
  socket.resume();
  // An earlier response on this connection may wait for `drain`, which Node no longer forwards.
  socket.on('drain', () => answeringOn(socket)?.emit('drain'));
  refuseInTurn(
    socket,
    problem(
      'bad-request',
      'The service isn’t a proxy and doesn’t support CONNECT. Send your requests directly to the service.',
    ),
  );
}

/**
 * Connections to refuse after the responses to their earlier requests, with the number of bytes received at the time of
 * the refusal.
 */
const refused = new WeakMap<Duplex, number>();

/**
 * Refuses and closes a connection after its earlier responses. Earlier requests may have succeeded, and their caller
 * would mistake an immediate refusal for their response.
 */
function refuseInTurn(
  socket: Duplex,
  found: Problem,
  { error, isHead = false }: { error?: Error; isHead?: boolean } = {},
): void {
  // Refuse a connection only once. Node reports unparsable bytes again with each following chunk.
  const refusedAt = refused.get(socket);
  if (refusedAt !== undefined) {
    if (bytesRead(socket) - refusedAt > MAX_DISCARDED_BYTES) socket.destroy();
    return;
  }
  refused.set(socket, bytesRead(socket));
  next();

  function next(): void {
    const answering = answeringOn(socket);
    if (answering?.req.complete === true) {
      answering.once('close', next);
      return;
    }
    const canAnswer = socket.writable && answering?.headersSent !== true;
    if (canAnswer) writeRefusal(socket, found, isHead);
    // Closing immediately would reset a request that the caller is still sending. A connection that timed out has no
    // such request.
    if (canAnswer && found.code !== 'request-timeout') linger(socket);
    else socket.destroy(error);
  }
}

/**
 * Closes only the service's side of a connection, so that a caller that is still writing can read the refusal. Discards
 * further bytes. Closes the whole connection once the caller does, or after LINGER_MS.
 */
function linger(socket: Duplex): void {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
}

function bytesRead(socket: Duplex): number {
  return 'bytesRead' in socket ? (socket.bytesRead as number) : 0;
}

/**
 * Returns the response that Node is currently sending on a connection, or undefined if no response is being sent. Node
 * sends responses in the order of the requests.
 */
function answeringOn(socket: Duplex): ServerResponse | undefined {
  return (Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined) ?? undefined;
}

function writeRefusal(connection: Duplex, found: Problem, isHead: boolean): void {
  const body = jsonText(problemBody(found));
  connection.write(
    `HTTP/1.1 ${problemStatus(found)} ${REASONS[problemStatus(found)] ?? ''}\r\n` +
      `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${isHead ? '' : body}`,
  );
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function connectionProblem(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('request-timeout', TOO_SLOW);
  if (code === 'HPE_HEADER_OVERFLOW') return problem('headers-too-large', LARGE_HEADERS);
  return problem('bad-request', MALFORMED);
}

const BODIES_FULL =
  'Request bodies use all the memory reserved for them. Retry after the number of seconds in Retry-After.';
const MALFORMED = 'The request is not valid HTTP. Correct it and send it on a new connection.';
const SHREDDED = `The body arrives in too many small pieces. Send pieces of at least ${MIN_PIECE_BYTES} bytes.`;
const LARGE_HEADERS = `The request line and headers are too long. Together they can have at most ${MAX_HEADER_BYTES} bytes.`;
/**
 * The error text for transfer codings other than `chunked`. The status is 400. RFC 9112 suggests 501, but callers retry
 * a 501, and it counts as an error of the service.
 */
const CODED =
  'The Transfer-Encoding is not supported. Send the body with a Content-Length, or with the coding chunked.';
/** Methods whose bodies are never read. */
const UNREAD: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const EXPECTED = 'The value of the Expect header is not supported. Omit the header, or send 100-continue.';
const TOO_SLOW = `The request was too slow. Headers must arrive within ${HEADERS_TIMEOUT_MS / 1_000} s, and the whole request within ${REQUEST_TIMEOUT_MS / 1_000} s. Send it again.`;
