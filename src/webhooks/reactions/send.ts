import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { type Attempt, isSuccess, retryAfterOf } from '../domain/delivery.ts';
import { hostOf, isPlatformAddress, isPublicAddress, refusalOfReceiver } from '../domain/receiver-url.ts';

// An import of node:http would load all of its exports, including an unused HTTP client (undici) of 9 MB.
const { request: httpRequest } = process.getBuiltinModule('node:http');

/** The result of a request, with the beginning of the response body. */
export type Answer = Attempt & { readonly response: string | null };
/** A function that sends one POST request and returns its result. Never throws. */
export type Send = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Answer>;

export type SenderOptions = {
  /** Returns the addresses of a host name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** The setting WEBHOOKS_PRIVATE_ADDRESSES. */
  readonly privateAllowed: boolean;
  readonly totalMs?: number;
  readonly bodyMs?: number;
};

/** The timeout from the DNS lookup to the response headers, in milliseconds. */
export const TOTAL_MS = 10_000;
/**
 * The timeout for the response body, in milliseconds. The body is only logged, because the status already shows whether
 * the message has arrived.
 */
export const BODY_MS = 1_000;
/**
 * The maximum number of bytes read from a response body. It is large, so that most responses end normally before the
 * connection is closed.
 */
export const READ_BYTES = 16 * 1024;
/** The maximum number of informational responses (1xx) before the response. */
const MAX_INFORMATION = 4;
/** The maximum number of stored bytes of a response body. */
export const KEPT_BYTES = 1024;

/**
 * Returns a function that sends requests to addresses supplied by customers. Unless private addresses are allowed, the
 * function connects only to public addresses.
 *
 * The name is resolved once and every address must be allowed. The connection uses one of these addresses, and the
 * connected address is checked again before anything is written. The function follows no redirects, uses no proxy,
 * reuses no connections, and sends no cookies.
 */
export function sender({ resolve, privateAllowed, totalMs = TOTAL_MS, bodyMs = BODY_MS }: SenderOptions): Send {
  return async (url, headers, body) => {
    let call: ClientRequest | undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NotSent(`no response within ${totalMs / 1000} s`)), totalMs);
    });
    try {
      const addresses = await Promise.race([addressesOf(url), late]);
      call = open(url, headers, body, addresses);
      const answer = await Promise.race([headOf(call, isAllowed), late]);
      return answerOf(answer, await beginningOf(answer, bodyMs));
    } catch (error) {
      return { statusCode: null, error: describe(error), retryAfter: null, response: null };
    } finally {
      clearTimeout(timer);
      call?.destroy();
    }
  };

  async function addressesOf(url: string): Promise<readonly string[]> {
    // Check the URL again. It was checked when the webhook was created, but the setting may have changed since.
    const refusal = refusalOfReceiver(url, privateAllowed);
    if (refusal !== undefined) throw new NotSent(`not sent: the URL ${refusal}`);
    const host = hostOf(url);
    const addresses = isIP(host) === 0 ? await resolve(host).catch(throwUnresolved) : [host];
    if (addresses.length === 0) throw new NotSent(NO_ADDRESS);
    if (!addresses.every(isAllowed)) throw new NotSent(PRIVATE);
    return addresses;
  }

  function isAllowed(address: string): boolean {
    return privateAllowed ? !isPlatformAddress(address) : isPublicAddress(address);
  }
}

/** An error whose message is safe to log unchanged. */
class NotSent extends Error {}

const NO_ADDRESS = 'the host has no address';

function throwUnresolved(error: NodeJS.ErrnoException): never {
  const hasNone = error.code === 'ENOTFOUND' || error.code === 'ENODATA';
  throw new NotSent(hasNone ? NO_ADDRESS : 'the host’s name can’t be resolved');
}

// The error text omits the address, because the address could reveal the structure of a network.
const PRIVATE = 'not sent: the host resolves to an address that is not public';

function open(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  addresses: readonly string[],
): ClientRequest {
  const call = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    // Use no agent, so that each request has a new connection and uses no proxy. A receiver could keep a reused
    // connection open.
    agent: false,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    lookup: lookupOf(addresses),
  });
  // `headOf` handles errors until the response arrives. Later errors have no effect.
  call.on('error', () => {});
  call.end(body);
  return call;
}

/**
 * Returns a lookup function with the checked addresses. It calls back asynchronously, like a real lookup. A connection
 * can fail immediately, for example if the network has no route. Without the delay, its error would be emitted before a
 * listener exists, which would end the process.
 */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_, options, callback) => {
    const [first] = found as [{ address: string; family: number }];
    setImmediate(() => {
      if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Resolves with the response once its headers have arrived. Rejects if the request fails, if the connected address is
 * not allowed, or after too many informational responses.
 */
function headOf(call: ClientRequest, isAllowed: (address: string) => boolean): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.on('socket', (socket) => {
      // Check the connected address before TLS starts and before the request is sent.
      socket.once('connect', () => {
        if (!isAllowed(socket.remoteAddress ?? '')) call.destroy(new NotSent(PRIVATE));
      });
    });
    let informed = 0;
    call.on('information', () => {
      informed += 1;
      if (informed > MAX_INFORMATION) call.destroy(new NotSent('too many informational responses'));
    });
    call.on('response', resolve);
    call.on('error', reject);
    call.on('close', () => reject(new NotSent(CLOSED)));
  });
}

const CLOSED = 'the connection closed before the response';

/**
 * Returns the part of the body that arrives within `bodyMs` and READ_BYTES, truncated to KEPT_BYTES. Returns null if it
 * is empty. READ_BYTES includes the framing of chunks, because tiny chunks consist mostly of framing. After READ_BYTES,
 * the response is destroyed at once, so that the rest isn't processed.
 */
function beginningOf(answer: IncomingMessage, bodyMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const { socket } = answer;
    const lastByte = socket.bytesRead + READ_BYTES;
    let kept = 0;
    const end = (): void => {
      clearTimeout(timer);
      resolve(textOf(Buffer.concat(chunks).subarray(0, KEPT_BYTES)));
    };
    const timer = setTimeout(end, bodyMs);
    answer.on('data', (chunk: Buffer) => {
      if (kept < KEPT_BYTES) chunks.push(chunk);
      kept += chunk.length;
      if (socket.bytesRead < lastByte) return;
      end();
      answer.destroy();
    });
    answer.on('error', end);
    answer.on('close', end);
  });
}

/** Returns text that the database accepts, without a truncated character. Returns null if it is empty. */
function textOf(bytes: Buffer): string | null {
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
  return text === '' ? null : text;
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, response: string | null): Answer {
  const redirected = statusCode >= 300 && statusCode < 400 ? ': redirects are not followed' : '';
  return {
    statusCode,
    error: isSuccess(statusCode) ? null : `the receiver returned ${statusCode}${redirected}`,
    retryAfter: retryAfterOf(statusCode, headers['retry-after'], Date.now()),
    response,
  };
}

function describe(error: unknown): string {
  if (error instanceof NotSent) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code in FAILURES) return FAILURES[code] as string;
  if (code.startsWith('HPE_')) return `the response is not HTTP (${code})`;
  if (/CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO|^HOSTNAME/.test(code)) return `the certificate can’t be trusted (${code})`;
  return `the request failed${code === '' ? '' : ` (${code})`}`;
}

const UNREACHABLE = 'the host can’t be reached';

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EPROTO: 'the host doesn’t speak TLS',
  HPE_HEADER_OVERFLOW: 'the response headers are too long',
};
