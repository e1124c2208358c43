import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type SeenAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly text: string;
};

type Schema = Readonly<Record<string, unknown>>;
type Header = { readonly $ref?: string; readonly required?: boolean; readonly schema?: Schema };
type Response = {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
};
type Described = { readonly responses: Readonly<Record<string, Response>> };
export type OpenapiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
};

const GENERATED = new URL('../../packages/sdk/src/generated/openapi.json', import.meta.url);

/**
 * Returns the OpenAPI document that a service with this header prefix serves. It reads the built document, which takes
 * 5 ms in each test file. Generating the document would take 130 ms. A test checks that both are equal.
 */
export function servedDocument(headerPrefix: string): OpenapiDocument {
  return JSON.parse(readFileSync(GENERATED, 'utf8').replaceAll('X-Service', headerPrefix)) as OpenapiDocument;
}

/**
 * Returns a function that compares an answer with the OpenAPI document: its status, content type, headers and body. It
 * throws if the answer has an undocumented status, header or field. Paths outside the document are ignored.
 */
export function documentedAnswers(headerPrefix: string): DocumentedAnswers {
  const known = made.get(headerPrefix) ?? answersOf(servedDocument(headerPrefix));
  made.set(headerPrefix, known);
  return known;
}

type DocumentedAnswers = (method: string, path: string, answer: SeenAnswer) => void;

/** The created checks, by header prefix. They are reused, because some test files start a service for each test. */
const made = new Map<string, DocumentedAnswers>();

function answersOf(document: OpenapiDocument): DocumentedAnswers {
  const bodies = bodyChecks(document);
  // OpenAPI requires that a path without parameters is matched before a path with parameters.
  const fixedFirst = Object.keys(document.paths).sort((one, other) => namesIn(one) - namesIn(other));
  const patterns = fixedFirst.map((path) => ({ path, pattern: patternOf(path) }));
  return (method, url, answer) => {
    const path = patterns.find(({ pattern }) => pattern.test(url.split('?')[0] ?? ''))?.path ?? '';
    const verb = method.toLowerCase();
    const operation = document.paths[path]?.[verb];
    if (operation === undefined) return;
    const call = `${method} ${url} → ${answer.status}`;
    const given = operation.responses[answer.status];
    assert.ok(given, `${call} is not documented: ${answer.text.slice(0, 500)}`);
    const at = given.$ref ?? pointerTo('paths', path, verb, 'responses', String(answer.status));
    const response = responseOf(document, given);
    checkHeaders(document, response, answer.headers, call);
    checkBody(bodies, at, response, answer, call);
  };
}

function namesIn(path: string): number {
  return path.split('{').length;
}

function patternOf(path: string): RegExp {
  const text = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${text}$`);
}

/** Headers of HTTP, CORS and security. Any answer may have these headers, so the OpenAPI document omits them. */
const COMMON_HEADERS =
  /^(date|connection|keep-alive|transfer-encoding|vary|allow|content-length|content-type|cache-control|x-content-type-options|content-security-policy|strict-transport-security|access-control-.+)$/;

function checkHeaders(document: OpenapiDocument, response: Response, headers: Headers, call: string): void {
  const declared = Object.entries(response.headers ?? {});
  const names = new Set(declared.map(([name]) => name.toLowerCase()));
  for (const name of headers.keys()) {
    assert.ok(names.has(name) || COMMON_HEADERS.test(name), `${call} has no header ${name} in the document`);
  }
  for (const [name, given] of declared) {
    const header = headerOf(document, given);
    const value = headers.get(name);
    assert.ok(value !== null || header.required !== true, `${call} has the header ${name}`);
    if (value !== null && header.schema?.['type'] === 'integer') assert.match(value, /^\d+$/, `${call}: ${name}`);
  }
}

function checkBody(
  bodies: (at: string) => ValidateFunction,
  at: string,
  { content }: Response,
  { headers, body, text }: SeenAnswer,
  call: string,
): void {
  if (content === undefined) return assert.equal(text, '', `${call} has no body`);
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  assert.ok(content[type], `${call} has the content type ${type} in the document`);
  if (!type.includes('json')) return;
  const validate = bodies(`${at}/content/${escaped(type)}/schema`);
  assert.ok(validate(body), `${call} is as documented: ${JSON.stringify(validate.errors)} ${text.slice(0, 1_000)}`);
}

/** Returns a function that compiles the schema at a location to a validator. A schema is compiled only once. */
function bodyChecks(document: OpenapiDocument): (at: string) => ValidateFunction {
  const ajv = schemaReader();
  // Clients must accept unknown fields, but the service must send none.
  ajv.addSchema({ $id: 'openapi', ...closed(document) }, undefined, undefined, false);
  const compiled = new Map<string, ValidateFunction>();
  return (at) => {
    const known = compiled.get(at) ?? ajv.compile({ $ref: `openapi${at}` });
    compiled.set(at, known);
    return known;
  };
}

/** Returns a validator for the schemas of OpenAPI 3.1 documents: JSON Schema 2020-12. */
export function schemaReader(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false });
  formats.default(ajv);
  return ajv;
}

/** Returns a copy of the document that forbids undocumented fields in all objects except problems. */
function closed(document: OpenapiDocument): OpenapiDocument {
  const all = JSON.parse(JSON.stringify(document), (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('properties' in value) || !('type' in value)) return value;
    return { additionalProperties: false, ...value };
  }) as OpenapiDocument;
  const schemas = { ...all.components.schemas, Problem: document.components.schemas['Problem'] as Schema };
  return { ...all, components: { ...all.components, schemas } };
}

function responseOf({ components }: OpenapiDocument, { $ref: reference, ...response }: Response): Response {
  return reference === undefined ? response : (components.responses[nameIn(reference)] ?? {});
}

function headerOf({ components }: OpenapiDocument, { $ref: reference, ...header }: Header): Header {
  return reference === undefined ? header : (components.headers[nameIn(reference)] ?? {});
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

function pointerTo(...parts: readonly string[]): string {
  return `#/${parts.map(escaped).join('/')}`;
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
