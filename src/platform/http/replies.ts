import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonText } from '#core/contract/json-text.ts';
import { hasETag, type Operation, canHaveIfNoneMatch } from '#core/contract/operation.ts';
import { type Problem, problemBody, problemStatus } from '#core/contract/problem.ts';
import { csvOfList, fileNameOf } from './csv-lists.ts';
import { entityTag, namesTag } from './entity-tags.ts';
import type { ExportLimits } from './export-limits.ts';
import type { Answer, ServiceHeaderNames } from './handler.ts';
import { jsonPieces } from './json-pieces.ts';
import { abandonBody, isAbandoned, isBodyArriving, lingeringAnswer } from './lingering.ts';
import { CSV, JSON_TYPE, pacePieces } from './streams.ts';
import type { Stream } from './handler.ts';

/** The value of Retry-After for temporary failures, in seconds. */
export const RETRY_AFTER_S = 1;

/** Responds with a problem according to RFC 9457. Pages of other origins can read the problem's own headers. */
export function sendProblem(reply: FastifyReply, found: Problem): FastifyReply {
  if (found.headers !== undefined) {
    reply.headers(found.headers);
    if (reply.hasHeader('access-control-allow-origin'))
      reply.header('access-control-expose-headers', Object.keys(found.headers).join(', '));
  }
  reply.code(problemStatus(found)).header('content-type', 'application/problem+json');
  const bytes = Buffer.from(jsonText(problemBody(found)));
  const request = reply.request.raw;
  // A response to HEAD has no body that could keep the connection open until the request has arrived.
  if (request.method === 'HEAD' && isBodyArriving(request)) abandonBody(request);
  if (isAbandoned(request)) reply.header('connection', 'close');
  if (!isBodyArriving(request)) return reply.send(bytes);
  return reply.header('content-length', String(bytes.length)).send(lingeringAnswer(request, bytes));
}

/** The parts of the HTTP layer that are needed to send an answer. */
export type ReplyContext = {
  readonly serviceHeaderNames: ServiceHeaderNames;
  readonly exports: Pick<ExportLimits, 'turn'>;
};

/**
 * Sends a handler's answer with its headers, as JSON, a file or an empty body. Responds with 304 if the caller already
 * has the current version.
 */
export async function sendAnswer(
  { serviceHeaderNames, exports }: ReplyContext,
  reply: FastifyReply,
  { headers: { 'if-none-match': known } }: FastifyRequest,
  operation: Operation,
  { status, body, json: shared, stream, rows, reader = 'programs', headers, serviceHeaders }: Answer,
): Promise<FastifyReply> {
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  if (serviceHeaders !== undefined) {
    const named = Object.entries(serviceHeaders).flatMap(([name, value]) =>
      serviceHeaderNames(name).map((full) => [full, value] as const),
    );
    for (const [name, value] of named) reply.header(name, value);
    reply.header('access-control-expose-headers', named.map(([name]) => name).join(', '));
  }
  if (shared !== undefined) return reply.header('content-type', JSON_TYPE).send(shared);
  if (stream !== undefined) return sendStream(reply, stream, exports);
  if (rows !== undefined) {
    reply.header('content-disposition', `attachment; filename="${fileNameOf(operation)}"`);
    return sendStream(reply, { type: CSV, pieces: csvOfList(operation, rows, reader) }, exports);
  }
  if (body === undefined) return reply.header('content-length', '0').send();
  if (Array.isArray(body) || operation.isLong === true) return sendPieces(reply, jsonPieces(body), exports);
  const json = jsonText(body);
  if (hasETag(operation)) {
    const tag = entityTag(json);
    reply.header('etag', tag);
    if (canHaveIfNoneMatch(operation) && known !== undefined && namesTag(known, tag)) return reply.code(304).send();
  }
  return sendText(reply, JSON_TYPE, json);
}

/** Sends a single piece with its length, and several pieces as a stream. Most lists are a single piece. */
async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncGenerator<string>,
  exports: ReplyContext['exports'],
): Promise<FastifyReply> {
  const first = await pieces.next();
  const second = await pieces.next();
  if (second.done === true) return sendText(reply, JSON_TYPE, String(first.value));
  return sendStream(reply, { type: JSON_TYPE, pieces: prependPieces([first.value, second.value], pieces) }, exports);
}

function sendStream(reply: FastifyReply, { type, pieces }: Stream, exports: ReplyContext['exports']): FastifyReply {
  // The framework discards the body of a HEAD response, so don't generate it.
  if (reply.request.method === 'HEAD') {
    void pieces.return?.();
    return reply.header('content-type', type).send(Readable.from([]));
  }
  return reply.header('content-type', type).send(Readable.from(pacePieces(pieces, exports)));
}

async function* prependPieces(begun: readonly string[], pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* begun;
  yield* pieces;
}

/** Sends a value as JSON of the given media type. */
export function sendJson(reply: FastifyReply, type: string, body: unknown): FastifyReply {
  return sendText(reply, type, jsonText(body));
}

/** Sends text as bytes. For a string, the framework would add a charset, which JSON types don't have. */
export function sendText(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header('content-type', type).send(Buffer.from(text));
}
