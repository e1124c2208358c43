/*
 * Finds changes of an OpenAPI document that break clients written for an earlier document. Supports only the OpenAPI
 * features that our documents use.
 *
 * Clients must accept new fields, new enum values and new union members in responses. An enum value in responses must
 * not be removed, because a client may wait for it.
 */

export type Schema = { readonly [name: string]: unknown };
type Named<Value> = { readonly [name: string]: Value };
type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Schema };
type Content = Named<{ readonly schema: Schema }>;
type Response = { readonly $ref?: string; readonly headers?: Named<Header>; readonly content?: Content };
type Header = { readonly $ref?: string; readonly required?: boolean; readonly schema?: Schema };
type Operation = {
  readonly operationId: string;
  readonly security?: readonly Named<readonly string[]>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Named<Response>;
};
export type Described = {
  readonly paths: Named<Named<Operation>>;
  readonly webhooks?: Named<Named<Operation>>;
  readonly components: { readonly schemas: Named<Schema>; readonly [room: string]: Named<unknown> };
};

/**
 * `in`: all data that a caller could send must stay valid. `out`: all data that a caller receives must match the
 * earlier schema.
 */
type Direction = 'in' | 'out';
type Pair = { readonly before: Described; readonly after: Described };

/** Returns every breaking change as one line with its location and cause. */
export function breakingChanges(before: Described, after: Described): string[] {
  const pair = { before, after };
  const calls = compareOperations(before.paths, after.paths, (call, old, now) => [
    ...identity(call, old, now),
    ...security(call, old, now),
    ...parameters(pair, call, old, now),
    ...requestBody(pair, call, old, now, 'in'),
    ...responses(pair, call, old, now),
  ]);
  const webhooks = compareOperations(before.webhooks ?? {}, after.webhooks ?? {}, (call, old, now) => [
    ...sentHeaders(pair, call, old, now),
    ...requestBody(pair, call, old, now, 'out'),
  ]);
  return [...schemes(pair), ...calls, ...webhooks];
}

/** Returns a line for each kind of key that is no longer sent in the same way. */
function schemes({ before, after }: Pair): string[] {
  const wire = (scheme: unknown) => ({ ...(scheme as Schema | undefined), description: undefined });
  return Object.entries(before.components['securitySchemes'] ?? {})
    .filter(([name, scheme]) => !isSame(wire(scheme), wire(after.components['securitySchemes']?.[name])))
    .map(([name]) => `the key ${name} is sent in another way`);
}

function compareOperations(
  before: Named<Named<Operation>>,
  after: Named<Named<Operation>>,
  compare: (call: string, old: Operation, now: Operation) => string[],
): string[] {
  return Object.entries(before).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, old]) => {
      const call = `${method.toUpperCase()} ${path}`;
      const now = after[path]?.[method];
      return now === undefined ? [`${call}: was removed`] : compare(call, old, now);
    }),
  );
}

function identity(call: string, old: Operation, now: Operation): string[] {
  return old.operationId === now.operationId ? [] : [`${call}: was renamed from ${old.operationId}`];
}

/** Returns a line for each way to authenticate that no longer works, or that needs additional scopes. */
function security(call: string, old: Operation, now: Operation): string[] {
  return (old.security ?? [])
    .filter((way) => !(now.security ?? []).some((each) => isNoStricter(way, each)))
    .map((way) => `${call}: can no longer be called with ${JSON.stringify(way)} alone`);
}

function isNoStricter(old: Named<readonly string[]>, now: Named<readonly string[]>): boolean {
  return Object.entries(now).every(
    ([scheme, scopes]) => old[scheme] !== undefined && scopes.every((scope) => old[scheme]?.includes(scope)),
  );
}

function parameters(pair: Pair, call: string, old: Operation, now: Operation): string[] {
  const known = new Map((old.parameters ?? []).map((each) => [`${each.in} ${each.name}`, each]));
  const given = new Map((now.parameters ?? []).map((each) => [`${each.in} ${each.name}`, each]));
  const removed = [...known.keys()].filter((name) => !given.has(name)).map((name) => `${call}: ${name} was removed`);
  const demanded = [...given]
    .filter(([name, { required }]) => required === true && known.get(name)?.required !== true)
    .map(([name]) => `${call}: ${name} is required now`);
  const changed = [...known].flatMap(([name, { schema }]) => {
    const kept = given.get(name);
    return kept === undefined ? [] : compareSchemas(pair, schema, kept.schema, 'in', `${call}: ${name}`);
  });
  return [...removed, ...demanded, ...changed];
}

/**
 * Compares the headers of webhook deliveries, which the document describes as parameters, in the same way as response
 * headers. Receivers rely on headers that were always present.
 */
function sentHeaders(pair: Pair, call: string, old: Operation, now: Operation): string[] {
  const asHeaders = ({ parameters = [] }: Operation) => ({
    headers: Object.fromEntries(parameters.map((each) => [each.name, each])),
  });
  return headers(pair, asHeaders(old), asHeaders(now), call);
}

function requestBody(pair: Pair, call: string, old: Operation, now: Operation, direction: Direction): string[] {
  if (old.requestBody === undefined) return now.requestBody?.required === true ? [`${call}: needs a body now`] : [];
  if (now.requestBody === undefined) return [`${call}: its body was removed`];
  const demanded = now.requestBody.required === true && old.requestBody.required !== true;
  return [
    ...(demanded ? [`${call}: needs a body now`] : []),
    ...content(pair, old.requestBody.content, now.requestBody.content, direction, `${call}: body`),
  ];
}

function responses(pair: Pair, call: string, old: Operation, now: Operation): string[] {
  return Object.entries(old.responses).flatMap(([status, response]) => {
    const kept = now.responses[status];
    if (kept === undefined) return [`${call}: ${status} was removed`];
    const was = resolveReference<Response>(pair.before, response);
    const is = resolveReference<Response>(pair.after, kept);
    return [
      ...headers(pair, was, is, `${call}: ${status}`),
      ...content(pair, was.content ?? {}, is.content ?? {}, 'out', `${call}: ${status}`),
      ...problemCodes(pair, was, is, `${call}: ${status}`),
    ];
  });
}

function headers(pair: Pair, old: Response, now: Response, at: string): string[] {
  return Object.entries(old.headers ?? {}).flatMap(([name, header]) => {
    const kept = now.headers?.[name];
    if (kept === undefined) return [`${at} header ${name} was removed`];
    const was = resolveReference<Header>(pair.before, header);
    const is = resolveReference<Header>(pair.after, kept);
    const lost = was.required === true && is.required !== true ? [`${at} header ${name} may be missing now`] : [];
    return [...lost, ...compareSchemas(pair, was.schema ?? {}, is.schema ?? {}, 'out', `${at} header ${name}`)];
  });
}

function content(pair: Pair, old: Content, now: Content, direction: Direction, at: string): string[] {
  return Object.entries(old).flatMap(([type, { schema }]) => {
    const kept = now[type];
    if (kept === undefined) return [`${at} is no longer ${type}`];
    return compareSchemas(pair, schema, kept.schema, direction, at);
  });
}

/** Returns a line for each removed problem code. Removing a code breaks clients, because clients branch on codes. */
function problemCodes(pair: Pair, old: Response, now: Response, at: string): string[] {
  const codesOf = (document: Described, { content }: Response): readonly unknown[] => {
    const schema = content?.['application/problem+json']?.schema;
    const code = schema === undefined ? undefined : propertiesOf(mergeSchema(document, schema))['code'];
    return code === undefined ? [] : (valuesOf(code) ?? []);
  };
  const kept = codesOf(pair.after, now);
  return codesOf(pair.before, old)
    .filter((code) => !kept.includes(code))
    .map((code) => `${at} problem ${String(code)} was removed`);
}

/** Returns a line for each breaking change between two schemas. Each schema may be a union. */
function compareSchemas(pair: Pair, old: Schema, now: Schema, direction: Direction, at: string): string[] {
  if (old === now && isUntouched(pair, old)) return [];
  const was = kindsOf(pair.before, old);
  const is = kindsOf(pair.after, now);
  if (direction === 'out') {
    const lost = was.filter((kind) => isNewKind(kind, is)).map((kind) => `${at} is never ${String(markOf(kind))} now`);
    const known = is.filter((kind) => !isNewKind(kind, was));
    return [
      ...lost,
      ...known.flatMap((kind) => compareClosest(was, kind, at, (each) => compareKinds(pair, each, kind, 'out', at))),
    ];
  }
  const defaults = isSame(defaultOf(was), defaultOf(is)) ? [] : [`${at} has another default`];
  const kinds = was.flatMap((kind) => compareClosest(is, kind, at, (each) => compareKinds(pair, kind, each, 'in', at)));
  return [...defaults, ...kinds];
}

/** Returns a field's default, which can be set on the whole schema or on one of its union members. */
function defaultOf(kinds: readonly Schema[]): unknown {
  return kinds.find((kind) => kind['default'] !== undefined)?.['default'];
}

/**
 * Returns whether everything that a schema references is identical in both documents. If only a part of a document
 * changes, most schemas are identical.
 */
function isUntouched({ before, after }: Pair, schema: Schema): boolean {
  const names = new Set(namedIn(schema));
  for (const name of names) {
    const named = before.components.schemas[name];
    if (named !== after.components.schemas[name]) return false;
    for (const further of namedIn(named)) names.add(further);
  }
  return true;
}

const namesBySchema = new WeakMap<object, readonly string[]>();

/** Returns the names of the schemas that a schema references directly. */
function namedIn(schema: unknown): readonly string[] {
  if (!isSchema(schema)) return [];
  const known = namesBySchema.get(schema);
  if (known !== undefined) return known;
  const { $ref: reference } = schema;
  const names = [
    ...(typeof reference === 'string' ? [nameIn(reference)] : []),
    ...Object.values(schema).flatMap((part) => namedIn(part)),
  ];
  namesBySchema.set(schema, names);
  return names;
}

/**
 * Returns the breaking changes against the candidate with the fewest of them. `compare` returns undefined for a
 * candidate of another type. If all candidates have another type, that is the only breaking change.
 */
function compareClosest(
  candidates: readonly Schema[],
  kind: Schema,
  at: string,
  compare: (candidate: Schema) => string[] | undefined,
): string[] {
  const ways = candidates.map(compare).filter((breaks) => breaks !== undefined);
  const best = ways.sort((a, b) => a.length - b.length)[0];
  return best ?? [`${at} has another type: ${JSON.stringify(kind['type'])} fits nothing`];
}

/**
 * Returns whether a union member is new: a constant such as `kind: "visit"` identifies it, and no known member has the
 * same constant.
 */
function isNewKind(kind: Schema, known: readonly Schema[]): boolean {
  const mark = markOf(kind);
  return mark !== undefined && !known.some((each) => markOf(each) === mark);
}

function markOf(kind: Schema): string | undefined {
  const marks = Object.entries(propertiesOf(kind)).filter(([, property]) => property['const'] !== undefined);
  return marks.length === 0 ? undefined : JSON.stringify(marks.map(([name, property]) => [name, property['const']]));
}

function compareKinds(pair: Pair, old: Schema, now: Schema, direction: Direction, at: string): string[] | undefined {
  if (!isTypeKept(old['type'], now['type'], direction)) return undefined;
  return [
    ...(direction === 'in' ? [...values(old, now, at), ...limits(old, now, at)] : lostValues(old, now, at)),
    ...(isSame(old['format'], now['format']) ? [] : [`${at} has another format`]),
    ...fields(pair, old, now, direction, at),
    ...compareInner(pair, old['items'], now['items'], direction, `${at}[]`),
    ...compareInner(pair, old['additionalProperties'], now['additionalProperties'], direction, `${at}/*`),
  ];
}

/**
 * Returns whether a type is compatible. A number type accepts integers, and a schema without a type accepts anything.
 */
function isTypeKept(old: unknown, now: unknown, direction: Direction): boolean {
  const [narrow, wide] = direction === 'in' ? [old, now] : [now, old];
  return narrow === wide || wide === undefined || (narrow === 'integer' && wide === 'number');
}

function values(old: Schema, now: Schema, at: string): string[] {
  const allowed = valuesOf(now);
  if (allowed === undefined) return [];
  const before = valuesOf(old);
  if (before === undefined) return [`${at} has a list of values now`];
  const lost = before.filter((value) => !allowed.includes(value));
  return lost.map((value) => `${at} no longer takes ${JSON.stringify(value)}`);
}

/** Returns a line for each removed value. A client that waits for a removed value would wait forever. */
function lostValues(old: Schema, now: Schema, at: string): string[] {
  const allowed = valuesOf(now);
  const lost = allowed === undefined ? [] : (valuesOf(old) ?? []).filter((value) => !allowed.includes(value));
  return lost.map((value) => `${at} is never ${JSON.stringify(value)} now`);
}

function valuesOf({ enum: values, const: constant }: Schema): readonly unknown[] | undefined {
  if (constant !== undefined) return [constant];
  return Array.isArray(values) ? values : undefined;
}

const LOWEST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const HIGHEST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

function limits(old: Schema, now: Schema, at: string): string[] {
  const raised = LOWEST.filter((name) => numberIn(now, name, -Infinity) > numberIn(old, name, -Infinity));
  const lowered = HIGHEST.filter((name) => numberIn(now, name, Infinity) < numberIn(old, name, Infinity));
  const others = ['pattern', 'uniqueItems', 'multipleOf'].filter(
    (name) => now[name] !== undefined && !isSame(old[name], now[name]),
  );
  return [...raised, ...lowered, ...others].map((name) => `${at} has a narrower ${name}`);
}

function numberIn(schema: Schema, name: string, otherwise: number): number {
  const value = schema[name];
  return typeof value === 'number' ? value : otherwise;
}

function fields(pair: Pair, old: Schema, now: Schema, direction: Direction, at: string): string[] {
  const was = propertiesOf(old);
  const is = propertiesOf(now);
  const mustHave = requiredOf(now).filter((name) => !requiredOf(old).includes(name));
  const hadAlways = requiredOf(old).filter((name) => !requiredOf(now).includes(name) && is[name] !== undefined);
  return [
    ...(direction === 'in' ? mustHave.map((name) => `${at}/${name} is required now`) : []),
    ...(direction === 'out' ? hadAlways.map((name) => `${at}/${name} may be missing now`) : []),
    ...Object.entries(was).flatMap(([name, property]) => {
      const kept = is[name];
      const there = `${at}/${name}`;
      return kept === undefined ? [`${there} was removed`] : compareSchemas(pair, property, kept, direction, there);
    }),
  ];
}

function compareInner(pair: Pair, old: unknown, now: unknown, direction: Direction, at: string): string[] {
  if (now === false && old !== false && direction === 'in') return [`${at} is refused now`];
  return isSchema(old) && isSchema(now) ? compareSchemas(pair, old, now, direction, at) : [];
}

/** Returns the kinds of value that a schema allows: the members of a union, and each type in a list of types. */
function kindsOf(document: Described, schema: Schema): Schema[] {
  const { anyOf, oneOf, ...rest } = mergeSchema(document, schema);
  const branches = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (branches !== undefined) return branches.flatMap((branch) => kindsOf(document, { allOf: [rest, branch] }));
  const { type } = rest;
  return Array.isArray(type) ? type.map((each: unknown) => kindOf(rest, each)) : [rest];
}

/** Returns a schema restricted to one of its types. Limits and values don't apply to null, which has only one value. */
function kindOf(schema: Schema, type: unknown): Schema {
  if (type === 'null') return { type };
  const values = valuesOf(schema)?.filter((value) => value !== null);
  return { ...schema, type, ...(values === undefined ? {} : { enum: values }) };
}

/** Returns a schema with its references and `allOf` parts merged in. */
function mergeSchema(document: Described, schema: Schema): Schema {
  const { $ref: reference, allOf, ...rest } = schema;
  const named = typeof reference === 'string' ? (document.components.schemas[nameIn(reference)] ?? {}) : {};
  const parts = [named, ...((allOf ?? []) as readonly Schema[])].map((part) =>
    '$ref' in part || 'allOf' in part ? mergeSchema(document, part) : part,
  );
  const all = [...parts, rest];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(propertiesOf)) as Named<Schema>,
    required: all.flatMap(requiredOf),
  };
}

function resolveReference<Of extends { readonly $ref?: string }>(document: Described, given: Of): Of {
  if (given.$ref === undefined) return given;
  const [, , room = '', name = ''] = given.$ref.split('/');
  return (document.components[room]?.[decodeURIComponent(name)] ?? {}) as Of;
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

function propertiesOf({ properties }: Schema): Named<Schema> {
  return (properties ?? {}) as Named<Schema>;
}

function requiredOf({ required }: Schema): readonly string[] {
  return (required ?? []) as readonly string[];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
