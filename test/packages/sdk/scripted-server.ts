import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type Seen = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
/** Responds to one request. The last step also responds to all later requests. */
export type Step = (response: ServerResponse) => void;

/**
 * Starts a server with scripted responses, such as errors of Whence or of a proxy. It stops when the test ends. Returns
 * its URL and the requests that it has received so far.
 */
export async function startScripted(
  test: TestContext,
  ...steps: readonly Step[]
): Promise<{ readonly url: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const step = steps[Math.min(seen.length, steps.length - 1)];
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      step?.(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Returns a step that responds with an error of Whence. `Retry-After` is 0 unless `headers` sets another value. */
export function problem(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Step {
  const body = { type: `urn:whence:problem:${code}`, title: code, status, detail: `It is ${code}.`, code };
  return json(status, body, { 'retry-after': '0', ...headers });
}

/** Closes the connection without a response. */
export const hangUp: Step = (response) => {
  response.socket?.destroy();
};

export const neverAnswer: Step = () => {};
