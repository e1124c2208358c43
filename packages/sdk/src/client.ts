import { ConnectionError, errorOf, TimeoutError, WhenceError } from './errors.ts';
import { List } from './list.ts';
import { retryDelayMs } from './retry.ts';

export interface WhenceOptions {
  /** Where the service is, with `BASE_PATH` where it has one: `https://whence.example`. */
  readonly baseUrl: string | URL | undefined;
  /** A secret key, `sk_live_…`. It belongs on servers: in pages use `@whence/browser` with a publishable key. */
  readonly apiKey: string | undefined;
  /** Instead of a key: the cookie of whoever has signed in. Only for pages that the service itself serves. */
  readonly session?: boolean | undefined;
  /** How often a call that failed for a passing reason is sent again: 2. */
  readonly maxRetries?: number | undefined;
  /** How long one attempt may take, to its last byte: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The service's `HEADER_PREFIX`: `X-Service`. */
  readonly headerPrefix?: string | undefined;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the global one: for logs, proxies, tests. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Of any call. */
export interface RequestOptions {
  /** Ends the call, its retries too; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Sent with this call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Of a call that creates or acts. */
export interface PostOptions extends RequestOptions {
  /**
   * Two calls with the same key are one: the second answers what the first did. Each call gets a key of its own, so that
   * its retries are safe; give one to be safe beyond them, such as across restarts. 1–255 visible ASCII characters.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Of a change where two people may edit. */
export interface VersionOptions {
  /** The `etag` that you have read: the change is refused (412, `PreconditionError`) when there is a newer version. */
  readonly ifMatch?: string | undefined;
}

/** Of a report that may continue an opportunity. */
export interface OpportunityOptions {
  /** The number that an earlier report answered, to go on with it. */
  readonly opportunity?: Id | undefined;
}

/** A number, or its digits. */
export type Id = number | string;

/** What was answered, with what came along. */
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** Which version of the resource this is, for `ifMatch`. */
  readonly etag: string | undefined;
}

/** A call that is under way: await it for its data. */
export interface Call<T> extends Promise<T> {
  /** The data with status, headers and ETag. */
  withResponse: () => Promise<Answer<T>>;
}

export interface CallParts {
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly options?: (PostOptions & VersionOptions & OpportunityOptions) | undefined;
  /** What the answer is: JSON, a text, the number of an opportunity in a header, or nothing. */
  readonly reads?: 'json' | 'text' | 'opportunity' | 'nothing' | undefined;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** A call as it is sent, the same at every attempt. */
interface Outgoing {
  readonly name: string;
  readonly url: string;
  readonly init: { readonly method: Method; readonly headers: Headers; readonly body?: string };
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly maxRetries: number;
  readonly repeatable: boolean;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 2;
/** The longest that timers can wait. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Sends calls: keys, time-outs, retries, errors. The resources say which. */
export class Client {
  readonly #options: WhenceOptions;
  readonly #root: string;
  readonly #prefix: string;

  constructor(options: WhenceOptions) {
    this.#options = options;
    this.#root = rootOf(options.baseUrl);
    this.#prefix = options.headerPrefix ?? 'X-Service';
    requireOneIdentity(options);
    limitsOf(options);
  }

  /** Sends the call at once. */
  call<T>(method: Method, path: string, parts: CallParts = {}): Call<T> {
    const answer = this.#perform<T>(method, path, parts);
    const data = answer.then(({ data }) => data);
    return Object.assign(data, {
      withResponse: () => {
        // Whoever asks for the whole answer hears of its failure there.
        data.catch(() => {});
        return answer;
      },
    });
  }

  /** A list that is read as it is walked. */
  list<T>(path: string, query: object | undefined, options: RequestOptions | undefined): List<T> {
    return new List<T>(async (more) => {
      const asked: { readonly after?: unknown } = { ...query, ...more };
      const answer = await this.#perform<T[]>('GET', path, { query: asked, options });
      const { data, headers } = answer;
      const estimatedCount = Number(this.#serviceHeader(answer, 'Estimated-Count', `GET ${path}`));
      const after = nextCursor(headers.get('link'), this.#root);
      if (!Array.isArray(data) || (after !== undefined && after === asked.after)) {
        // A cache that looks at the path alone would send a walk in a circle.
        throw unexpected(`GET ${path}`, answer, 'The answer is not the page that was asked for.');
      }
      return { data, estimatedCount, ...(after === undefined ? {} : { after }) };
    }, query);
  }

  async #perform<T>(method: Method, path: string, parts: CallParts): Promise<Answer<T>> {
    const outgoing = this.#outgoing(method, path, parts);
    const received = await this.#sendUntilAnswered(outgoing);
    const { status, headers } = received;
    const data = this.#read(outgoing.name, parts.reads ?? 'json', received) as T;
    return { data, status, headers, etag: headers.get('etag') ?? undefined };
  }

  #outgoing(method: Method, path: string, { query, body, options = {} }: CallParts): Outgoing {
    const headers = new Headers(this.#options.headers);
    new Headers(options.headers).forEach((value, name) => headers.set(name, value));
    if (this.#options.session !== true) headers.set('authorization', `Bearer ${this.#options.apiKey}`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (method === 'POST') {
      const given = options.idempotencyKey ?? headers.get('idempotency-key');
      headers.set('idempotency-key', given ?? newKey());
    }
    if (options.ifMatch !== undefined) headers.set('if-match', options.ifMatch);
    if (options.opportunity !== undefined) headers.set(`${this.#prefix}-OID`, String(options.opportunity));
    return {
      name: `${method} ${path}`,
      url: `${this.#root}${path}${searchOf(query)}`,
      init: { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
      ...limitsOf(options, this.#options),
      signal: options.signal,
      // After a change that got through, the same condition would refuse its repetition.
      repeatable: !headers.has('if-match'),
    };
  }

  async #sendUntilAnswered(outgoing: Outgoing): Promise<Received> {
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#send(outgoing);
      } catch (error) {
        if (!(error instanceof WhenceError) || retries >= outgoing.maxRetries) throw error;
        const { repeatable, signal } = outgoing;
        const delayMs = retryDelayMs({ error, retries, repeatable, random: Math.random(), nowMs: Date.now() });
        if (delayMs === undefined) throw error;
        await pause(delayMs, signal);
      }
    }
  }

  /** One attempt. */
  async #send({ name, url, init, timeoutMs, signal }: Outgoing): Promise<Received> {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    let timedOut = false;
    const expire = (): void => {
      timedOut = true;
      stop.abort();
    };
    const timer = setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMEOUT_MS));
    const { fetch = globalThis.fetch } = this.#options;
    try {
      // A redirect would turn a POST into a GET, and not every runtime can refuse it by itself.
      const response = await fetch(url, { ...init, redirect: 'manual', signal: stop.signal });
      const { status, headers } = response;
      const text = await response.text();
      if (!response.ok) throw errorOf(name, status, headers, text);
      return { status, headers, text };
    } catch (cause) {
      if (cause instanceof WhenceError) throw cause;
      if (signal?.aborted === true) throw signal.reason;
      if (timedOut) {
        const detail = `No answer within ${timeoutMs} ms.`;
        throw new TimeoutError({ code: 'timed-out', detail, call: name, cause });
      }
      throw new ConnectionError({ code: 'connection-failed', detail: reasonOf(cause), call: name, cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #read(call: string, reads: NonNullable<CallParts['reads']>, received: Received): unknown {
    const { status, headers, text } = received;
    const foreign = (): WhenceError => errorOf(call, status, headers, text);
    switch (reads) {
      case 'text':
        if (headers.get('content-type')?.startsWith('text/html') === true) throw foreign();
        return text;
      case 'nothing':
      case 'opportunity':
        // A proxy's page with the status 200 must not pass for a refund that was taken.
        if (text !== '') throw foreign();
        return reads === 'nothing' ? undefined : Number(this.#serviceHeader(received, 'OID', call));
      case 'json': {
        const data = parsed(text);
        if (typeof data !== 'object' || data === null) throw foreign();
        return data;
      }
      default:
        return reads satisfies never;
    }
  }

  #serviceHeader(answer: Pick<Received, 'status' | 'headers'>, name: string, call: string): string {
    const header = `${this.#prefix}-${name}`;
    const value = answer.headers.get(header);
    if (value !== null) return value;
    const detail = `The answer has no header ${header}: headerPrefix must be the service’s HEADER_PREFIX.`;
    throw unexpected(call, answer, detail);
  }
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

function unexpected(call: string, answer: Pick<Received, 'status' | 'headers'>, detail: string): WhenceError {
  return new WhenceError({ code: 'unexpected-answer', detail, call, status: answer.status, headers: answer.headers });
}

/** Undefined where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Limits = Pick<RequestOptions, 'timeoutMs' | 'maxRetries'>;

/** Those of the call, else the client's. What is no number, such as that of an unset variable, would end no loop. */
function limitsOf(own: Limits, client: Limits = {}): { readonly timeoutMs: number; readonly maxRetries: number } {
  const timeoutMs = own.timeoutMs ?? client.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxRetries = own.maxRetries ?? client.maxRetries ?? DEFAULT_RETRIES;
  if (!(timeoutMs > 0)) throw new TypeError(`timeoutMs must be a number above 0: ${timeoutMs}.`);
  if (!(maxRetries >= 0)) throw new TypeError(`maxRetries must be a number, 0 or more: ${maxRetries}.`);
  return { timeoutMs, maxRetries };
}

/** What the generated resources share. */
export abstract class Resource {
  protected readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }
}

/** A path with its ids: each is one segment, whatever it holds. */
export function path(parts: TemplateStringsArray, ...ids: readonly Id[]): string {
  return parts.reduce((begin, part, index) => `${begin}${segmentOf(ids[index - 1])}${part}`);
}

function segmentOf(id: Id | undefined): string {
  const text = String(id ?? '');
  // An empty one would ask for the list, and dots for what is above.
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`An id is missing: ${JSON.stringify(id)}.`);
  return encodeURIComponent(text);
}

function requireOneIdentity({ apiKey, session }: WhenceOptions): void {
  if (session === true) {
    if (apiKey !== undefined) throw new TypeError('Give apiKey or session, not both.');
  } else if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a key of the service: sk_live_….');
  }
}

function rootOf(baseUrl: string | URL | undefined): string {
  let url: URL;
  try {
    url = new URL(baseUrl ?? '');
  } catch {
    throw new TypeError(
      `baseUrl must be the URL of the service, such as https://whence.example: ${JSON.stringify(baseUrl)}.`,
    );
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`baseUrl must begin with https:// or http://.`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function searchOf(query: object | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** 128 bits; pages over plain http have no `crypto.randomUUID`. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join('-');
}

function nextCursor(link: string | null, root: string): string | undefined {
  const next = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  return next === undefined ? undefined : (new URL(next, root).searchParams.get('after') ?? undefined);
}

/** `fetch failed` says nothing; the reason is below it. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  const reason = cause?.message || cause?.code;
  return `${message ?? String(error)}${reason === undefined ? '' : ` (${reason})`}`;
}

function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // It may have ended since the answer came, and would not say so again.
    signal?.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
