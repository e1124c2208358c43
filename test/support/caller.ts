import { once } from 'node:events';
import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly text: string;
};
export type RequestOptions = {
  /** An API key, or none. */
  readonly key?: string | undefined;
  /** A value that is sent as JSON. A string or bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
export type Request = (method: string, path: string, options?: RequestOptions) => Promise<Reply>;

export type Caller = {
  readonly send: Request;
  /** Closes idle connections. While they are open, a stopping service waits up to one second for further calls. */
  readonly leave: () => void;
};

/**
 * Returns a client of the service at `base`. Calls take half the time of `fetch`, and connections can be closed. Paths
 * are sent unchanged, because a URL would normalize them (`%2e%2e`). Only paths with characters that HTTP doesn't allow
 * are normalized.
 */
export function openCaller(base: string): Caller {
  const agent = new Agent({ keepAlive: true });
  const { pathname } = new URL(base);
  const exactly = (path: string) => (SENDABLE.test(path) ? { path: pathname.replace(/\/$/, '') + path } : {});
  return {
    send: async (method, path, { key, body, headers = {} } = {}) => {
      const bytes = body === undefined ? undefined : bytesOf(body);
      const call = openRequest(base + path, {
        agent,
        method,
        ...exactly(path),
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }),
          ...headers,
        },
      });
      // Ignore the error, because the service may answer and close the connection before the whole request is sent. If
      // there is no answer, `once` throws the error.
      call.on('error', () => {});
      call.end(bytes);
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      return replyOf(answer, await textOf(answer));
    },
    leave: () => {
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    },
  };
}

const SENDABLE = /^\/[\u0021-\u007e]*$/;

function bytesOf(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function replyOf({ statusCode = 0, headersDistinct }: IncomingMessage, text: string): Reply {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const isJson = text !== '' && headers.get('content-type')?.includes('json') === true;
  return { status: statusCode, headers, body: isJson ? (JSON.parse(text) as unknown) : undefined, text };
}
