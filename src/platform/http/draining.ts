import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * How long open connections are kept while the server drains, in milliseconds. During this time, clients can send
 * another request, and its response asks them to close the connection.
 */
const GRACE_MS = 1_000;
const CHECK_MS = 20;

/**
 * Closes the server gracefully. It accepts no new connections, and every further response asks the client to close the
 * connection. Connections that are idle after one second are closed. Closing idle connections immediately would reset a
 * request that is just arriving.
 */
export async function drain(app: FastifyInstance): Promise<void> {
  const server: HttpServer = app.server;
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  // Call the `close` of node:net, because the `close` of node:http would also close idle connections immediately.
  Server.prototype.close.call(server);
  for (let waited = 0; waited < GRACE_MS && (await connectionsOf(server)) > 0; waited += CHECK_MS) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  }
  await app.close();
}

function connectionsOf(server: HttpServer): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error === null ? count : 0)));
}
