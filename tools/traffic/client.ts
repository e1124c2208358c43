import { randomUUID } from 'node:crypto';
import { Agent as HttpAgent, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from './random.ts';

/**
 * A request to the service, usually a report. The service recognizes a repeated report by its ids or its
 * Idempotency-Key.
 */
export type Report = {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  /** The path below `/v1`. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** The number of the opportunity that the report continues. */
  readonly opportunity?: string | undefined;
  /** Whether the report is sent with the publishable key, as from a page. */
  readonly isPublic?: boolean;
};

export type Answered = {
  readonly kind: 'answered';
  readonly status: number;
  readonly oid: string | undefined;
  readonly text: string;
};

/**
 * The outcome of a request. `answered` means that the response says what was done. `unsent` means that there was no
 * connection. `unknown` covers all other cases, such as a 5xx, a 429, a reset or a timeout: the request may have taken
 * effect.
 */
export type Answer =
  Answered | { readonly kind: 'unknown'; readonly why: string; readonly retryMs: number } | { readonly kind: 'unsent' };

/** The outcomes of all requests by the clients that share the tally. */
export class Tally {
  acknowledged = 0;
  refused = 0;
  /** The number of unknown outcomes by cause, such as `503` or `ECONNRESET`. */
  readonly unknowns = new Map<string, number>();
  /** The longest wait for a 503, in milliseconds. */
  slowest503 = 0;
  /**
   * The requests by path: the number sent, the number acknowledged, and the durations of all attempts in microseconds.
   */
  readonly paths = new Map<string, { sent: number; acknowledged: number; readonly times: RecordableHistogram }>();

  add(path: string, answer: Answer, ms: number): void {
    if (answer.kind === 'unsent') return;
    const counted = this.paths.get(path) ?? { sent: 0, acknowledged: 0, times: createHistogram() };
    this.paths.set(path, counted);
    counted.sent += 1;
    counted.times.record(Math.max(1, Math.round(ms * 1_000)));
    if (answer.kind === 'unknown') {
      this.unknowns.set(answer.why, (this.unknowns.get(answer.why) ?? 0) + 1);
      if (answer.why === '503') this.slowest503 = Math.max(this.slowest503, ms);
    } else if (answer.status < 300) {
      this.acknowledged += 1;
      counted.acknowledged += 1;
    } else this.refused += 1;
  }
}

export type Send = (report: Report) => Promise<Answer>;

export type Client = {
  /** Sends a request to a process of the service that accepts a connection, starting with a random process. */
  readonly send: Send;
  /** Sends a request to the process at `url` only. */
  readonly sendTo: (url: string, report: Report) => Promise<Answer>;
  /** Sends a request repeatedly until it is answered. Throws if that takes longer than `givesUpAfterMs`. */
  readonly insist: (report: Report) => Promise<Answered>;
  /** Creates a resource, and returns its id. Throws if that is refused. */
  readonly create: (path: string, body: object) => Promise<number>;
  readonly close: () => void;
};

export type ClientOptions = {
  /** Returns the URLs of the service's processes, which may change while they restart. */
  readonly urls: () => readonly string[];
  readonly key: string;
  readonly publishableKey?: string | undefined;
  readonly headerPrefix?: string | undefined;
  /** The maximum number of connections to each process. */
  readonly connections?: number;
  /** The time limit of one attempt, in milliseconds. */
  readonly timeoutMs?: number;
  /** The time limit of all attempts of `insist` together, in milliseconds. */
  readonly givesUpAfterMs?: number;
  readonly tally: Tally;
  readonly dice: Dice;
};

const ANSWERED_WITHIN_MS = 4_000;
/** The time after which `insist` stops repeating a request, in milliseconds. It is longer than any fault. */
const GIVES_UP_AFTER_MS = 120_000;
/** The longest pause before an unanswered request is repeated, in milliseconds. */
const LONGEST_PAUSE_MS = 150;
const IN_FLIGHT = 'idempotency-in-flight';

/**
 * Opens a client that records the outcome of each request. It keeps connections open. It drops a connection when the
 * process announces that it will close the connection, as HTTP clients do.
 */
export function openClient(options: ClientOptions): Client {
  const { urls, key, publishableKey = key, headerPrefix = 'X-Service', connections = 1, tally, dice } = options;
  const { timeoutMs = ANSWERED_WITHIN_MS, givesUpAfterMs = GIVES_UP_AFTER_MS } = options;
  const isSecure = urls()[0]?.startsWith('https:') === true;
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: connections });
  const request = isSecure ? overHttps : overHttp;
  return { send, sendTo, insist, create, close: () => agent.destroy() };

  async function send(report: Report): Promise<Answer> {
    const all = urls();
    const first = dice.roll(all.length);
    for (let n = 0; n < all.length; n += 1) {
      const answer = await sendTo(all[(first + n) % all.length]!, report);
      // If a process accepts no connection, try the next process.
      if (answer.kind !== 'unsent') return answer;
    }
    return { kind: 'unsent' };
  }

  async function sendTo(url: string, report: Report): Promise<Answer> {
    const began = performance.now();
    const answer = await exchange(url, report);
    tally.add(report.path, answer, performance.now() - began);
    return answer;
  }

  async function insist(report: Report): Promise<Answered> {
    const deadline = performance.now() + givesUpAfterMs;
    for (;;) {
      const answer = await send(report);
      if (answer.kind === 'answered') return answer;
      if (performance.now() > deadline)
        throw new Error(`${report.path} was not answered within ${givesUpAfterMs / 1_000} s.`);
      await pauseAfter(answer, dice);
    }
  }

  async function create(path: string, body: object): Promise<number> {
    const { status, text } = await insist({ path, body, idempotencyKey: randomUUID() });
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return (JSON.parse(text) as { id: number }).id;
  }

  function exchange(url: string, report: Report): Promise<Answer> {
    const { method = 'POST', path, body, idempotencyKey, opportunity, isPublic = false } = report;
    return new Promise((resolve) => {
      const unknown = (why: string, retryMs = 0): void => resolve({ kind: 'unknown', why, retryMs });
      const failed = (error: Error): void => {
        const why = 'code' in error ? String(error.code) : error.message;
        if (why === 'ECONNREFUSED') resolve({ kind: 'unsent' });
        else unknown(why);
      };
      const call = request(`${url}/v1${path}`, {
        method,
        agent,
        timeout: timeoutMs,
        headers: {
          authorization: `Bearer ${isPublic ? publishableKey : key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...(opportunity === undefined ? {} : { [`${headerPrefix}-OID`]: opportunity }),
        },
      });
      call.on('timeout', () => call.destroy(new Error('no answer')));
      call.on('error', failed);
      call.on('response', (answer) => {
        const { statusCode: status = 0, headers } = answer;
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('error', failed);
        answer.on('end', () => {
          // An earlier request with the same key may still be running, so its outcome is unknown.
          if (text.includes(IN_FLIGHT)) unknown(IN_FLIGHT);
          else if (status >= 500 || status === 429)
            unknown(String(status), Number(headers['retry-after'] ?? 0) * 1_000);
          else resolve({ kind: 'answered', status, oid: headers[`${headerPrefix}-OID`.toLowerCase()] as string, text });
        });
      });
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/**
 * Waits before a request is repeated. The wait is the delay in the header `Retry-After`, up to a second, plus a random
 * pause of at most LONGEST_PAUSE_MS.
 */
export async function pauseAfter(answer: Answer, dice: Dice): Promise<void> {
  const asked = answer.kind === 'unknown' ? Math.min(answer.retryMs, 1_000) : 0;
  await delay(asked + 1 + dice.roll(LONGEST_PAUSE_MS));
}
