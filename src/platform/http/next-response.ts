import type { ServerResponse } from 'node:http';

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
