import type { ValidateFunction } from 'ajv/dist/2020.js';
import { type OpenapiDocument, schemaReader } from '#test/support/documented-answers.ts';

/** The part of JSON Schema 2020-12 that the OpenAPI document uses. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
};

/** A call of the API, as the document describes it. */
export type Call = {
  readonly id: string;
  readonly method: string;
  /** The path, with `{name}` for each parameter. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** Returns whether the document allows a body. */
  readonly allowsBody: (body: unknown) => boolean;
  /** The alternatives that give access to a call. An empty list means that anyone has access. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly needsEssentials: boolean;
  /** Whether pages of other origins may make the call. */
  readonly hasOrigins: boolean;
  /** The statuses that the document names. */
  readonly statuses: readonly number[];
};

/** The callable API: every operation of a served document. */
export type Interface = {
  readonly calls: readonly Call[];
  readonly resolve: (schema: Schema) => Schema;
  /** Returns the resource at a path, or undefined if the document has no such path. */
  readonly at: (path: string) => Resource | undefined;
};

/** The calls of a path by method, and the methods for the `Allow` header. */
export type Resource = { readonly calls: ReadonlyMap<string, Call>; readonly methods: readonly string[] };

type Described = {
  readonly operationId: string;
  readonly security: Call['security'];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
};

/** Returns the calls and resources that an OpenAPI document describes. */
export function interfaceOf(document: OpenapiDocument): Interface {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema;
    const name = schema.$ref.split('/').at(-1) ?? '';
    return resolve(document.components.schemas[name] as Schema);
  };
  const allows = bodyCheck(document);
  const resources = Object.entries(document.paths).map(([path, methods]) => {
    const calls = Object.entries(methods).map(([method, described]) =>
      callOf(path, method, described as unknown as Described, allows),
    );
    const fixedParts = path.split('/').filter((part) => !part.startsWith('{')).length;
    return { pattern: patternOf(path), fixedParts, calls, resource: resourceOf(calls) };
  });
  // Match fixed paths first: `/v1/payouts/export` is not a payout.
  const fixedFirst = resources.toSorted((one, other) => other.fixedParts - one.fixedParts);
  return {
    calls: resources.flatMap(({ calls }) => calls),
    resolve,
    at: (path) => fixedFirst.find(({ pattern }) => pattern.test(path))?.resource,
  };
}

function callOf(
  path: string,
  method: string,
  { operationId, security, parameters = [], requestBody, responses }: Described,
  allows: (schema: Schema) => ValidateFunction,
): Call {
  const body = requestBody?.content['application/json']?.schema;
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    parameters,
    body,
    allowsBody: (value) => body === undefined || allows(body)(value),
    security,
    needsEssentials: responses['403']?.$ref?.includes('tier-required') === true,
    hasOrigins: responses['403']?.$ref?.includes('origin-not-allowed') === true,
    statuses: Object.keys(responses).map(Number),
  };
}

function resourceOf(calls: readonly Call[]): Resource {
  const methods = calls.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const preflight = calls.some(({ hasOrigins }) => hasOrigins) ? ['OPTIONS'] : [];
  return { calls: new Map(calls.map((call) => [call.method, call])), methods: [...methods, ...preflight] };
}

function patternOf(path: string): RegExp {
  const text = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${text}$`);
}

/**
 * Returns a function that compiles the schema of a request body to a validator. Each schema is compiled once, when it
 * is first used.
 */
function bodyCheck(document: OpenapiDocument): (schema: Schema) => ValidateFunction {
  const ajv = schemaReader();
  ajv.addSchema({ $id: 'openapi', ...document }, undefined, undefined, false);
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema) => {
    const known =
      compiled.get(schema) ?? ajv.compile(schema.$ref === undefined ? schema : { $ref: `openapi${schema.$ref}` });
    compiled.set(schema, known);
    return known;
  };
}
