import { connect, type Socket } from 'node:net';
import { quantile } from './figures.ts';

/** The status of a response, and its status line and headers as text. */
export type Answer = { readonly status: number; readonly head: string };

export type Load = {
  readonly port: number;
  readonly callers: number;
  readonly seconds: number;
  /** Returns the bytes of the next request, or undefined if nothing is left to send. */
  readonly next: () => Buffer | string | undefined;
  /**
   * The number of requests per second, spread evenly over the callers. If it is undefined, each caller sends its next
   * request immediately after a response.
   */
  readonly rate?: number;
  readonly onAnswer?: (answer: Answer) => void;
};

export type Result = {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly total: number;
  readonly failures: number;
};

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Runs callers with keep-alive connections for a number of seconds. Each caller has one request under way at a time.
 *
 * The generator parses only the status and length of a response, to use little processor time.
 */
export async function runLoad({ port, callers, seconds, next, rate, onAnswer }: Load): Promise<Result> {
  const latencies: number[] = [];
  let failures = 0;
  const started = performance.now();
  const deadline = started + seconds * 1000;
  const pause = rate === undefined ? 0 : (callers / rate) * 1000;
  await Promise.all(Array.from({ length: callers }, (_, n) => runCaller(started + (pause * n) / callers)));
  const elapsed = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    requestsPerSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    total: latencies.length,
    failures,
  };

  function runCaller(first: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let sentAt = 0;
      let due = first;
      let pending: Buffer = Buffer.alloc(0);
      socket.on('error', reject);
      socket.on('connect', sendWhenDue);
      socket.on('data', (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const answer = readAnswer(pending);
        if (answer === undefined) return;
        pending = pending.subarray(answer.length);
        latencies.push(performance.now() - sentAt);
        if (answer.status !== 200) failures += 1;
        onAnswer?.(answer);
        sendWhenDue();
      });

      function sendWhenDue(): void {
        const wait = due - performance.now();
        due += pause;
        if (pause > 0 && wait > 0) setTimeout(send, wait);
        else send();
      }

      function send(): void {
        sentAt = performance.now();
        const request = sentAt < deadline ? next() : undefined;
        if (request === undefined) finish(socket, resolve);
        else socket.write(request);
      }
    });
  }
}

function finish(socket: Socket, resolve: () => void): void {
  socket.on('close', () => resolve());
  socket.end();
}

function readAnswer(bytes: Buffer): (Answer & { length: number }) | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return bytes.length < length ? undefined : { status: Number(head.slice(9, 12)), head, length };
}

/** Returns a POST request with a JSON body, as text to send. */
export function post(path: string, key: string, body: unknown, headers = ''): string {
  const text = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
    `${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}
