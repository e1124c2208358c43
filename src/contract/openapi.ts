import { z } from 'zod';
import { SCOPES } from '#domain/api-key.ts';
import { type JsonSchema, wireSchema } from './fields.ts';
import { BODY_PROBLEMS, COMMON_PROBLEMS, type HeaderDescription, type Operation, type Success } from './operation.ts';
import { type ProblemCode, PROBLEMS, problem, problemBody } from './problem.ts';

type Json = Record<string, unknown>;

export type DocumentOptions = {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly version: string;
  readonly headerPrefix: string;
};

/** The OpenAPI 3.1 document of the interface, the same for the same table. */
export function openapiDocument({ operations, version, headerPrefix }: DocumentOptions): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(id, operation, components, headerPrefix);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Whence', version, summary: SUMMARY, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: '/', description: 'The root of the service; BASE_PATH mounts it elsewhere.' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(Object.values(operations).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { apiKey: SECURITY_SCHEME },
      responses: sorted(components.responses),
      schemas: sorted({ ...components.schemas, Problem: PROBLEM_SCHEMA, Fault: FAULT_SCHEMA }),
    },
  };
}

const SUMMARY = 'Who referred the sale, what they earned, and why.';
const DESCRIPTION =
  'Amounts in answers are integers in the smallest unit, with their currency beside them. Times are RFC 3339 in UTC. ' +
  'Unknown fields of a request are ignored, and null counts as absent in a report and at creation. Errors are RFC 9457 ' +
  'problems with a stable `code`; a 422 names every fault at once.';
const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
const SECURITY_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Secret keys (`sk_live_…`) are for servers and have scopes: ' +
    `${SCOPES.join(', ')}. Publishable keys (\`pk_live_…\`) are for browsers and may report visits only.`,
};

/** Named parts, gathered while the operations are described. */
class Components {
  readonly schemas: Record<string, Json> = {};
  readonly responses: Record<string, Json> = {};

  /** The schema of a value: a reference for one with a name. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    // As a property, since zod would write out the root of a document even where it has a name.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ value: schema }), {
      io,
      override,
      unrepresentable: 'any',
    });
    for (const [name, definition] of Object.entries($defs)) this.schemas[name] = tidied(definition);
    return tidied(properties?.['value'] ?? {});
  }
}

function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void {
  const wire = wireSchema(zodSchema as z.ZodType);
  if (wire !== undefined) {
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
    Object.assign(jsonSchema, wire);
  }
  // Says no more than the format, in two hundred characters.
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
  // Callers must bear fields that are added to answers later.
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
}

function describe(id: string, operation: Operation, components: Components, headerPrefix: string): Json {
  const { tag, summary, description, params, query, body } = operation;
  const parameters = [
    ...(params === undefined ? [] : parametersOf(components.schemaOf(params, 'input'), 'path')),
    ...(query === undefined ? [] : parametersOf(components.schemaOf(query, 'input'), 'query')),
    ...headerParametersOf(operation, headerPrefix),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\n${needsOf(operation)}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(id, body, components) }),
    responses: responsesOf(operation, components, headerPrefix),
  };
}

function needsOf({ keys, scope, tier }: Operation): string {
  const who = keys.includes('publishable') ? 'a secret key' : 'A secret key';
  const any = keys.includes('publishable') ? 'A publishable key, or ' : '';
  const where = tier === undefined ? '' : ', and the tier Essentials';
  return `Needs: ${any}${who} with the scope \`${scope}\`${where}.`.replace('Needs: A', 'Needs: a');
}

function parametersOf(schema: Json, where: 'path' | 'query'): Json[] {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(
    ([name, { description, ...rest }]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      description,
      schema: inUrl(rest),
    }),
  );
}

/** A parameter is absent or text: there is no null in a URL, and digits are digits. */
function inUrl(schema: Json): Json {
  const { anyOf, type, enum: values, ...rest } = schema;
  if (Array.isArray(anyOf)) return { ...(anyOf as Json[])[0], ...rest };
  return {
    type: Array.isArray(type) ? (type[0] as unknown) : type,
    ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
    ...rest,
  };
}

function headerParametersOf({ requestServiceHeaders = {} }: Operation, headerPrefix: string): Json[] {
  return Object.entries(requestServiceHeaders).map(([name, header]) =>
    Object.assign({ name: `${headerPrefix}-${name}`, in: 'header', required: false }, headerOf(header)),
  );
}

/** Named after its operation: `CreateProgramBody`. */
function requestBodyOf(id: string, body: z.ZodType, components: Components): Json {
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;
  components.schemas[name] = components.schemaOf(body, 'input');
  return { required: true, content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } };
}

function responsesOf(operation: Operation, components: Components, headerPrefix: string): Json {
  const { success } = operation;
  const headers = {
    ...Object.fromEntries(
      Object.entries(success.serviceHeaders ?? {}).map(([name, header]) => [
        `${headerPrefix}-${name}`,
        headerOf(header),
      ]),
    ),
    ...Object.fromEntries(Object.entries(success.headers ?? {}).map(([name, header]) => [name, headerOf(header)])),
  };
  const content = contentOf(success, components);
  return {
    [success.status]: {
      description: success.description,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(content === undefined ? {} : { content }),
    },
    ...problemResponsesOf(operation, components),
  };
}

function contentOf({ body, csv }: Success, components: Components): Json | undefined {
  if (csv === true) return { 'text/csv': { schema: { type: 'string' } } };
  return body && { 'application/json': { schema: components.schemaOf(body, 'output') } };
}

function headerOf({ description, schema, example }: HeaderDescription): Json {
  return { description, schema, ...(example === undefined ? {} : { example }) };
}

/** One response for each status; statuses with the same codes share one. */
function problemResponsesOf(operation: Operation, components: Components): Json {
  const codes = problemsOf(operation);
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => PROBLEMS[code].status === status);
      const name = here.join('.');
      components.responses[name] ??= problemResponse(here);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** Every problem that a call may answer, in the order of the table. */
export function problemsOf({ problems, body, query, tier, crossOrigin }: Operation): ProblemCode[] {
  const possible = new Set<ProblemCode>([
    ...COMMON_PROBLEMS,
    ...problems,
    ...(body === undefined ? [] : BODY_PROBLEMS),
    ...(query === undefined ? [] : (['invalid-request'] as const)),
    ...(tier === undefined ? [] : (['tier-required'] as const)),
    ...(crossOrigin === undefined ? [] : (['origin-not-allowed'] as const)),
  ]);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => possible.has(code));
}

function problemResponse(codes: readonly ProblemCode[]): Json {
  const headers = Object.assign({}, ...codes.map((code) => PROBLEM_HEADERS[code] ?? {})) as Json;
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

const PROBLEM_HEADERS: Partial<Record<ProblemCode, Json>> = {
  unauthenticated: {
    'WWW-Authenticate': { description: 'How to send a key.', schema: { type: 'string' }, example: 'Bearer' },
  },
  unavailable: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 1 } },
};

function exampleOf(code: ProblemCode): Json {
  const body = problemBody(problem(code));
  if (code === 'invalid-request') {
    return { ...body, errors: [{ pointer: '/name', code: 'required', detail: 'This field is required.' }] };
  }
  return code === 'sale-not-found' ? { source: 'shop', externalId: 'order-1001', ...body } : body;
}

const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'An RFC 9457 problem.',
  properties: {
    type: { type: 'string', description: 'A URI of the kind of problem.' },
    title: { type: 'string', description: 'What kind of problem it is.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What is wrong here.' },
    code: { type: 'string', enum: Object.keys(PROBLEMS), description: 'Stable; programs decide by it.' },
    errors: { type: 'array', items: { $ref: '#/components/schemas/Fault' }, description: 'Every fault of a request.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code'],
};

const FAULT_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'One fault of a request.',
  properties: {
    pointer: { type: 'string', description: 'RFC 6901 pointer into the body, or `/name` of a parameter.' },
    code: { type: 'string', description: 'Stable.' },
    detail: { type: 'string', description: 'In words.' },
  },
  required: ['pointer', 'code', 'detail'],
};

/** References lead to the document's components, and zod's names for them go. */
function tidied(schema: unknown): Json {
  const text = JSON.stringify(schema, (name, value: unknown) =>
    name === 'id' && typeof value === 'string' ? undefined : value,
  );
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

function sorted(of: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)));
}
