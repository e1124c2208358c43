import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Waits until all earlier responses on the connection have been sent. Otherwise, a client could send many requests
 * without reading, and their responses would fill the memory. Returns false if the client disconnects.
 */
export async function isNextResponse(response: ServerResponse): Promise<boolean> {
  // A response gets the socket when the response before it has been sent.
  if (response.socket === null && !response.destroyed) {
    await new Promise<void>((resolve) => response.once('socket', () => resolve()).once('close', resolve));
  }
  return !response.destroyed;
}

/**
 * The maximum time that a request with a body waits for earlier responses on the connection, in milliseconds. Its body
 * uses memory that other requests need.
 */
export const MAX_BODY_WAIT_MS = 8_000;

/** Closes the connection if earlier responses on it have not been sent within `limitMs`. */
export function limitWaitForTurn(request: IncomingMessage, response: ServerResponse, limitMs: number): void {
  if (response.socket !== null || response.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), limitMs);
  const stop = (): void => clearTimeout(timer);
  response.once('socket', stop).once('close', stop);
}
