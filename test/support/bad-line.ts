import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the proxy received for the service. */
export type ProxiedRequest = {
  readonly method: string;
  readonly path: string;
  readonly body: string;
};

/**
 * How the proxy handles a request:
 *
 * - `pass`: the request is forwarded.
 * - `cut`: the connection is closed before forwarding.
 * - `lose-answer`: the request is forwarded, and the connection is closed instead of returning the answer.
 * - `busy`, `limited`, `swallow`: the answer is 503, 429 or 200, and the request is not forwarded.
 */
export type Fate = 'pass' | 'cut' | 'lose-answer' | 'busy' | 'limited' | 'swallow';

/** A proxy in front of a service that can inject a fault into each request. */
export type BadLine = {
  readonly url: string;
  /** Sets the function that chooses how the proxy handles each future request. Initially, all requests pass. */
  readonly happens: (fateOf: (passing: ProxiedRequest) => Fate) => void;
  readonly close: () => Promise<void>;
};

const AT_ONCE = { 'retry-after': '0' };

export async function openBadLine(serviceUrl: string): Promise<BadLine> {
  let fateOf: (passing: ProxiedRequest) => Fate = () => 'pass';
  const server = createServer((incoming, outgoing) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    incoming.on('end', () => {
      const { method = '', url: path = '' } = incoming;
      applyFate(fateOf({ method, path, body }), incoming, body, outgoing);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    happens: (next) => {
      fateOf = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  function applyFate(fate: Fate, incoming: IncomingMessage, body: string, outgoing: ServerResponse): void {
    switch (fate) {
      case 'cut':
        incoming.socket.destroy();
        return;
      case 'busy':
        outgoing.writeHead(503, AT_ONCE).end();
        return;
      case 'limited':
        outgoing.writeHead(429, AT_ONCE).end();
        return;
      case 'swallow':
        outgoing.writeHead(200, { 'x-service-oid': '1' }).end();
        return;
      case 'pass':
      case 'lose-answer':
        pass(fate, incoming, body, outgoing);
        return;
      default:
        fate satisfies never;
    }
  }

  function pass(
    fate: Fate,
    { method, url, headers, socket }: IncomingMessage,
    body: string,
    outgoing: ServerResponse,
  ): void {
    const onwards = request(new URL(url ?? '', serviceUrl), { method, headers }, (answer) => {
      if (fate === 'lose-answer') {
        answer.resume().on('end', () => socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onwards.on('error', () => socket.destroy());
    onwards.end(body);
  }
}
