import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** The port on which the demo itself receives webhooks. */
export const RECEIVER_PORT = 8793;
/** A port without a listener, for a webhook that fails. */
export const CLOSED_PORT = 8794;

/** Starts a server that accepts every request. If the port is taken, the demo's webhook fails, which does no harm. */
export async function openReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
  });
  server.on('error', () => {});
  server.listen(RECEIVER_PORT, '127.0.0.1');
  await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => {});
  return server;
}
