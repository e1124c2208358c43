import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { jsonText } from '#contract/json-text.ts';
import { type Problem, problem, problemBody, problemStatus } from '#contract/problem.ts';
import { PersonGone } from '#operations/change-account.ts';
import { TooManyPasswords } from '#operations/passwords.ts';
import { isUnavailable } from '#store/database.ts';
import { isDoubled } from './admission.ts';
import { Overloaded } from './batching.ts';
import { MalformedJson } from './json.ts';
import { RETRY_AFTER_S } from './replies.ts';
import { HEADERS_TIMEOUT_MS, MAX_BODY_BYTES, MAX_HEADER_BYTES, REQUEST_TIMEOUT_MS } from './request-limits.ts';

/** What was thrown, as the caller may know it. Our own faults are logged and say nothing. */
export function problemOf(error: unknown, request: FastifyRequest, log: Logger): Problem {
  if (error instanceof MalformedJson)
    return problem('malformed-json', `The body is not well-formed JSON. ${error.message}`);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return problem('body-too-large', TOO_LARGE);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return problem('unsupported-media-type', 'Send the body as application/json in UTF-8, and say so in Content-Type.');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return problem('bad-request', 'Content-Length is not the length of the body.');
  if (request.raw.destroyed && !request.raw.complete) return problem('bad-request', 'The request broke off.');
  if (error instanceof PersonGone)
    return problem('unauthenticated', 'You were removed a moment ago.', { headers: { 'www-authenticate': 'Session' } });
  if (error instanceof Overloaded || error instanceof TooManyPasswords || isUnavailable(error)) {
    log.warn({ err: error, operation: request.routeOptions.config.operationId }, 'unavailable');
    return problem('unavailable', 'Try again in a moment.', { headers: { 'retry-after': String(RETRY_AFTER_S) } });
  }
  log.error({ err: error, operation: request.routeOptions.config.operationId }, 'an operation failed');
  return problem('internal', 'The service failed; the fault is in its log.');
}

/** What Node lets through, and reads as if it were something else. */
export function headerRefusal({ headers, rawHeaders }: IncomingMessage): Problem | undefined {
  if (isDoubled(rawHeaders, 'host')) return problem('bad-request', 'Host was sent twice.');
  if (isDoubled(rawHeaders, 'content-type')) return problem('bad-request', 'Content-Type was sent twice.');
  const { expect, 'transfer-encoding': coding } = headers;
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return problem('bad-request', CODED);
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return problem('expectation-failed', EXPECTED);
  return undefined;
}

/** A connection on which no request could be read: node's parser refused it, or it was too slow. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy(error);
  else refuseInTurn(socket, connectionProblem(error.code), error);
}

/** Of CONNECT node hands out the bare connection: nobody else listens to it any more. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => {});
  // Whoever still writes an answer waits for it.
  socket.on('drain', () => answeringOn(socket)?.emit('drain'));
  refuseInTurn(socket, problem('bad-request', 'This is no proxy: there is no CONNECT.'));
}

/** Connections that are refused once what was asked on them before is answered. */
const refused = new WeakSet<Duplex>();

/**
 * Refuses and closes a connection when its turn has come: what was asked before on it may be done, and whoever asked would
 * take the refusal for its answer.
 */
function refuseInTurn(socket: Duplex, found: Problem, error?: Error): void {
  // Of bytes that can't be read node tells again with each that follows.
  if (refused.has(socket)) return;
  refused.add(socket);
  next();

  function next(): void {
    const answering = answeringOn(socket);
    if (answering?.req.complete === true) {
      answering.once('close', next);
      return;
    }
    if (socket.writable && answering?.headersSent !== true) writeRefusal(socket, found);
    socket.destroy(error);
  }
}

/** What node answers on a connection at this moment: one after the other, in the order in which it was asked. */
function answeringOn(socket: Duplex): ServerResponse | undefined {
  return (Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined) ?? undefined;
}

function writeRefusal(connection: Duplex, found: Problem): void {
  const body = jsonText(problemBody(found));
  connection.write(
    `HTTP/1.1 ${problemStatus(found)} ${REASONS[problemStatus(found)] ?? ''}\r\n` +
      `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
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
  return problem('bad-request');
}

const TOO_LARGE = `A body has at most ${MAX_BODY_BYTES} bytes (1 MiB).`;
const LARGE_HEADERS = `The request line and all headers have at most ${MAX_HEADER_BYTES} bytes together.`;
/** A 501, as RFC 9112 would rather have it, is sent again by callers, and counted as a fault of ours. */
const CODED = 'A body has its length or comes in chunks, without another transfer coding.';
const EXPECTED = 'Expect 100-continue, or nothing.';
const TOO_SLOW = `Headers arrive within ${HEADERS_TIMEOUT_MS / 1_000} s, and the whole request within ${REQUEST_TIMEOUT_MS / 1_000} s: send it again.`;
