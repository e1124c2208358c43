import type { Fault, Problem } from './schemas.ts';

/** The codes of the service's problems. New ones may come: decide by `status` where you don't know a code. */
export type ProblemCode = Problem['code'];

/**
 * What is thrown without a problem of the service:
 *
 * - `connection-failed`, `timed-out`: no answer came. Whether the call was carried out is unknown.
 * - `unexpected-answer`: something answered, but not as Whence does: a proxy, or another service at `baseUrl`.
 * - `not-modified`: the resource is still as the `If-None-Match` that you sent says.
 * - `invalid-webhook`: a delivery that Whence did not send, or not now.
 */
export type SdkCode = 'connection-failed' | 'timed-out' | 'unexpected-answer' | 'not-modified' | 'invalid-webhook';

export type ErrorCode = ProblemCode | SdkCode;

/** A problem as it came: members beyond these, such as the `externalId` of a sale that is not found, say what it is about. */
export type AnsweredProblem = Problem & { readonly [member: string]: unknown };

export interface ErrorFields {
  readonly code: ErrorCode;
  readonly detail: string;
  /** The call, such as `POST /v1/event/sale`. */
  readonly call?: string | undefined;
  readonly status?: number | undefined;
  readonly problem?: AnsweredProblem | undefined;
  readonly headers?: Headers | undefined;
  readonly cause?: unknown;
}

/** Everything that this package throws, but for faults of the program (`TypeError`) and your own signal's reason. */
export class WhenceError extends Error {
  override readonly name: string = 'WhenceError';
  /** Stable; decide by it. */
  readonly code: ErrorCode;
  /** Of the answer; undefined where none came. */
  readonly status: number | undefined;
  /** What is wrong, in words for a developer. */
  readonly detail: string;
  /** Of a 422: every fault at once, each with a pointer to its field. Empty otherwise. */
  readonly errors: readonly Fault[];
  /** The answer's body as it came, with further members such as the echoed `externalId`. */
  readonly problem: AnsweredProblem | undefined;
  /** Of the answer. */
  readonly headers: Headers | undefined;

  constructor({ code, detail, call, status, problem, headers, cause }: ErrorFields) {
    const which = status === undefined ? code : `${status} ${code}`;
    super(`${call === undefined ? '' : `${call}: `}${which}: ${detail}`, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = status;
    this.detail = detail;
    this.errors = Array.isArray(problem?.errors) ? problem.errors : [];
    this.problem = problem;
    this.headers = headers;
  }
}

/** 401: no valid API key. */
export class AuthenticationError extends WhenceError {
  override readonly name = 'AuthenticationError';
}

/** 403: the key may not do this, or the organization lacks the tier. */
export class PermissionError extends WhenceError {
  override readonly name = 'PermissionError';
}

/** 404: there is no such thing, or not yet (`not-decided`). */
export class NotFoundError extends WhenceError {
  override readonly name = 'NotFoundError';
}

/** 409: the state of things does not allow it, or it was reported with other content before. */
export class ConflictError extends WhenceError {
  override readonly name = 'ConflictError';
}

/** 412: the resource has changed since you read it (`ifMatch`). */
export class PreconditionError extends WhenceError {
  override readonly name = 'PreconditionError';
}

/** 400, 413, 415, 422: the request has faults, see `errors`. */
export class InvalidRequestError extends WhenceError {
  override readonly name = 'InvalidRequestError';
}

/** 429, after the retries. */
export class RateLimitError extends WhenceError {
  override readonly name = 'RateLimitError';
}

/** 5xx, after the retries. Whether the call was carried out is unknown. */
export class ServerError extends WhenceError {
  override readonly name = 'ServerError';
}

/** No answer came, after the retries. Whether the call was carried out is unknown. */
export class ConnectionError extends WhenceError {
  override readonly name: string = 'ConnectionError';
}

/** No answer came in `timeoutMs`, after the retries. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** A webhook's delivery that is not from Whence, was changed on its way, or is too old. */
export class WebhookVerificationError extends WhenceError {
  override readonly name = 'WebhookVerificationError';

  constructor(detail: string) {
    super({ code: 'invalid-webhook', detail });
  }
}

/** The error of an answer that is not a success; `text` is its body. */
export function errorOf(call: string, status: number, headers: Headers, text: string): WhenceError {
  const problem = problemIn(text);
  const code = status === 304 ? 'not-modified' : (problem?.code ?? 'unexpected-answer');
  const detail = problem === undefined ? withoutProblem(status, headers, text) : problem.detail;
  return new (classOf(status))({ code, detail, call, status, problem, headers });
}

function problemIn(text: string): AnsweredProblem | undefined {
  try {
    const body = JSON.parse(text) as Partial<AnsweredProblem> | null;
    // Others have codes as well.
    return typeof body?.code === 'string' && typeof body.detail === 'string' ? (body as AnsweredProblem) : undefined;
  } catch {
    return undefined;
  }
}

const SHOWN_CHARACTERS = 200;

function withoutProblem(status: number, headers: Headers, text: string): string {
  if (status === 304) return 'The resource is unchanged.';
  const location = headers.get('location');
  if (location !== null) return `The service is somewhere else: set baseUrl for ${location}.`;
  const begin = text.trim().slice(0, SHOWN_CHARACTERS);
  return `This is no answer of Whence${begin === '' ? '.' : `: ${begin}`}`;
}

function classOf(status: number): typeof WhenceError {
  if (status >= 500) return ServerError;
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return InvalidRequestError;
    case 401:
      return AuthenticationError;
    case 403:
      return PermissionError;
    case 404:
      return NotFoundError;
    case 409:
      return ConflictError;
    case 412:
      return PreconditionError;
    case 429:
      return RateLimitError;
    default:
      return WhenceError;
  }
}
