import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { type Attempt, isSuccess, retryAfterOf } from '#domain/delivery.ts';
import { hostOf, isPublicAddress, refusalOfReceiver } from '#domain/receiver-url.ts';

// By an import Node would load all that the module exports: a whole client (undici) of 9 MB that nobody uses.
const { request: httpRequest } = process.getBuiltinModule('node:http');

/** What came of a request, and how the answer's body began. */
export type Answer = Attempt & { readonly response: string | null };
/** Posts once and answers what came of it; never throws. */
export type Send = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Answer>;

export type SenderOptions = {
  /** The addresses of a host's name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** The setting WEBHOOKS_PRIVATE_ADDRESSES. */
  readonly privateAllowed: boolean;
  readonly totalMs?: number;
  readonly bodyMs?: number;
};

/** From the look-up of the name to the head of the answer. */
export const TOTAL_MS = 10_000;
/** For the answer's body, which is for the log alone: the head has said whether the news has arrived. */
export const BODY_MS = 1_000;
/** So much of an answer is read, so that most end in peace before the connection is cut. */
export const READ_BYTES = 16 * 1024;
/** So much of it is kept. */
export const KEPT_BYTES = 1024;

/**
 * Makes what posts to addresses that strangers have given. Only to public ones: the name is resolved once, every address
 * of it has to be public, the connection goes to one of those, and what it is connected to is looked at again before
 * anything is written. No redirect is followed, no proxy used, no connection kept, no cookie sent.
 */
export function sender({ resolve, privateAllowed, totalMs = TOTAL_MS, bodyMs = BODY_MS }: SenderOptions): Send {
  return async (url, headers, body) => {
    let call: ClientRequest | undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NotSent(`no answer within ${totalMs / 1000} s`)), totalMs);
    });
    try {
      const addresses = await Promise.race([addressesOf(url), late]);
      call = open(url, headers, body, addresses);
      const answer = await Promise.race([headOf(call, isAllowed), late]);
      return judge(answer, await beginningOf(answer, bodyMs));
    } catch (error) {
      return { statusCode: null, error: describe(error), retryAfter: null, response: null };
    } finally {
      clearTimeout(timer);
      call?.destroy();
    }
  };

  async function addressesOf(url: string): Promise<readonly string[]> {
    // Judged when the webhook was made; the setting may have changed since.
    const refusal = refusalOfReceiver(url, privateAllowed);
    if (refusal !== undefined) throw new NotSent(`not sent: the URL ${refusal}`);
    const host = hostOf(url);
    const addresses = isIP(host) === 0 ? await resolve(host).catch(unresolved) : [host];
    if (addresses.length === 0) throw new NotSent(NO_ADDRESS);
    if (!addresses.every(isAllowed)) throw new NotSent(PRIVATE);
    return addresses;
  }

  function isAllowed(address: string): boolean {
    return privateAllowed || isPublicAddress(address);
  }
}

/** Its message is for the log as it is. */
class NotSent extends Error {}

const NO_ADDRESS = 'the host has no address';

function unresolved(error: NodeJS.ErrnoException): never {
  const hasNone = error.code === 'ENOTFOUND' || error.code === 'ENODATA';
  throw new NotSent(hasNone ? NO_ADDRESS : 'the host’s name can’t be resolved');
}

// Which one it was is nobody's business: it may be how a network is built.
const PRIVATE = 'not sent: the host leads to an address that is not public';

function open(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  addresses: readonly string[],
): ClientRequest {
  const call = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    // A connection for each request: one that was kept would be held by a receiver, and proxies are an agent's.
    agent: false,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    lookup: lookupOf(addresses),
  });
  // Errors are heard where the answer is waited for; those after it are nobody's.
  call.on('error', () => {});
  call.end(body);
  return call;
}

/** In the place of the system's look-up: the addresses that were judged, and no others. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_, options, callback) => {
    const [first] = found as [{ address: string; family: number }];
    if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

/** Resolves with the answer once its head is there. */
function headOf(call: ClientRequest, isAllowed: (address: string) => boolean): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.on('socket', (socket) => {
      // Before the first byte of the request, and before TLS.
      socket.once('connect', () => {
        if (!isAllowed(socket.remoteAddress ?? '')) call.destroy(new NotSent(PRIVATE));
      });
    });
    call.on('response', resolve);
    call.on('error', reject);
    call.on('close', () => reject(new NotSent(CLOSED)));
  });
}

const CLOSED = 'the connection was closed before an answer came';

/** What there is of a body within `bodyMs` and READ_BYTES, cut to KEPT_BYTES; null where there is none. */
function beginningOf(answer: IncomingMessage, bodyMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let read = 0;
    const end = (): void => {
      clearTimeout(timer);
      resolve(textOf(Buffer.concat(chunks).subarray(0, KEPT_BYTES)));
    };
    const timer = setTimeout(end, bodyMs);
    answer.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read - chunk.length < KEPT_BYTES) chunks.push(chunk);
      if (read >= READ_BYTES) end();
    });
    answer.on('error', end);
    answer.on('close', end);
  });
}

/** As text that a database takes; a character that was cut in two is left out. */
function textOf(bytes: Buffer): string | null {
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
  return text === '' ? null : text;
}

function judge({ statusCode = 0, headers }: IncomingMessage, response: string | null): Answer {
  const redirected = statusCode >= 300 && statusCode < 400 ? ': redirects are not followed' : '';
  return {
    statusCode,
    error: isSuccess(statusCode) ? null : `answered ${statusCode}${redirected}`,
    retryAfter: retryAfterOf(statusCode, headers['retry-after'], Date.now()),
    response,
  };
}

function describe(error: unknown): string {
  if (error instanceof NotSent) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code in FAILURES) return FAILURES[code] as string;
  if (code.startsWith('HPE_')) return `the answer is not HTTP (${code})`;
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
  HPE_HEADER_OVERFLOW: 'the answer’s headers are too long',
};
