/** The parts of the OpenAPI document that the generator reads. */
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Described }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Response>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly headers?: Readonly<Record<string, unknown>>;
  };
};
export type Schema = { readonly $ref?: string; readonly type?: unknown; readonly items?: Schema } & Readonly<
  Record<string, unknown>
>;
type Reference = { readonly $ref: string };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Content = Readonly<
  Record<string, { readonly schema?: Schema; readonly examples?: Readonly<Record<string, unknown>> }>
>;
type Response = { readonly headers?: Readonly<Record<string, unknown>>; readonly content?: Content };
type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
};

/** An API call as a method of the SDK. */
export type Call = {
  readonly id: string;
  readonly httpMethod: string;
  readonly path: string;
  /** The property of the client, such as `programGroups`. */
  readonly resource: string;
  /** The method of the resource, such as `create`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** The names of the ids in the path, in order. */
  readonly ids: readonly string[];
  readonly query: Input | undefined;
  readonly body: Input | undefined;
  readonly reads: 'list' | 'json' | 'text' | 'opportunity' | 'opportunity-if-any' | 'nothing';
  /** The TypeScript type of the data, or of one row of a list. */
  readonly data: string;
  readonly options: readonly string[];
  /** The problems that this call can return, without the problems in `OF_EVERY_CALL`. */
  readonly problems: readonly Refusal[];
};
export type Input = { readonly type: string; readonly optional: boolean };
export type Refusal = { readonly status: string; readonly code: string };

/**
 * Returns the calls in document order, and all schemas by name. If the schema of a body, query or response has no name
 * in the document, its name is derived from the operation.
 */
export function callsOf(document: Document): { calls: Call[]; schemas: Record<string, Schema> } {
  const schemas: Record<string, Schema> = { ...document.components.schemas };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), described })),
  );
  const calls = operations.map(({ path, method, described }) => callOf(document, schemas, path, method, described));
  refuseClashes(calls);
  return { calls, schemas };
}

function callOf(
  document: Document,
  schemas: Record<string, Schema>,
  path: string,
  httpMethod: string,
  described: Described,
): Call {
  const { operationId: id, summary, description = '' } = described;
  const parameters = (described.parameters ?? []).map((parameter) => resolveReference(document, parameter));
  const [, success] = Object.entries(described.responses).find(([status]) => status.startsWith('2')) ?? [];
  if (success === undefined)
    throw new Error(`The operation ${id} has no 2xx response. Describe a 2xx response in its contract.`);
  const resource = resourceOf(path);
  return {
    id,
    httpMethod,
    path,
    resource,
    name: nameOf(id, path, resource),
    summary,
    description,
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: queryOf(schemas, id, parameters),
    body: bodyOf(schemas, id, described),
    ...answerOf(schemas, id, parameters, resolveReference(document, success)),
    options: optionsOf(httpMethod, parameters),
    problems: problemsOf(document, described),
  };
}

function resolveReference<Part extends object>(document: Document, part: Part | Reference): Part {
  if (!('$ref' in part)) return part;
  const [room = '', name = ''] = part.$ref.replace('#/components/', '').split('/');
  const found = (document.components as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[room]?.[name];
  if (found === undefined) throw new Error(`The OpenAPI document lacks ${part.$ref}. Define it in the contract.`);
  return found as Part;
}

/**
 * Returns the resource of a path: the first segment after the version, in camel case. Event calls belong to `report`,
 * because their operation ids begin with that verb.
 */
function resourceOf(path: string): string {
  const segment = path.split('/')[2] ?? '';
  return segment === 'event' ? 'report' : camelCase(segment);
}

/**
 * Returns the name of the call's method: the operation id without the resource's noun, such as `approve` for
 * `approveConversion`. A call whose path ends in `/bulk` is named `bulk`, and `change` is renamed to `update`.
 */
function nameOf(id: string, path: string, resource: string): string {
  if (path.endsWith('/bulk')) return 'bulk';
  if (resource === 'report') return uncapitalize(id.replace(/^report/, ''));
  const plural = capitalize(resource);
  const rest = id.replace(new RegExp(`(?<=[a-z])(${plural}|${singularOf(plural)})(?=[A-Z]|$)`), '');
  return rest === 'change' ? 'update' : rest;
}

function singularOf(plural: string): string {
  if (plural === 'People') return 'Person';
  if (plural === 'Aliases') return 'Alias';
  return plural.replace(/ies$/, 'y').replace(/s$/, '');
}

export function camelCase(words: string): string {
  return words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function uncapitalize(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}

/**
 * Registers the type of the query and returns its name, such as `ListConversionsQuery`. Returns undefined if the call
 * has no query parameters.
 */
function queryOf(schemas: Record<string, Schema>, id: string, parameters: readonly Parameter[]): Input | undefined {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (inQuery.length === 0) return undefined;
  const type = `${capitalize(id)}Query`;
  const required = inQuery.filter((parameter) => parameter.required === true).map(({ name }) => name);
  schemas[type] = {
    type: 'object',
    properties: Object.fromEntries(
      inQuery.map(({ name, description, schema }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
  return { type, optional: required.length === 0 };
}

function bodyOf(schemas: Record<string, Schema>, id: string, { requestBody }: Described): Input | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return undefined;
  return { type: typeOf(schemas, `${capitalize(id)}Body`, schema), optional: requestBody?.required !== true };
}

/**
 * Returns the TypeScript type for a schema, such as `Program` or `Program[]`. Registers a schema without a name as
 * `name`, or as `name` with the suffix `Row` if it is the row of a list.
 */
function typeOf(schemas: Record<string, Schema>, name: string, schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string;
  if (schema.type === 'array' && schema.items !== undefined) return `${typeOf(schemas, `${name}Row`, schema.items)}[]`;
  schemas[name] = schema;
  return name;
}

function answerOf(
  schemas: Record<string, Schema>,
  id: string,
  parameters: readonly Parameter[],
  { content = {}, headers = {} }: Response,
): Pick<Call, 'reads' | 'data'> {
  const schema = content['application/json']?.schema;
  if (schema !== undefined) {
    const data = typeOf(schemas, `${capitalize(id)}Answer`, schema);
    const isList = data.endsWith('[]') && parameters.some(({ name }) => name === 'after');
    return isList ? { reads: 'list', data: data.slice(0, -2) } : { reads: 'json', data };
  }
  if (Object.keys(content).length > 0) return { reads: 'text', data: 'string' };
  const named = Object.entries(headers).find(([name]) => name.endsWith('-OID'));
  if (named === undefined) return { reads: 'nothing', data: 'void' };
  const [, header] = named;
  return (header as { readonly required?: boolean }).required === true
    ? { reads: 'opportunity', data: 'number' }
    : { reads: 'opportunity-if-any', data: 'number | null' };
}

function optionsOf(httpMethod: string, parameters: readonly Parameter[]): string[] {
  const has = (pattern: RegExp): boolean => parameters.some((each) => each.in === 'header' && pattern.test(each.name));
  return [
    httpMethod === 'POST' ? 'PostOptions' : 'RequestOptions',
    ...(has(/^if-match$/i) ? ['VersionOptions'] : []),
    ...(has(/-OID$/) ? ['OpportunityOptions'] : []),
  ];
}

/** The problems that any call can return. They are documented once, not at each call. */
const OF_EVERY_CALL = new Set([
  'malformed-json',
  'unauthenticated',
  'scope-required',
  'body-too-large',
  'unsupported-media-type',
  'invalid-request',
  'idempotency-in-flight',
  'idempotency-mismatch',
  'rate-limited',
  'internal',
  'unavailable',
]);

function problemsOf(document: Document, { responses }: Described): Refusal[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    Object.keys(resolveReference(document, response).content?.['application/problem+json']?.examples ?? {})
      .filter((code) => /^[a-z]+(-[a-z]+)*$/.test(code) && !OF_EVERY_CALL.has(code))
      .map((code) => ({ status, code })),
  );
}

function refuseClashes(calls: readonly Call[]): void {
  const seen = new Map<string, string>();
  for (const { id, resource, name } of calls) {
    const full = `${resource}.${name}`;
    const other = seen.get(full);
    if (other !== undefined)
      throw new Error(`${other} and ${id} would both be whence.${full}. Rename one of the operations.`);
    seen.set(full, id);
  }
}
