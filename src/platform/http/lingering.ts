import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { MAX_DISCARDED_BYTES, MAX_SMALL_PIECES, MIN_PIECE_BYTES } from './request-limits.ts';

/**
 * Returns whether the body of a request is still arriving when the request is answered. If the connection were closed
 * at that moment, it would be reset, and a caller that is still writing would lose the response. In a measurement with
 * bodies of 2 MiB, 10 of 300 callers lost the response.
 */
export function isBodyArriving(request: IncomingMessage): boolean {
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
  if (request.complete || request.destroyed || isAbandoned(request)) return false;
  return coding !== undefined || Number(length ?? 0) > 0;
}

/** Returns whether a body arrives in so many small pieces that it would delay other callers. */
function isShredded(pieces: number, bytes: number): boolean {
  return pieces > MAX_SMALL_PIECES + bytes / MIN_PIECE_BYTES;
}

const abandoned = new WeakSet<IncomingMessage>();

/**
 * Drops the rest of a body. The connection must be closed after the response.
 *
 * A chunk of 64 KiB that has already arrived can contain 10,900 pieces. Node's parser would call a function for each
 * piece, which would take 30 ms, so the function is removed. `watchParser` restores it when the connection closes.
 */
export function abandonBody(request: IncomingMessage): void {
  abandoned.add(request);
  const { socket } = request;
  socket.pause();
  const parser = parserOf(socket);
  if (parser !== null) parser[ON_BODY] = undefined;
}

/**
 * Abandons the bodies of a connection that arrive in too many small pieces. The parser counts them, because Node keeps
 * the pieces of a body that nobody reads yet: 64 KiB in pieces of one byte use 22 MB.
 */
export function watchParser(socket: Socket): void {
  const parser = parserOf(socket);
  if (parser === null) return;
  addPiece ??= parser[ON_BODY];
  const add = addPiece;
  let current: IncomingMessage | null = null;
  let pieces = 0;
  let bytes = 0;
  const count: AddPiece = function (piece) {
    const { incoming } = this;
    if (incoming !== current) [current, pieces, bytes] = [incoming, 0, 0];
    pieces += 1;
    bytes += piece.length;
    if (incoming !== null && isShredded(pieces, bytes)) abandonBody(incoming);
    return add?.call(this, piece);
  };
  parser[ON_BODY] = count;
  // Node reuses the parsers of closed connections, also for its own requests to other servers.
  socket.once('close', () => {
    if (parser[ON_BODY] === count || parser[ON_BODY] === undefined) parser[ON_BODY] = add;
  });
}

/** The function of Node that adds a piece to a body. It is the same for all parsers. */
let addPiece: AddPiece | undefined;
/** `HTTPParser.kOnBody` of Node, which is not documented. */
const ON_BODY = 3;

/** The part of Node's HTTP parser that this module uses. It is not documented. */
type Parser = { readonly incoming: IncomingMessage | null; [ON_BODY]: AddPiece | undefined };
type AddPiece = (this: Parser, piece: Buffer) => unknown;

function parserOf(socket: Socket): Parser | null {
  return (socket as Socket & { readonly parser: Parser | null }).parser;
}

/** Returns whether `abandonBody` was called for the request. */
export function isAbandoned(request: IncomingMessage): boolean {
  return abandoned.has(request);
}

/**
 * Returns a response body that is sent immediately but ends only with the request's body, so that the connection isn't
 * closed earlier. The request's body is discarded. A connection that sends more than MAX_DISCARDED_BYTES, or too many
 * small pieces, is closed. Slow connections are closed after the time limit for a whole request.
 */
export function lingeringAnswer(request: IncomingMessage, answer: Buffer): Readable {
  return Readable.from(answerAndDiscard(request, answer), { objectMode: false });
}

async function* answerAndDiscard(request: IncomingMessage, answer: Buffer): AsyncGenerator<Buffer> {
  yield answer;
  await discard(request);
}

function discard(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_DISCARDED_BYTES && !isAbandoned(request)) return;
    abandonBody(request);
    request.destroy();
  });
  for (const event of ['end', 'close']) request.once(event, () => resolve());
  if (request.readableEnded || request.destroyed) resolve();
  return promise;
}
