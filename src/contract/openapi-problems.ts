import { headerOf, problemHeadersOf } from './openapi-headers.ts';
import type { HeaderDescription } from './operation.ts';
import { type ProblemCode, PROBLEMS, problem, problemBody } from './problem.ts';

type Json = Record<string, unknown>;

/** The answer of a status, with each of the codes that it may have and an example of each. */
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
  description: 'Seconds to wait before the next try.',
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
  const body = problemBody(problem(code));
  if (code === 'invalid-request') {
    return { ...body, errors: [{ pointer: '/name', code: 'required', detail: 'This field is required.' }] };
  }
  return code === 'sale-not-found' ? { source: 'shop', externalId: 'order-1001', ...body } : body;
}

/** What every problem is made of, by the names that the document gives them. */
export const PROBLEM_SCHEMAS: Readonly<Record<string, Json>> = {
  Problem: {
    type: 'object',
    description: 'An RFC 9457 problem.',
    properties: {
      type: {
        type: 'string',
        description: 'A URI of the kind of problem.',
        examples: ['urn:whence:problem:not-found'],
      },
      title: {
        type: 'string',
        description: 'What kind of problem it is.',
        examples: [PROBLEMS['not-found'].title],
      },
      status: { type: 'integer', description: 'The HTTP status.', examples: [PROBLEMS['not-found'].status] },
      detail: { type: 'string', description: 'What is wrong here.', examples: ['There is no such resource'] },
      code: { type: 'string', enum: Object.keys(PROBLEMS), description: 'Stable; programs decide by it.' },
      errors: {
        type: 'array',
        items: { $ref: '#/components/schemas/Fault' },
        description: 'Every fault of a request.',
      },
    },
    required: ['type', 'title', 'status', 'detail', 'code'],
  },
  Fault: {
    type: 'object',
    description: 'One fault of a request.',
    properties: {
      pointer: {
        type: 'string',
        description: 'RFC 6901 pointer into the body, or `/name` of a parameter.',
        examples: ['/items/0/name'],
      },
      code: { type: 'string', description: 'Stable.', examples: ['required'] },
      detail: { type: 'string', description: 'In words.', examples: ['This field is required.'] },
    },
    required: ['pointer', 'code', 'detail'],
  },
};
