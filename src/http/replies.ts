import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonText } from '#contract/json-text.ts';
import { answersTag, type Operation, takesIfNoneMatch } from '#contract/operation.ts';
import { type Problem, problemBody, problemStatus } from '#contract/problem.ts';
import { csvOfList, fileNameOf } from './csv-lists.ts';
import { entityTag, namesTag } from './entity-tags.ts';
import type { Answer } from './handler.ts';

/** Seconds after which a caller may try again what the service could not do now. */
export const RETRY_AFTER_S = 1;

/** Answers a problem, as RFC 9457 says. A browser of another origin may read the headers that belong to it. */
export function refuse(reply: FastifyReply, found: Problem): FastifyReply {
  if (found.headers !== undefined) {
    reply.headers(found.headers);
    if (reply.hasHeader('access-control-allow-origin'))
      reply.header('access-control-expose-headers', Object.keys(found.headers).join(', '));
  }
  reply.code(problemStatus(found));
  return sendJson(reply, 'application/problem+json', problemBody(found));
}

/** Sends what a handler answers: JSON, a file or an empty body, with its headers; 304 where the caller has it already. */
export function sendAnswer(
  reply: FastifyReply,
  { headers: { 'if-none-match': known } }: FastifyRequest,
  operation: Operation,
  { status, body, csv, rows, reader = 'programs', headers, serviceHeaders }: Answer,
  serviceHeaderName: (name: string) => string,
): FastifyReply {
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  if (serviceHeaders !== undefined) {
    const named = Object.entries(serviceHeaders).map(([name, value]) => [serviceHeaderName(name), value] as const);
    for (const [name, value] of named) reply.header(name, value);
    reply.header('access-control-expose-headers', named.map(([name]) => name).join(', '));
  }
  if (csv !== undefined) return sendText(reply, CSV, csv);
  if (rows !== undefined) {
    const named = { 'content-type': CSV, 'content-disposition': `attachment; filename="${fileNameOf(operation)}"` };
    return reply.headers(named).send(Readable.from(csvOfList(operation, rows, reader)));
  }
  if (body === undefined) return reply.header('content-length', '0').send();
  const json = jsonText(body);
  if (answersTag(operation)) {
    const tag = entityTag(json);
    reply.header('etag', tag);
    if (takesIfNoneMatch(operation) && known !== undefined && namesTag(known, tag)) return reply.code(304).send();
  }
  return sendText(reply, 'application/json', json);
}

/** Sends a value as JSON of this media type. */
export function sendJson(reply: FastifyReply, type: string, body: unknown): FastifyReply {
  return sendText(reply, type, jsonText(body));
}

/** As bytes: to a string the framework would add a charset, which JSON’s types do not have. */
export function sendText(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header('content-type', type).send(Buffer.from(text));
}

const CSV = 'text/csv; charset=utf-8';
