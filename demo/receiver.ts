import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** Where the demo itself takes what a webhook is sent. */
export const RECEIVER_PORT = 8793;
/** Where nobody is, for one that fails. */
export const CLOSED_PORT = 8794;

/** Takes everything, and says so. Where the port is taken the webhook fails: that is worth seeing, and nothing more. */
export async function openReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
  });
  server.on('error', () => {});
  server.listen(RECEIVER_PORT, '127.0.0.1');
  await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => {});
  return server;
}
