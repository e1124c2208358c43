import type { z } from 'zod';
import { OpenapiComponents } from './openapi-components.ts';
import { csvOfList } from './openapi-csv.ts';
import { commonHeaders, headerParametersOf, successHeadersOf } from './openapi-headers.ts';
import { introduction, TAG_DESCRIPTIONS } from './openapi-introduction.ts';
import { PROBLEM_SCHEMAS, problemResponse } from './openapi-problems.ts';
import { messageDescriptions } from './openapi-webhooks.ts';
import {
  canOmitBody,
  keysOf,
  type Operation,
  problemsOf,
  successStatus,
  type Success,
  canHaveIfNoneMatch,
} from '#core/contract/operation.ts';
import { PROBLEMS } from '#core/contract/problem.ts';
import { FRESH_SECONDS } from '#core/caller.ts';

type Json = Record<string, unknown>;

/** The OpenAPI document. Only the parts that the service itself reads have exact types. */
export type OpenapiDocument = {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: Json;
  };
  readonly servers: readonly Json[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks: Readonly<Record<string, Json>>;
  readonly components: Readonly<Record<'securitySchemes' | 'headers' | 'responses' | 'schemas', Json>>;
};
export type DescribedOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Json[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type Parameter = Json & { readonly name: string; readonly in: string };
type Content = Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>;

export type DocumentOptions = {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly version: string;
  readonly headerPrefix: string;
  /** The path where the service is mounted. */
  readonly basePath?: string;
};

/** Returns the OpenAPI 3.1 document of the API. The same options always give the same document. */
export function openapiDocument({
  operations,
  version,
  headerPrefix,
  basePath = '/',
}: DocumentOptions): OpenapiDocument {
  const components = new OpenapiComponents(PROBLEM_SCHEMAS);
  const paths: Record<string, Record<string, DescribedOperation>> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(id, operation, components, headerPrefix);
  }
  const webhooks = messageDescriptions(components, headerPrefix);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Whence',
      version,
      summary: SUMMARY,
      description: introduction(headerPrefix, basePath.replace(/\/$/, '')),
      license: LICENSE,
    },
    servers: [{ url: basePath, description: 'This service.' }],
    tags: tagsOf(Object.values(operations)),
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: commonHeaders(),
      responses: sortKeys(components.responses),
      schemas: sortKeys(components.schemas),
    },
  };
}

const SUMMARY = 'Which partner referred the sale, what they earned, and why.';
const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
const SECURITY_SCHEMES = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret key (`sk_live_…`), for servers. Its scopes are its permissions.',
  },
  publishableKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A publishable key (`pk_live_…`), for browsers. It can only report visits.',
  },
  personSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-whence',
    description:
      'The cookie of a logged-in person, in requests of the service’s own pages. It grants the same access as a secret key ' +
      'with the scopes of the role. Without TLS, its name is `whence`.',
  },
  portalSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-whence-portal',
    description:
      'The cookie of a collaborator who is logged in to the portal, in requests of the service’s own pages. Without TLS, its name is ' +
      '`whence-portal`.',
  },
};

function tagsOf(operations: readonly Operation[]): OpenapiDocument['tags'] {
  const names = [...new Set(operations.map(({ tag }) => tag))];
  return names.map((name) => ({ name, description: TAG_DESCRIPTIONS[name] ?? name }));
}

function describe(
  id: string,
  operation: Operation,
  components: OpenapiComponents,
  headerPrefix: string,
): DescribedOperation {
  const { tag, summary, description, params, query } = operation;
  const parameters: Parameter[] = [
    ...(params === undefined ? [] : parametersOf(components.schemaOf(params, 'input'), 'path')),
    ...(query === undefined ? [] : parametersOf(components.schemaOf(query, 'input'), 'query')),
    ...headerParametersOf(operation, headerPrefix),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\n${needsOf(operation)}`,
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined ? {} : { requestBody: requestBodyOf(id, operation, operation.body, components) }),
    responses: responsesOf(operation, components, headerPrefix),
  };
}

function needsOf(operation: Operation): string {
  const { scope, gives, tier, fresh, open } = operation;
  if (open === true) return 'Requires no authentication. Calls are rate-limited for each network.';
  const recent = fresh === undefined ? '' : ` ${recentLoginOf(fresh)}`;
  if (scope === 'account') return `Requires the session of a person.${recent}`;
  if (scope === 'portal') return `Requires the session of a collaborator.${recent}`;
  const publishable = keysOf(operation).includes('publishable') ? 'a publishable key, or ' : '';
  const tiered = tier === undefined ? '' : ' The organization needs the Essentials tier.';
  const needed = gives === undefined ? `the scope \`${scope}\`` : `the scopes \`${scope}\` and \`${gives}\``;
  const those = gives === undefined ? 'that scope' : 'these scopes';
  return `Requires ${publishable}a secret key with ${needed}, or the session of a person whose role has ${those}.${tiered}${recent}`;
}

function recentLoginOf(fresh: true | readonly string[]): string {
  const within = `only within ${FRESH_SECONDS / 60} minutes of a login`;
  if (fresh === true) return `A session can make this call ${within}.`;
  const fields = new Intl.ListFormat('en-GB').format(fresh.map((name) => `\`${name}\``));
  return `A session can change ${fields} ${within}.`;
}

/**
 * Returns the security requirements of an operation. OpenAPI 3.1 allows a list of role names for each scheme. Whence
 * lists the required scopes there.
 */
function securityOf(operation: Operation): Json[] {
  const { scope, gives, open } = operation;
  if (open === true) return [];
  if (scope === 'account') return [{ personSession: [] }];
  if (scope === 'portal') return [{ portalSession: [] }];
  const scopes = gives === undefined ? [scope] : [scope, gives];
  const keys = keysOf(operation);
  if (keys.length === 0) return [{ personSession: scopes }];
  return keys.flatMap((kind): Json[] =>
    kind === 'secret' ? [{ secretKey: scopes }, { personSession: scopes }] : [{ publishableKey: [] }],
  );
}

function parametersOf(schema: Json, where: 'path' | 'query'): Parameter[] {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(
    ([name, { description, ...rest }]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      description,
      schema: toParameterSchema(rest),
    }),
  );
}

/**
 * Returns the schema of a parameter. A parameter in a URL can't be null, and its numbers are sent as text. If a field
 * accepts a number or its digits as text, only the number is described. If it accepts a number or any text, both types
 * are described, without the limits of the number.
 */
function toParameterSchema(schema: Json): Json {
  const { anyOf, type, enum: values, ...rest } = schema;
  if (Array.isArray(anyOf)) {
    const [first, ...others] = anyOf as Json[];
    const anyText = others.find((one) => one['type'] === 'string' && one['pattern'] === undefined);
    return anyText === undefined ? { ...first, ...rest } : { ...anyText, type: [first?.['type'], 'string'], ...rest };
  }
  return {
    type: Array.isArray(type) ? (type[0] as unknown) : type,
    ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
    ...rest,
  };
}

/** Returns the description of a request body. Its schema is named after the operation, such as `CreateProgramBody`. */
function requestBodyOf(
  id: string,
  operation: Operation,
  body: z.ZodType,
  components: OpenapiComponents,
): { required: boolean; content: Content } {
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;
  const schema = components.schemaOf(body, 'input');
  components.schemas[name] = schema;
  return {
    required: !canOmitBody(operation),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${name}` },
        example: operation.example ?? components.exampleOf(schema),
      },
    },
  };
}

function responsesOf(
  operation: Operation,
  components: OpenapiComponents,
  headerPrefix: string,
): DescribedOperation['responses'] {
  const { success } = operation;
  const headers = successHeadersOf(operation, headerPrefix);
  const content = contentOf(success, components);
  return {
    [successStatus(operation)]: {
      description: success.description,
      headers,
      ...(content === undefined ? {} : { content }),
    },
    ...(canHaveIfNoneMatch(operation) ? { 304: notModified(headers) } : {}),
    ...problemResponsesOf(operation, components),
  };
}

function notModified(headers: Json): Json {
  return { description: 'The resource is unchanged. No body.', headers };
}

function contentOf({ body, csv, xml, alsoCsv, example }: Success, components: OpenapiComponents): Content | undefined {
  if (csv === true) {
    return {
      'text/csv': { schema: { type: 'string' }, ...(example === undefined ? {} : { example }) },
      ...(xml === true
        ? { 'application/xml': { schema: { type: 'string' }, example: '<?xml version="1.0" encoding="UTF-8"?>…' } }
        : {}),
    };
  }
  if (body === undefined) return undefined;
  const schema = components.schemaOf(body, 'output');
  const made = components.exampleOf(schema);
  return {
    'application/json': { schema, example: example === undefined ? made : Object.assign({}, made, example) },
    ...(alsoCsv === undefined ? {} : { 'text/csv': csvOfList(made) }),
  };
}

/**
 * Returns the problem responses of an operation by status. Operations with the same codes for a status share a
 * response.
 */
function problemResponsesOf(operation: Operation, components: OpenapiComponents): Record<string, Json> {
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

function sortKeys(of: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)));
}
