import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string };
export type Behavior = (reply: ServerResponse, received: Received) => void;

/** A server that receives webhooks. */
export type Receiver = {
  readonly url: string;
  /** The complete requests, in order of arrival. */
  readonly received: Received[];
  /** Sets the behavior for later requests. By default, a receiver answers 204. */
  readonly behave: (behavior: Behavior) => void;
  /** Resolves once the given number of requests have arrived in total. */
  readonly got: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Behavior =>
  (reply) =>
    reply.writeHead(status, headers).end(body);

export async function openReceiver(behavior: Behavior = answerWith(204)): Promise<Receiver> {
  const received: Received[] = [];
  let waiters: { readonly count: number; readonly resolve: () => void }[] = [];
  let behave = behavior;
  const server = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const one = { headers: request.headers, body, path: request.url ?? '' };
      received.push(one);
      for (const { resolve } of waiters.filter(({ count }) => count <= received.length)) resolve();
      waiters = waiters.filter(({ count }) => count > received.length);
      behave(reply, one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (next) => {
      behave = next;
    },
    got: (count) =>
      received.length >= count ? Promise.resolve() : new Promise((resolve) => waiters.push({ count, resolve })),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
