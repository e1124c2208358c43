import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long callers that keep a connection open have to come once more and be told that it closes. */
const GRACE_MS = 1_000;
const CHECK_MS = 20;

/**
 * Closes the door without slamming it: no new connections; every answer from now on asks for the connection to be closed;
 * only what stays silent for a second is cut. (To close idle connections at once would reset the request that is just
 * arriving on one.)
 */
export async function drain(app: FastifyInstance): Promise<void> {
  const server: HttpServer = app.server;
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  // The HTTP server's own `close` would cut idle connections as well.
  Server.prototype.close.call(server);
  for (let waited = 0; waited < GRACE_MS && (await connectionsOf(server)) > 0; waited += CHECK_MS) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  }
  await app.close();
}

function connectionsOf(server: HttpServer): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error === null ? count : 0)));
}
