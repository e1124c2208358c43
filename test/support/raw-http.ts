import { connect } from 'node:net';

/** What a server answered on a connection of its own, as text, and after how many milliseconds it closed it. */
export type RawReply = { readonly text: string; readonly status: number; readonly closedAfterMs: number };

/** Writes `chunks` as they are, one after the other, and resolves when the server closes. Half-written requests stay so. */
export function exchange(url: string, ...chunks: readonly (string | Uint8Array)[]): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    for (const chunk of chunks) socket.write(chunk);
    socket.on('data', (data) => received.push(data));
    // A reset is a close too.
    socket.on('error', () => {});
    socket.on('close', () => {
      const text = Buffer.concat(received).toString();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({ text, status, closedAfterMs: performance.now() - started });
    });
  });
}

/** A whole request that asks for the connection to be closed. */
export function rawRequest(line: string, headers: readonly string[], body: string | Uint8Array = ''): Uint8Array {
  const head = [`${line} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}
