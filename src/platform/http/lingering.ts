import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { MAX_DISCARDED_BYTES } from './request-limits.ts';

/**
 * Returns whether a request is answered before its body has arrived. Closing the connection at that moment would reset
 * it, and a caller that is still writing would lose the response [measured: 10 of 300 requests with 2 MiB].
 */
export function isBodyArriving(request: IncomingMessage): boolean {
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
  return !request.complete && !request.destroyed && (coding !== undefined || Number(length ?? 0) > 0);
}

/**
 * Returns a response that is sent immediately and ends with the request's body, so that the connection is not closed
 * before the end of the body. The body is discarded. A connection that sends more than MAX_DISCARDED_BYTES is closed.
 * Slow connections are closed after the time limit for a whole request.
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
    if (bytes > MAX_DISCARDED_BYTES) request.destroy();
  });
  for (const event of ['end', 'close']) request.once(event, () => resolve());
  if (request.readableEnded || request.destroyed) resolve();
  return promise;
}
