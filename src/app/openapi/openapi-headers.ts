import {
  hasETag,
  type HeaderDescription,
  isAnswerStored,
  type Operation,
  takesIdempotencyKey,
  canHaveIfMatch,
  canHaveIfNoneMatch,
} from '#core/contract/operation.ts';

type Json = Record<string, unknown>;
type Parameter = Json & { readonly name: string; readonly in: 'header' };

/** The headers of every response to a request whose key has a rate limit. */
const RATE_LIMIT_HEADERS: Headers = {
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds.',
    schema: { type: 'string' },
    example: '"publishable";q=50;w=1',
  },
  RateLimit: {
    description: '`r` requests are still allowed. In `t` seconds, the whole limit is available again.',
    schema: { type: 'string' },
    example: '"publishable";r=49;t=1',
  },
};

/** Returns the request headers that a call reads, except the API key and the content type. */
export function headerParametersOf(operation: Operation, headerPrefix: string): Parameter[] {
  const headers = {
    ...prefixHeaders(operation.requestServiceHeaders ?? {}, headerPrefix),
    ...(takesIdempotencyKey(operation) ? { 'Idempotency-Key': IDEMPOTENCY_KEY } : {}),
    ...(canHaveIfMatch(operation) ? { 'If-Match': IF_MATCH } : {}),
    ...(canHaveIfNoneMatch(operation) ? { 'If-None-Match': IF_NONE_MATCH } : {}),
  };
  return Object.entries(headers).map(([name, header]) => headerParameter(name, header, false));
}

/** Returns a request header in OpenAPI's form. */
export function headerParameter(name: string, header: HeaderDescription, required: boolean): Parameter {
  return { name, in: 'header', required, ...headerOf(header) };
}

const IDEMPOTENCY_KEY: HeaderDescription = {
  description:
    'Visible ASCII characters without spaces, such as a UUID. The same request with the same key is processed once, and ' +
    'a repeat gets the first response. The response is stored for at least 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: '6f1d2c1e-0d0c-4c6e-9c1a-7f0b3c9a2f55',
};
const IF_MATCH: HeaderDescription = {
  description:
    'The `ETag` that you read. The change is made only if the resource is still the same. Otherwise, the response is a 412.',
  schema: { type: 'string' },
  example: '"Yk3c9XQm2n0"',
};
const IF_NONE_MATCH: HeaderDescription = {
  description: 'The `ETag` that you have. If the resource is still the same, the response is a 304 without a body.',
  schema: { type: 'string' },
  example: '"Yk3c9XQm2n0"',
};

export function successHeadersOf(operation: Operation, headerPrefix: string): Json {
  const { success } = operation;
  const always = prefixHeaders(success.serviceHeaders ?? {}, headerPrefix);
  const headers = { ...success.headers, ...(hasETag(operation) ? { ETag: ETAG } : {}) };
  return {
    ...mapValues(always, (header) => ({ required: header.presence !== 'sometimes', ...headerOf(header) })),
    ...mapValues(headers, headerOf),
    ...(isAnswerStored(operation) ? headerReferences([REPLAYED]) : {}),
    ...headerReferences(Object.keys(RATE_LIMIT_HEADERS)),
  };
}

/** Returns the response headers that all problems with the given status share. */
export function problemHeadersOf(status: number): Json {
  const isKept = status < 500 && status !== 401 && status !== 429;
  return headerReferences([...(isKept ? [REPLAYED] : []), ...Object.keys(RATE_LIMIT_HEADERS)]);
}

const ETAG: HeaderDescription = {
  description: 'The version of the resource, for `If-Match` and `If-None-Match`.',
  schema: { type: 'string' },
  example: '"Yk3c9XQm2n0"',
};
const REPLAYED = 'Idempotent-Replayed';

/** Returns the headers that many responses share. The document defines each header once. */
export function commonHeaders(): Json {
  return mapValues(
    {
      [REPLAYED]: {
        description: '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
        schema: { type: 'string', enum: ['true'] },
        example: 'true',
      },
      ...RATE_LIMIT_HEADERS,
    },
    headerOf,
  );
}

/** Returns a header in OpenAPI's form. The example is converted to the type of the schema. */
export function headerOf({ description, schema, example }: HeaderDescription): Json {
  if (example === undefined) return { description, schema };
  return { description, schema, example: schema['type'] === 'integer' ? Number(example) : example };
}

function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

type Headers = Readonly<Record<string, HeaderDescription>>;

function prefixHeaders(headers: Headers, prefix: string): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, header]) => [`${prefix}-${name}`, header]));
}

function mapValues<Value>(of: Readonly<Record<string, Value>>, to: (value: Value) => unknown): Json {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value)]));
}
