import { ConnectionError, errorOf, TimeoutError, WhenceError } from './errors.ts';
import { List } from './list.ts';
import { pause, retryDelayMs } from './retry.ts';
import { nextCursor, rootOf, searchOf } from './urls.ts';

export interface WhenceOptions {
  /** The service's URL, including `BASE_PATH` if it is set: `https://whence.example`. */
  readonly baseUrl: string | URL | undefined;
  /** A secret key, `sk_live_…`. Use it only on servers. In pages, use `@whence/browser` with a publishable key. */
  readonly apiKey: string | undefined;
  /** Whether to use the cookie of the logged-in user instead of a key. Only pages of the service itself can do this. */
  readonly session?: boolean | undefined;
  /** The maximum number of retries after temporary failures of a call. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** The time limit for one attempt, including the whole body, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The service's `HEADER_PREFIX`. Default: `X-Service`. */
  readonly headerPrefix?: string | undefined;
  /** Headers sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`, for logs, proxies or tests. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Options of any call. */
export interface RequestOptions {
  /** Aborts the call and its retries. The signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** The time limit for one attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Headers sent with this call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of a call that creates a resource or performs an action. */
export interface PostOptions extends RequestOptions {
  /**
   * The key that identifies repeats of a call. A call that repeats an earlier key is not carried out again, and returns
   * the result of the earlier call. By default, each call gets a new key, so that its retries are safe. Set a key to
   * repeat a call yourself, such as after a restart. A key has 1 to 255 visible ASCII characters.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a change to a resource that several users may edit concurrently. */
export interface VersionOptions {
  /** The `etag` that you read. If there is a newer version, the change is refused (412, `PreconditionError`). */
  readonly ifMatch?: string | undefined;
}

/** Options of a report that may continue an opportunity. */
export interface OpportunityOptions {
  /** The opportunity number from an earlier report. The new report continues the same opportunity. */
  readonly opportunity?: Id | undefined;
}

/** An id as a number, or as its digits. */
export type Id = number | string;

/** The data of a response, with its status and headers. */
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** The ETag of the resource, to pass as `ifMatch`. Undefined if the response has none. */
  readonly etag: string | undefined;
}

/** A running call. Await it to get its data. */
export interface Call<T> extends Promise<T> {
  /** Resolves with the data, the status, the headers and the ETag. */
  withResponse: () => Promise<Answer<T>>;
}

/**
 * The content of a response: JSON, text, an opportunity number in a header, or nothing. With `opportunity-if-any`, the
 * header may be missing.
 */
export type Content = 'json' | 'text' | 'opportunity' | 'opportunity-if-any' | 'nothing';

interface CallParts {
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly options?: CallOptions | undefined;
}
type CallOptions = PostOptions & VersionOptions & OpportunityOptions;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** A call as it is sent, identical in every attempt. */
interface RequestParts {
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
/** The longest delay that timers support, in milliseconds. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Sends calls and handles keys, timeouts, retries and errors. The resources define the calls. */
export class Client {
  readonly #options: WhenceOptions;
  readonly #prefix: string;

  constructor(options: WhenceOptions) {
    this.#options = options;
    if (!isUnset(options.baseUrl)) rootOf(options.baseUrl);
    this.#prefix = options.headerPrefix ?? 'X-Service';
    if (!isUnset(options.apiKey) || options.session === true) requireOneIdentity(options);
    limitsOf(options);
  }

  /**
   * Returns the root URL of the service. An unset `baseUrl` causes an error only when a call is made. So a program can
   * be built or imported while the variable for `baseUrl` is unset.
   */
  get #root(): string {
    return rootOf(this.#options.baseUrl);
  }

  /** Sends a GET. The parameters are positional, because property names would make the bundle of every page larger. */
  get<T>(path: string, options?: RequestOptions, query?: object, content?: Content): Call<T> {
    return this.#call('GET', path, { options, query }, content);
  }

  post<T>(path: string, options?: CallOptions, body?: object, content?: Content): Call<T> {
    return this.#call('POST', path, { options, body }, content);
  }

  patch<T>(path: string, options?: CallOptions, body?: object): Call<T> {
    return this.#call('PATCH', path, { options, body });
  }

  delete<T>(path: string, options?: CallOptions, content?: Content): Call<T> {
    return this.#call('DELETE', path, { options }, content);
  }

  /** Returns a list that loads its pages as it is iterated. */
  list<T>(path: string, query: object | undefined, options: RequestOptions | undefined): List<T> {
    return new List<T>(async (more) => {
      const asked: { readonly after?: unknown } = { ...query, ...more };
      const answer = await this.#perform<T[]>('GET', path, { query: asked, options });
      const { data, headers } = answer;
      const estimatedCount = Number(this.#serviceHeader(answer, 'Estimated-Count', `GET ${path}`));
      const after = nextCursor(headers.get('link'), this.#root);
      if (!Array.isArray(data) || (after !== undefined && after === asked.after)) {
        // A cache may have ignored the query and returned another page. Iterating over the list would then never end.
        throw unexpectedAnswer(`GET ${path}`, answer, 'The response is another page. Exclude the API from caching.');
      }
      return { data, estimatedCount, ...(after === undefined ? {} : { after }) };
    }, query);
  }

  /** Sends a call immediately. Returns a promise of its data, with a method that resolves with the whole response. */
  #call<T>(method: Method, path: string, parts: CallParts, content?: Content): Call<T> {
    const answer = this.#perform<T>(method, path, parts, content);
    const data = answer.then(({ data }) => data);
    return Object.assign(data, {
      withResponse: () => {
        // Callers of `withResponse` handle failures of `answer`. Ignore failures of `data`, which would be unhandled
        // rejections.
        data.catch(() => {});
        return answer;
      },
    });
  }

  async #perform<T>(method: Method, path: string, parts: CallParts, content: Content = 'json'): Promise<Answer<T>> {
    requireOneIdentity(this.#options);
    requireSecretKey(this.#options, `${method} ${path}`);
    const outgoing = this.#outgoing(method, path, parts);
    const received = await this.#sendUntilAnswered(outgoing);
    const { status, headers } = received;
    const data = this.#read(outgoing.name, content, received) as T;
    return { data, status, headers, etag: headers.get('etag') ?? undefined };
  }

  #outgoing(method: Method, path: string, { query, body, options = {} }: CallParts): RequestParts {
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
      // If the first attempt succeeded, the ETag has changed, and a retry would fail with a 412.
      repeatable: !headers.has('if-match'),
    };
  }

  async #sendUntilAnswered(outgoing: RequestParts): Promise<Received> {
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

  /**
   * Sends one attempt of a call. Throws an error if the connection fails, the status is not 2xx, no response arrives in
   * time, or the call is aborted.
   */
  async #send({ name, url, init, timeoutMs, signal }: RequestParts): Promise<Received> {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    // The reason lets a custom `fetch` distinguish the time limit from an abort by the caller.
    const expire = (): void => {
      const detail = `No response within ${timeoutMs} ms.`;
      stop.abort(new TimeoutError({ code: 'timed-out', detail, call: name }));
    };
    const timer = setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMEOUT_MS));
    const { fetch = globalThis.fetch } = this.#options;
    try {
      // Following a redirect would turn a POST into a GET, and not every runtime can refuse redirects itself.
      const response = await fetch(url, { ...init, redirect: 'manual', signal: stop.signal });
      const { status, headers } = response;
      const text = await response.text();
      if (!response.ok) throw errorOf(name, status, headers, text);
      return { status, headers, text };
    } catch (cause) {
      if (cause instanceof WhenceError) throw cause;
      if (signal?.aborted === true) throw signal.reason;
      if (stop.signal.aborted) throw stop.signal.reason;
      throw new ConnectionError({ code: 'connection-failed', detail: reasonOf(cause), call: name, cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #read(call: string, content: Content, received: Received): unknown {
    const { status, headers, text } = received;
    const foreignError = (): WhenceError => errorOf(call, status, headers, text);
    switch (content) {
      case 'text':
        if (headers.get('content-type')?.startsWith('text/html') === true) throw foreignError();
        return text;
      case 'nothing':
      case 'opportunity':
      case 'opportunity-if-any':
        // A proxy can return a page with status 200, which must not count as an accepted report.
        if (text !== '') throw foreignError();
        if (content === 'nothing') return undefined;
        if (content === 'opportunity-if-any' && !namesOpportunity(headers)) return null;
        return Number(this.#serviceHeader(received, 'OID', call));
      case 'json': {
        const data = parseJson(text);
        if (typeof data !== 'object' || data === null) throw foreignError();
        return data;
      }
      default:
        return content satisfies never;
    }
  }

  #serviceHeader(answer: Pick<Received, 'status' | 'headers'>, name: string, call: string): string {
    const header = `${this.#prefix}-${name}`;
    const value = answer.headers.get(header);
    if (value !== null) return value;
    const detail = `The response has no header ${header}. Set headerPrefix to the service’s HEADER_PREFIX.`;
    throw unexpectedAnswer(call, answer, detail);
  }
}

/**
 * Returns whether the response has an opportunity header under any prefix, so that a wrong `headerPrefix` still causes
 * an error.
 */
function namesOpportunity(headers: Headers): boolean {
  return [...headers.keys()].some((name) => name.endsWith('-oid'));
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

function unexpectedAnswer(call: string, answer: Pick<Received, 'status' | 'headers'>, detail: string): WhenceError {
  return new WhenceError({ code: 'unexpected-answer', detail, call, status: answer.status, headers: answer.headers });
}

/** Returns the parsed text, or undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Limits = Pick<RequestOptions, 'timeoutMs' | 'maxRetries'>;

/**
 * Returns the limits of the call, with the limits of the client as defaults. Throws a TypeError if a limit is NaN or
 * too small. With NaN as `maxRetries`, for example from an unset variable, the retries would never end.
 */
function limitsOf(own: Limits, client: Limits = {}): { readonly timeoutMs: number; readonly maxRetries: number } {
  const timeoutMs = own.timeoutMs ?? client.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxRetries = own.maxRetries ?? client.maxRetries ?? DEFAULT_RETRIES;
  if (!(timeoutMs > 0)) throw new TypeError(`timeoutMs must be a number above 0, not ${timeoutMs}.`);
  if (!(maxRetries >= 0)) throw new TypeError(`maxRetries must be 0 or more, not ${maxRetries}.`);
  return { timeoutMs, maxRetries };
}

/** The base class of the generated resources. */
export abstract class Resource {
  protected readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }
}

/**
 * Builds a path from its ids. Each id becomes exactly one segment, even if it contains slashes. Throws a TypeError if
 * an id is empty, `.` or `..`.
 */
export function path(parts: TemplateStringsArray, ...ids: readonly Id[]): string {
  return parts.reduce((begin, part, index) => `${begin}${segmentOf(ids[index - 1])}${part}`);
}

function segmentOf(id: Id | undefined): string {
  const text = String(id ?? '');
  // An empty id would address the list, and dots would address a parent path.
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${JSON.stringify(id)} is not an id. Pass the id of a resource.`);
  return encodeURIComponent(text);
}

function requireOneIdentity({ apiKey, session }: WhenceOptions): void {
  if (session === true) {
    if (apiKey !== undefined) throw new TypeError('Set either apiKey or session, not both.');
  } else if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey is missing or malformed. Pass a key such as sk_live_….');
  }
}

/** The only call that a publishable key can make. */
const PUBLISHABLE_CALL = 'POST /v1/event/site-visited';

function requireSecretKey({ apiKey }: WhenceOptions, call: string): void {
  if (apiKey?.startsWith('pk_') !== true || call === PUBLISHABLE_CALL) return;
  throw new TypeError(`${call} needs a secret key (sk_live_…). A publishable key (pk_live_…) can only report visits.`);
}

function isUnset(option: string | URL | undefined): option is undefined | '' {
  return option === undefined || option === '';
}

/** Returns 128 random bits as text. Pages over plain http have no `crypto.randomUUID`. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join('-');
}

/** Returns the error's message with its cause, because the message `fetch failed` alone doesn't give the reason. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  const reason = cause?.message || cause?.code;
  return `${message ?? String(error)}${reason === undefined ? '' : ` (${reason})`}`;
}
