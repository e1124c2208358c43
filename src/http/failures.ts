import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { jsonText } from '#contract/json-text.ts';
import { type Problem, problem, problemBody, problemStatus } from '#contract/problem.ts';
import { PersonGone } from '#operations/change-account.ts';
import { TooManyPasswords } from '#operations/passwords.ts';
import { isUnavailable } from '#store/database.ts';
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

/** A connection on which no request could be read: node's parser refused it, or it was too slow. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  const answering = Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined;
  if (socket.writable && error.code !== 'ECONNRESET' && answering?.headersSent !== true) {
    const found = connectionProblem(error.code);
    const body = jsonText(problemBody(found));
    socket.write(
      `HTTP/1.1 ${problemStatus(found)} ${REASONS[problemStatus(found)] ?? ''}\r\n` +
        `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
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
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('request-timeout', TOO_SLOW);
  if (code === 'HPE_HEADER_OVERFLOW') return problem('headers-too-large', LARGE_HEADERS);
  return problem('bad-request');
}

const TOO_LARGE = `A body has at most ${MAX_BODY_BYTES} bytes (1 MiB).`;
const LARGE_HEADERS = `The request line and all headers have at most ${MAX_HEADER_BYTES} bytes together.`;
const TOO_SLOW = `Headers arrive within ${HEADERS_TIMEOUT_MS / 1_000} s, and the whole request within ${REQUEST_TIMEOUT_MS / 1_000} s: send it again.`;
