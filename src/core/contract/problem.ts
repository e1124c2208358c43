/** The errors that a caller can get: stable codes, each with one status and one title (RFC 9457). */
export const PROBLEMS = {
  'malformed-json': { status: 400, title: 'The body is not a JSON object' },
  'bad-request': { status: 400, title: 'The HTTP request is malformed' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  'invalid-signature': { status: 401, title: 'The signature of the message is invalid' },
  'wrong-credentials': { status: 401, title: 'The login is incorrect' },
  'code-required': { status: 401, title: 'A code of the second factor is required' },
  'tier-required': { status: 403, title: 'The organization lacks the tier that this operation needs' },
  'scope-required': { status: 403, title: 'The caller lacks a permission' },
  'log-in-too-old': { status: 403, title: 'This call needs a recent login' },
  'origin-not-allowed': { status: 403, title: 'The API key can’t be used from this origin' },
  'not-found': { status: 404, title: 'The resource was not found' },
  'sale-not-found': { status: 404, title: 'No sale was reported under this source and externalId' },
  'refund-not-found': { status: 404, title: 'This sale has no refund with this id' },
  'event-not-found': { status: 404, title: 'No custom event has this slug' },
  'not-decided': { status: 404, title: 'The transaction has not been decided yet' },
  'method-not-allowed': { status: 405, title: 'The resource does not support this method' },
  'request-timeout': { status: 408, title: 'The request was too slow' },
  'sale-conflict': { status: 409, title: 'The sale was already reported with other content' },
  'refund-conflict': { status: 409, title: 'The refund was already reported with other content' },
  'correction-conflict': { status: 409, title: 'The correction was already reported with other content' },
  'already-credited': {
    status: 409,
    title: 'The collaborator already has a conversion on this transaction in this program',
  },
  'under-review': { status: 409, title: 'The payout is flagged for review' },
  'still-owed': { status: 409, title: 'The collaborator has open obligations' },
  'idempotency-in-flight': { status: 409, title: 'A request with this Idempotency-Key is still running' },
  'idempotency-answer-lost': {
    status: 409,
    title: 'The earlier response to this Idempotency-Key can’t be shown again',
  },
  'too-many-webhooks': { status: 409, title: 'The organization has the maximum number of webhooks' },
  'too-many-programs': { status: 409, title: 'The organization has the maximum number of programs' },
  'too-many-connectors': { status: 409, title: 'The organization has the maximum number of connectors' },
  'too-many-invitations': { status: 409, title: 'The organization has the maximum number of open invitations' },
  'too-many-backtests': { status: 409, title: 'The organization has the maximum number of unfinished backtests' },
  'backtests-unavailable': { status: 409, title: 'This installation can’t run backtests' },
  'already-listed': { status: 409, title: 'The value is already on a fraud list' },
  'too-many-entries': { status: 409, title: 'The fraud lists have the maximum number of entries' },
  'slug-taken': { status: 409, title: 'Another custom event has this slug' },
  'portal-taken': { status: 409, title: 'Another portal has this slug' },
  'domain-taken': { status: 409, title: 'Another organization has this domain' },
  'alias-taken': { status: 409, title: 'The code belongs to another collaborator' },
  'code-taken': { status: 409, title: 'Another collaborator has used this code' },
  'too-many-links': { status: 409, title: 'The collaborator has the maximum number of links' },
  'address-taken': { status: 409, title: 'Another person has this email address' },
  'last-owner': { status: 409, title: 'The organization needs at least one owner' },
  'invalid-transition': { status: 409, title: 'The resource’s status does not allow this' },
  'link-expired': { status: 410, title: 'The link no longer works' },
  'precondition-failed': { status: 412, title: 'The resource has changed since you read it' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': {
    status: 415,
    title: 'The body must be application/json in UTF-8, without a content encoding',
  },
  'expectation-failed': { status: 417, title: 'The Expect header has an unsupported value' },
  'invalid-request': { status: 422, title: 'The request is invalid' },
  'correction-refused': { status: 422, title: 'The correction doesn’t fit the sale' },
  'refund-exceeds-sale': { status: 422, title: 'The refund exceeds what is left of the sale' },
  'too-many-refunds': { status: 422, title: 'The sale has the maximum number of refunds' },
  'return-below-zero': { status: 422, title: 'The returned lines add up to less than 0' },
  'idempotency-mismatch': { status: 422, title: 'This Idempotency-Key was used for another request' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The request headers are too large' },
  internal: { status: 500, title: 'The service failed' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/**
 * A fault of a request: its location, code and description. The location is an RFC 6901 pointer into the body, or
 * `/name` for a parameter.
 */
export type Fault = { readonly pointer: string; readonly code: string; readonly detail: string };

/** The maximum number of faults in a response. A request with a long list can have thousands of faults. */
export const MAX_FAULTS = 100;

export type Problem = {
  readonly kind: 'problem';
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly Fault[];
  /** Additional members of the body, such as the submitted `source` and `externalId`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Returns a problem as a value. `detail` is for the caller and doesn't reveal internals of the service. */
export function problem(
  code: ProblemCode,
  detail: string = PROBLEMS[code].title,
  more: Pick<Problem, 'errors' | 'members' | 'headers'> = {},
): Problem {
  return { kind: 'problem', code, detail, ...more };
}

/** Returns a 422 that lists the given faults. */
export function invalidRequest(errors: readonly Fault[]): Problem {
  return faulty('invalid-request', errors);
}

/** Returns a 422 with one fault. */
export function faultAt(pointer: string, code: string, detail: string): Problem {
  return invalidRequest([{ pointer, code, detail }]);
}

/**
 * Returns a problem with faults of individual fields. Its `detail` contains their texts, up to MAX_DETAIL characters.
 */
export function faulty(code: ProblemCode, errors: readonly Fault[]): Problem {
  const detail = errors.map((fault) => `${fault.pointer}: ${fault.detail}`).join(' ');
  return problem(code, shortenDetail(detail), { errors });
}

/** Returns the JSON body of the response (RFC 9457). Additional members (`members`) can't replace the usual members. */
export function problemBody(found: Problem): Record<string, unknown> {
  const { status, title } = PROBLEMS[found.code];
  return {
    ...found.members,
    type: `urn:whence:problem:${found.code}`,
    title,
    status,
    detail: found.detail,
    code: found.code,
    ...(found.errors === undefined ? {} : { errors: found.errors }),
    error: errorMember(found),
  };
}

/** Returns the problem in the format of other implementations of this API: one object with the errors by field. */
function errorMember({ code, detail, errors = [] }: Problem): Record<string, unknown> {
  const details = new Map<string, string[]>();
  for (const fault of errors) {
    const field = fieldOf(fault.pointer);
    details.set(field, [...(details.get(field) ?? []), fault.detail]);
  }
  return {
    message: detail,
    code,
    data: Object.fromEntries([...details].map(([field, texts]) => [field, texts.join(' ')])),
  };
}

/** Turns an RFC 6901 pointer into the dotted path of its field: `/items/0/name` becomes `items.0.name`. */
function fieldOf(pointer: string): string {
  const names = pointer.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

export function problemStatus(found: Problem): number {
  return PROBLEMS[found.code].status;
}

const MAX_DETAIL = 1_000;

function shortenDetail(detail: string): string {
  return detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}…` : detail;
}
