import { headerOf, problemHeadersOf } from './openapi-headers.ts';
import type { HeaderDescription } from '#core/contract/operation.ts';
import { faultAt, type ProblemCode, PROBLEMS, problem, problemBody } from '#core/contract/problem.ts';

type Json = Record<string, unknown>;

/** Returns the response of one status, with its possible problem codes and an example of each. */
export function problemResponse(codes: readonly ProblemCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: headersOf(codes),
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function headersOf(codes: readonly ProblemCode[]): Json {
  const own = codes.flatMap((code) => Object.entries(PROBLEM_HEADERS[code] ?? {}));
  const status = Math.max(...codes.map((code) => PROBLEMS[code].status));
  return { ...Object.fromEntries(own.map(([name, header]) => [name, headerOf(header)])), ...problemHeadersOf(status) };
}

const RETRY_AFTER: HeaderDescription = {
  description: 'Seconds to wait before a retry.',
  schema: { type: 'integer', minimum: 0 },
  example: '1',
};

const WWW_SESSION: Readonly<Record<string, HeaderDescription>> = {
  'WWW-Authenticate': { description: 'How to log in.', schema: { type: 'string' }, example: 'Session' },
};

const PROBLEM_HEADERS: Partial<Record<ProblemCode, Readonly<Record<string, HeaderDescription>>>> = {
  unauthenticated: {
    'WWW-Authenticate': { description: 'How to send a key.', schema: { type: 'string' }, example: 'Bearer' },
  },
  'wrong-credentials': WWW_SESSION,
  'code-required': WWW_SESSION,
  'idempotency-in-flight': { 'Retry-After': RETRY_AFTER },
  'rate-limited': { 'Retry-After': RETRY_AFTER },
  unavailable: { 'Retry-After': RETRY_AFTER },
};

function exampleOf(code: ProblemCode): Json {
  if (code === 'invalid-request') {
    return problemBody(faultAt('/name', 'required', 'This field is required.'));
  }
  const body = problemBody(problem(code));
  return code === 'sale-not-found' ? { source: 'shop', externalId: 'order-1001', ...body } : body;
}

/** The schemas of problems, by their names in the document. */
export const PROBLEM_SCHEMAS: Readonly<Record<string, Json>> = {
  Problem: {
    type: 'object',
    description: 'An RFC 9457 problem.',
    properties: {
      type: {
        type: 'string',
        description: 'A URI of the type of problem.',
        examples: ['urn:whence:problem:not-found'],
      },
      title: {
        type: 'string',
        description: 'The type of problem.',
        examples: [PROBLEMS['not-found'].title],
      },
      status: { type: 'integer', description: 'The HTTP status.', examples: [PROBLEMS['not-found'].status] },
      detail: {
        type: 'string',
        description: 'What is wrong in this case, and what to do.',
        examples: ['The resource was not found'],
      },
      code: { type: 'string', enum: Object.keys(PROBLEMS), description: 'The stable code of the type of problem.' },
      errors: {
        type: 'array',
        items: { $ref: '#/components/schemas/Fault' },
        description: 'The errors of the request, at most 100.',
      },
      error: { $ref: '#/components/schemas/ProblemSummary' },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'error'],
  },
  ProblemSummary: {
    type: 'object',
    description: 'The same problem for clients that read a member `error`. New clients should read the other members.',
    properties: {
      message: {
        type: 'string',
        description: 'The same text as `detail`.',
        examples: ['/name: This field is required.'],
      },
      code: { type: 'string', description: 'The same code as `code`.', examples: ['invalid-request'] },
      data: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description:
          'The details of `errors` by field. The key is the pointer with dots: `/items/0/name` is `items.0.name`. Empty without `errors`.',
        examples: [{ name: 'This field is required.' }],
      },
    },
    required: ['message', 'code', 'data'],
  },
  Fault: {
    type: 'object',
    description: 'One error of a request.',
    properties: {
      pointer: {
        type: 'string',
        description: 'RFC 6901 pointer into the body, or `/name` of a parameter.',
        examples: ['/items/0/name'],
      },
      code: { type: 'string', description: 'The stable code of the type of error.', examples: ['required'] },
      detail: { type: 'string', description: 'The error as text.', examples: ['This field is required.'] },
    },
    required: ['pointer', 'code', 'detail'],
  },
};
