import { keysOf, type Operation } from '#core/contract/operation.ts';

/*
 * Limits on connections, and on the sizes of requests. docs/reference/limits.md lists all limits.
 */

/** The maximum size of the URL and headers in bytes, which is more than any legitimate caller needs. */
export const MAX_HEADER_BYTES = 16_384;
export const MAX_BODY_BYTES = 1_048_576;
/**
 * The maximum body size in bytes for calls that accept a publishable key, calls without a key (except signed messages),
 * portal calls, and calls that read no body. The longest of these bodies contain passkeys.
 */
export const MAX_OUTSIDE_BODY_BYTES = 16_384;
/**
 * The maximum bytes of concurrent bodies in a process: for callers with a secret key or a person's session, for signed
 * messages to connectors, and for all other callers. One organization or client address can use only a part, so that it
 * can't block other callers. The limits for all other callers apply twice: to bodies that arrive in a single chunk and
 * wait for no earlier response, and to the other bodies.
 */
export const MAX_BUFFERED_BYTES = {
  keys: 100_663_296,
  keysOfOrganization: 33_554_432,
  signed: 33_554_432,
  signedOfOrganization: 8_388_608,
  outside: 16_777_216,
  outsideOfAddress: 4_194_304,
};
/** The maximum number of bytes of a refused body that are read and dropped, so that the caller can read the refusal. */
export const MAX_DISCARDED_BYTES = 8_388_608;
/**
 * The number of pieces in which a body may arrive, regardless of their size. For each further piece, the body must have
 * another MIN_PIECE_BYTES. A piece of one byte takes about as long as a piece of a thousand bytes.
 */
export const MAX_SMALL_PIECES = 1_000;
export const MIN_PIECE_BYTES = 64;
/** The maximum time that a refused connection stays open, in milliseconds, so that the caller can read the refusal. */
export const LINGER_MS = 2_000;
export const HEADERS_TIMEOUT_MS = 5_000;
export const REQUEST_TIMEOUT_MS = 8_000;
/**
 * How long a connection may transfer nothing while a request is answered, in milliseconds. For example, its client may
 * have stopped reading.
 */
export const STALL_TIMEOUT_MS = 60_000;
/**
 * How long an idle connection is kept, in milliseconds. The time is above the 60 s of common load balancers, so that
 * they close an idle connection first.
 */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/**
 * Returns the maximum body size of an operation in bytes. Unless the operation sets the maximum, the maximum is small
 * for calls from visitors' and partners' browsers, and for operations that read no body. Signed messages of other
 * systems can be long.
 */
export function maxBodyBytesOf(operation: Operation): number {
  const { body, open, signed, scope, maxBodyBytes } = operation;
  if (maxBodyBytes !== undefined) return maxBodyBytes;
  const isOutside = open === true || keysOf(operation).includes('publishable') || scope === 'portal';
  return signed !== true && (isOutside || body === undefined) ? MAX_OUTSIDE_BODY_BYTES : MAX_BODY_BYTES;
}
