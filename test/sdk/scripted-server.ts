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
/** What to do with one request; the last goes for all that come after it. */
export type Step = (response: ServerResponse) => void;

/** A server that says what Whence, or something in front of it, says on a bad day. It ends with the test. */
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

/** To be tried again at once, unless told otherwise. */
export function problem(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Step {
  const body = { type: `urn:whence:problem:${code}`, title: code, status, detail: `It is ${code}.`, code };
  return json(status, body, { 'retry-after': '0', ...headers });
}

/** The connection ends without an answer. */
export const hangUp: Step = (response) => {
  response.socket?.destroy();
};

export const neverAnswer: Step = () => {};
