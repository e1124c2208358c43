import { Agent, request } from 'node:http';
import type { Member } from './member.ts';
import type { Dice } from '#test/support/random.ts';

/**
 * A request that a caller can send. A repeated request is the same report, identified by its ids or its
 * Idempotency-Key.
 */
export type Report = {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
};

export type Answered = {
  readonly kind: 'answered';
  readonly status: number;
  readonly oid: string | undefined;
  readonly text: string;
};

/**
 * The outcome of a request. `answered` means that the response says what was done. `unsent` means that there was no
 * connection. In any other case, such as a 5xx, a reset or a timeout, it is unknown whether the request took effect.
 */
export type Answer = Answered | { readonly kind: 'unknown'; readonly why: string } | { readonly kind: 'unsent' };

/** The outcomes of all calls together. */
export type Tally = {
  acknowledged: number;
  refused: number;
  unknown: number;
  /** The number of unknown outcomes by cause, such as `503` or `ECONNRESET`. */
  readonly unknowns: Map<string, number>;
  /** The longest wait for a 503, in milliseconds. */
  slowest503: number;
  /** The time of the last acknowledged request, from `performance.now()`. */
  acknowledgedAt: number;
};

export type Caller = {
  /** Sends to any process that accepts a connection. */
  readonly send: (report: Report) => Promise<Answer>;
  /** Sends to this process only. */
  readonly sendTo: (member: Member, report: Report) => Promise<Answer>;
  readonly close: () => void;
};

const ANSWERED_WITHIN_MS = 4_000;
const IN_FLIGHT = 'idempotency-in-flight';

export function newTally(): Tally {
  return { acknowledged: 0, refused: 0, unknown: 0, unknowns: new Map(), slowest503: 0, acknowledgedAt: 0 };
}

/**
 * Opens a caller that keeps one connection to each process, and drops it when the process announces that it closes, as
 * every HTTP client does.
 */
export function openCaller(members: readonly Member[], key: string, dice: Dice, tally: Tally): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return { send, sendTo, close: () => agent.destroy() };

  async function send(report: Report): Promise<Answer> {
    const first = dice.roll(members.length);
    for (let n = 0; n < members.length; n += 1) {
      const answer = await exchange(members[(first + n) % members.length]!, report);
      // If a process accepts no connection, try the next one.
      if (answer.kind !== 'unsent') return count(answer);
    }
    return { kind: 'unsent' };
  }

  async function sendTo(member: Member, report: Report): Promise<Answer> {
    return count(await exchange(member, report));
  }

  function count(answer: Answer): Answer {
    if (answer.kind === 'unknown') {
      tally.unknown += 1;
      tally.unknowns.set(answer.why, (tally.unknowns.get(answer.why) ?? 0) + 1);
    } else if (answer.kind === 'unsent') {
      return answer;
    } else if (answer.status < 300) {
      tally.acknowledged += 1;
      tally.acknowledgedAt = performance.now();
    } else {
      tally.refused += 1;
    }
    return answer;
  }

  function exchange(member: Member, { method = 'POST', path, body, idempotencyKey }: Report): Promise<Answer> {
    const began = performance.now();
    return new Promise((resolve) => {
      const unknown = (error: Error): void => {
        const why = codeOf(error);
        resolve(why === 'ECONNREFUSED' ? { kind: 'unsent' } : { kind: 'unknown', why });
      };
      const call = request(`${member.url()}/v1${path}`, {
        method,
        agent,
        timeout: ANSWERED_WITHIN_MS,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
      });
      call.on('timeout', () => call.destroy(new Error('no answer')));
      call.on('error', unknown);
      call.on('response', (answer) => {
        const { statusCode: status = 0, headers } = answer;
        const oid = headers['x-service-oid'];
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('error', unknown);
        answer.on('end', () => {
          if (status === 503) tally.slowest503 = Math.max(tally.slowest503, performance.now() - began);
          if (status >= 500) resolve({ kind: 'unknown', why: String(status) });
          // An earlier request with the same key is still running, so its outcome is unknown.
          else if (text.includes(IN_FLIGHT)) resolve({ kind: 'unknown', why: IN_FLIGHT });
          else resolve({ kind: 'answered', status, oid: typeof oid === 'string' ? oid : undefined, text });
        });
      });
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
