import type { Fault, Problem } from './generated/schemas.ts';

/** The service's problem codes. New codes may be added: handle unknown codes by `status`. */
export type ProblemCode = Problem['code'];

/**
 * The codes of errors without a problem from the service:
 *
 * - `connection-failed`, `timed-out`: there was no response. It is unknown whether the call was carried out.
 * - `unexpected-answer`: the response is not a valid response of Whence. For example, it is from a proxy or another
 *   service at `baseUrl`, or `headerPrefix` is wrong.
 * - `not-modified`: the resource still matches the `If-None-Match` that you sent.
 * - `invalid-webhook`: a delivery can't be verified, or its time is out of tolerance.
 */
export type SdkCode = 'connection-failed' | 'timed-out' | 'unexpected-answer' | 'not-modified' | 'invalid-webhook';

export type ErrorCode = ProblemCode | SdkCode;

/** A problem as received. It can have further members, such as the `externalId` of a sale that was not found. */
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

/**
 * The base class of almost all errors that this package throws. The exceptions are `TypeError` and `RangeError` for
 * programming errors, and the abort reason of a `signal`.
 */
export class WhenceError extends Error {
  override readonly name: string = 'WhenceError';
  /** The stable error code. Use it to handle errors. */
  readonly code: ErrorCode;
  /** The status of the response. Undefined if there was no response. */
  readonly status: number | undefined;
  /** A description of the error for developers. */
  readonly detail: string;
  /** All faults that the problem lists, each with a pointer to its field. Empty if the problem lists none. */
  readonly errors: readonly Fault[];
  /**
   * The problem in the body of the response, including further members such as the echoed `externalId`. Undefined if
   * the body has no problem.
   */
  readonly problem: AnsweredProblem | undefined;
  /** The headers of the response. Undefined if there was no response. */
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

/** The error for a 401: the API key or the session is missing or not valid. */
export class AuthenticationError extends WhenceError {
  override readonly name = 'AuthenticationError';
}

/**
 * The error for a 403: the call is not allowed. `code` says why, for example because a permission or a tier is missing.
 */
export class PermissionError extends WhenceError {
  override readonly name = 'PermissionError';
}

/** The error for a 404: the resource doesn't exist, or doesn't exist yet (`not-decided`). */
export class NotFoundError extends WhenceError {
  override readonly name = 'NotFoundError';
}

/**
 * The error for a 409: the current state doesn't allow the call, or the same id was reported before with other content.
 */
export class ConflictError extends WhenceError {
  override readonly name = 'ConflictError';
}

/** The error for a 412: the resource has changed since you read it (`ifMatch`). */
export class PreconditionError extends WhenceError {
  override readonly name = 'PreconditionError';
}

/** The error for a 400, 413, 415 or 422: the request is invalid. See `errors`. */
export class InvalidRequestError extends WhenceError {
  override readonly name = 'InvalidRequestError';
}

/** The error for a 429: the rate limit is still exceeded after the retries. */
export class RateLimitError extends WhenceError {
  override readonly name = 'RateLimitError';
}

/** The error for a 5xx: the service still fails after the retries. It is unknown whether the call was carried out. */
export class ServerError extends WhenceError {
  override readonly name = 'ServerError';
}

/**
 * The error for a call that got no response, even after the retries. It is unknown whether the call was carried out.
 */
export class ConnectionError extends WhenceError {
  override readonly name: string = 'ConnectionError';
}

/** The error for a call that got no response within `timeoutMs`, even after the retries. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/**
 * The error for a webhook delivery that is not from Whence, was changed in transit, or has a time that is too far from
 * the current time.
 */
export class WebhookVerificationError extends WhenceError {
  override readonly name = 'WebhookVerificationError';

  constructor(detail: string) {
    super({ code: 'invalid-webhook', detail });
  }
}

/** Returns the error for a response that is unsuccessful or not from Whence. `text` is the body of the response. */
export function errorOf(call: string, status: number, headers: Headers, text: string): WhenceError {
  const problem = problemIn(text);
  const code = status === 304 ? 'not-modified' : (problem?.code ?? 'unexpected-answer');
  const detail = problem === undefined ? withoutProblem(status, headers, text) : problem.detail;
  return new (classOf(status))({ code, detail, call, status, problem, headers });
}

function problemIn(text: string): AnsweredProblem | undefined {
  try {
    const body = JSON.parse(text) as Partial<AnsweredProblem> | null;
    // Errors of other services can also have a `code`, so `detail` is required as well.
    return typeof body?.code === 'string' && typeof body.detail === 'string' ? (body as AnsweredProblem) : undefined;
  } catch {
    return undefined;
  }
}

const SHOWN_CHARACTERS = 200;

function withoutProblem(status: number, headers: Headers, text: string): string {
  if (status === 304) return 'The resource is unchanged.';
  const location = headers.get('location');
  if (location !== null) return `The service redirects to ${location}. Change baseUrl to match this address.`;
  const begin = text.trim().slice(0, SHOWN_CHARACTERS);
  return `The response is not from Whence. Check baseUrl${begin === '' ? '.' : `: ${begin}`}`;
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
