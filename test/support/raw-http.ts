import { connect } from 'node:net';

/** A server's answer as text, its status (0 if none), and the milliseconds until the server closed the connection. */
export type RawReply = { readonly text: string; readonly status: number; readonly closedAfterMs: number };

/**
 * Opens a connection, writes the chunks unchanged, and resolves when the server closes the connection. An incomplete
 * request stays incomplete.
 */
export function exchange(url: string, ...chunks: readonly (string | Uint8Array)[]): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    for (const chunk of chunks) socket.write(chunk);
    socket.on('data', (data) => received.push(data));
    // Ignore errors, because a reset of the connection also closes it.
    socket.on('error', () => {});
    socket.on('close', () => {
      const text = Buffer.concat(received).toString();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({ text, status, closedAfterMs: performance.now() - started });
    });
  });
}

/** Returns a complete request that asks to close the connection. */
export function rawRequest(line: string, headers: readonly string[], body: string | Uint8Array = ''): Uint8Array {
  const head = [`${line} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}
