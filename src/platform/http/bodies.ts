import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAbandoned } from './lingering.ts';
import { limitWaitForTurn, MAX_BODY_WAIT_MS } from './next-response.ts';

/** Thrown if a body is longer than the call allows. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`a body has more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** Thrown if the bodies of all requests, or of one owner, use all the memory reserved for them. */
export class BodiesFull extends Error {
  override readonly name = 'BodiesFull';
}

/** Thrown if a body arrives in too many small pieces. */
export class BodyShredded extends Error {
  override readonly name = 'BodyShredded';
}

/**
 * A counter of the bytes of request bodies. It counts them in total, and for each owner: an organization or a client
 * address.
 */
export type BodyPool = {
  /** Counts bytes. Returns false, and counts nothing, if the pool or the share of `owner` would be exceeded. */
  readonly take: (owner: BodyOwner, bytes: number) => boolean;
  readonly free: (owner: BodyOwner, bytes: number) => void;
};

export type BodyOwner = number | string;

/** Returns a pool of `maxBytes`. `maxShare` limits the bytes of one owner, so that no owner can use the whole pool. */
export function bodyPool(maxBytes: number, maxShare: number): BodyPool {
  let held = 0;
  const heldBy = new Map<BodyOwner, number>();
  return {
    take: (owner, bytes) => {
      const share = (heldBy.get(owner) ?? 0) + bytes;
      if (held + bytes > maxBytes || share > maxShare) return false;
      held += bytes;
      heldBy.set(owner, share);
      return true;
    },
    free: (owner, bytes) => {
      if (bytes === 0) return;
      held -= bytes;
      const share = (heldBy.get(owner) ?? 0) - bytes;
      if (share > 0) heldBy.set(owner, share);
      else heldBy.delete(owner);
    },
  };
}

export type BodyRoom = {
  readonly maxBytes: number;
  readonly pool: BodyPool;
  /**
   * The pool for bodies that arrive in a single chunk and whose response is the next on its connection. If it is a
   * separate pool, clients that send or read slowly can't fill it.
   */
  readonly wholePool: BodyPool;
  readonly owner: BodyOwner;
};

/**
 * Reads a body, and calls `done` once with its bytes or with an error: BodyTooLarge, BodyShredded, BodiesFull, or the
 * error of the connection. The bytes count in the pool until the answer is complete or the response is closed. Then
 * `onRelease` is called, which must drop the body.
 *
 * Chunks are copied into one buffer. If a body arrived byte by byte, separate chunks would take a hundred times its
 * size in memory.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, pool: slowPool, wholePool, owner }: BodyRoom,
  done: (error: Error | null, body?: Buffer) => void,
  onRelease: () => void = () => {},
): void {
  const declared = Number(request.headers['content-length'] ?? maxBytes);
  if (declared > maxBytes) return done(new BodyTooLarge(maxBytes));
  let pool = slowPool;
  let buffer: Buffer = EMPTY;
  let length = 0;
  let isClosed = false;
  const end = (): void => {
    isClosed = true;
    release();
    onRelease();
  };
  // The answer is complete at `prefinish`. Its client may read it much later, or never.
  response.once('prefinish', end).once('close', end);
  request.on('data', add).once('end', finish).once('error', fail);

  function add(chunk: Buffer): void {
    const needed = length + chunk.length;
    // A response can end before its request does. Refuse later bytes, because bytes that are counted after the end are
    // never freed.
    if (isClosed) fail(new Error('The connection was closed before the end of the body.'));
    else if (needed > maxBytes) fail(new BodyTooLarge(maxBytes));
    else if (isAbandoned(request)) fail(new BodyShredded('a body arrives in too many small pieces'));
    else if (!hasRoomFor(chunk, needed)) fail(new BodiesFull('bodies use all the memory reserved for them'));
    else {
      if (length > 0) chunk.copy(buffer, length);
      length = needed;
    }
  }

  /**
   * Makes room for a chunk in the buffer. Returns false if the pool, or the owner's share of it, is full. Most bodies
   * are a single, uncopied chunk.
   */
  function hasRoomFor(chunk: Buffer, needed: number): boolean {
    if (needed <= buffer.length) return true;
    const size = length === 0 ? chunk.length : Math.max(needed, Math.min(2 * needed, declared));
    // A body whose response waits for earlier responses is held as long as their client wants.
    if (length === 0 && size === declared && response.socket !== null) pool = wholePool;
    if (!pool.take(owner, size - buffer.length)) return false;
    const grown = length === 0 ? chunk : Buffer.allocUnsafeSlow(size);
    if (length > 0) buffer.copy(grown, 0, 0, length);
    buffer = grown;
    return true;
  }

  function finish(): void {
    if (isClosed && length > 0) return fail(new Error('The connection was closed before the end of the body.'));
    leave();
    if (length > 0) limitWaitForTurn(request, response, MAX_BODY_WAIT_MS);
    done(null, buffer.subarray(0, length));
  }

  function fail(error: Error): void {
    leave();
    release();
    done(error);
  }

  /** Frees the counted bytes. Further calls have no effect. */
  function release(): void {
    pool.free(owner, buffer.length);
    buffer = EMPTY;
  }

  function leave(): void {
    request.off('data', add).off('end', finish).off('error', fail);
  }
}

const EMPTY = Buffer.alloc(0);
