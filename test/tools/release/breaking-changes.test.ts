import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { servedDocument } from '#test/support/documented-answers.ts';
import { breakingChanges, type Described, type Schema } from '#tools/release/breaking-changes.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const served = servedDocument('X-Service') as unknown as Described;

describe('npm run openapi', () => {
  let folder = '';
  const released = (): string => join(folder, 'released.json');
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'whence-openapi-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('writes the document to the named file', async () => {
    await openapi(released());
    assert.deepEqual(JSON.parse(readFileSync(released(), 'utf8')), served);
  });

  it('--compare accepts a release that the API still serves', async () => {
    writeFileSync(released(), JSON.stringify(served));
    const { stdout } = await openapi('--compare', released());
    assert.equal(stdout, 'No change breaks clients.\n');
  });

  it('--compare lists the breaking changes and fails', async () => {
    const get = { operationId: 'listMugs', responses: {} };
    writeFileSync(released(), JSON.stringify({ ...served, paths: { ...served.paths, '/v1/mugs': { get } } }));
    await assert.rejects(openapi('--compare', released()), {
      code: 1,
      stdout: 'GET /v1/mugs: was removed\nChanges that break clients: 1\n',
    });
  });

  const openapi = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'openapi.ts'), ...args]);
});

/* An OpenAPI document with every kind of element that breakingChanges compares, and changes to the document. */

type Tree = { [name: string]: Tree } & { [name: string]: unknown };

const base = {
  paths: {
    '/v1/mugs': {
      post: {
        operationId: 'makeMug',
        security: [{ secretKey: ['write'] }, { publishableKey: [] }],
        parameters: [
          { name: 'X-Service-OID', in: 'header', required: false, schema: { type: 'string' } },
          {
            name: 'size',
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
          },
          { name: 'kind', in: 'query', required: false, schema: { type: 'string', enum: ['tea', 'coffee'] } },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/MakeMugBody' } } },
        },
        responses: {
          '201': {
            description: 'A mug.',
            headers: { 'X-Service-OID': { required: true, schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Mug' } } },
          },
          '409': { $ref: '#/components/responses/taken' },
        },
      },
      get: {
        operationId: 'listMugs',
        security: [{ secretKey: ['read'] }],
        responses: {
          '200': {
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Mug' } } } },
          },
        },
      },
    },
  },
  webhooks: {
    'mug.made': {
      post: {
        operationId: 'mugMade',
        parameters: [{ name: 'X-Service-Signature', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Mug' } } },
        },
        responses: {},
      },
    },
  },
  components: {
    securitySchemes: {
      secretKey: { type: 'http', scheme: 'bearer', description: 'A secret key.' },
      publishableKey: { type: 'http', scheme: 'bearer' },
    },
    responses: {
      taken: {
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { properties: { code: { enum: ['name-taken', 'in-flight'] } } },
              ],
            },
          },
        },
      },
    },
    schemas: {
      Problem: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
      Mug: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          glaze: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
          note: { type: 'string' },
          state: { type: 'string', enum: ['raw', 'fired'] },
          steps: {
            type: 'array',
            items: {
              oneOf: [
                { type: 'object', properties: { kind: { const: 'throw', type: 'string' } }, required: ['kind'] },
                { type: 'object', properties: { kind: { const: 'fire', type: 'string' } }, required: ['kind'] },
              ],
            },
          },
          weights: { type: 'object', additionalProperties: { type: 'integer' } },
        },
        required: ['id', 'name', 'glaze', 'state', 'steps', 'weights'],
      },
      MakeMugBody: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 255 },
          volume: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }, { type: 'null' }] },
          tags: { type: ['array', 'null'], items: { type: 'string' }, maxItems: 10 },
          shape: { type: ['string', 'null'], enum: ['round', 'square', null] },
          price: { type: 'number' },
          sale: {
            oneOf: [
              {
                type: 'object',
                properties: { type: { const: 'percent' }, percent: { type: 'number' } },
                required: ['type'],
              },
              {
                type: 'object',
                properties: { type: { const: 'fixed' }, amount: { type: 'integer' } },
                required: ['type'],
              },
            ],
          },
        },
        required: ['name'],
      },
    },
  },
};

type Change = readonly [what: string, change: (document: Tree) => void];

const post = (document: Tree) => document['paths']!['/v1/mugs']!['post']!;
const answer = (document: Tree) => post(document)['responses']!['201']!;
const mug = (document: Tree) => document['components']!['schemas']!['Mug']!;
const body = (document: Tree) => document['components']!['schemas']!['MakeMugBody']!;
const parameter = (document: Tree, index: number) => (post(document)['parameters'] as unknown as Tree[])[index]!;
const codes = (document: Tree) => {
  const taken = document['components']!['responses']!['taken']!['content']!['application/problem+json']!['schema']!;
  return (taken['allOf'] as unknown as Tree[])[1]!['properties']!['code'] as unknown as { enum: string[] };
};
const remove = (tree: Tree, name: string) => {
  delete tree[name];
};
const set = (tree: Tree, name: string, value: unknown) => {
  Object.assign(tree, { [name]: value });
};
const list = (tree: Tree, name: string) => tree[name] as unknown as Tree[];

const scheme = (document: Tree) => document['components']!['securitySchemes']!['secretKey']!;
const webhookCall = (document: Tree) => document['webhooks']!['mug.made']!['post']!;

const BREAKS: readonly Change[] = [
  ['a path is removed', (it) => remove(it['paths']!, '/v1/mugs')],
  ['a call is removed', (it) => remove(it['paths']!['/v1/mugs']!, 'get')],
  ['a call is renamed', (it) => set(post(it), 'operationId', 'createMug')],
  ['another scope is needed', (it) => set(post(it), 'security', [{ secretKey: ['admin'] }, { publishableKey: [] }])],
  [
    'a further scope is needed',
    (it) => set(it['paths']!['/v1/mugs']!['get']!, 'security', [{ secretKey: ['read', 'admin'] }]),
  ],
  ['a kind of key is no longer accepted', (it) => set(post(it), 'security', [{ secretKey: ['write'] }])],
  ['a key is sent in another way', (it) => set(scheme(it), 'scheme', 'basic')],
  ['a query parameter is removed', (it) => list(post(it), 'parameters').splice(1, 1)],
  ['a header is no longer read', (it) => list(post(it), 'parameters').splice(0, 1)],
  ['a header is required', (it) => set(parameter(it, 0), 'required', true)],
  [
    'a new header is required',
    (it) => list(post(it), 'parameters').push({ name: 'X-New', in: 'header', required: true, schema: {} } as never),
  ],
  ['a query parameter accepts fewer values', (it) => set(parameter(it, 1)['schema']!, 'maximum', 8)],
  ['a query parameter has another default', (it) => set(parameter(it, 1)['schema']!, 'default', 4)],
  ['a value of a query parameter is removed', (it) => set(parameter(it, 2)['schema']!, 'enum', ['tea'])],
  [
    'a body becomes required',
    (it) => set(it['paths']!['/v1/mugs']!['get']!, 'requestBody', { required: true, content: {} }),
  ],
  ['a body is removed', (it) => remove(post(it), 'requestBody')],
  [
    'a body has another content type',
    (it) => set(post(it)['requestBody']!, 'content', { 'text/plain': { schema: {} } }),
  ],
  ['a field of a body is removed', (it) => remove(body(it)['properties']!, 'price')],
  ['a field of a body becomes required', (it) => set(body(it), 'required', ['name', 'price'])],
  [
    'a new field of a body is required',
    (it) => {
      set(body(it)['properties']!, 'color', { type: 'string' });
      set(body(it), 'required', ['name', 'color']);
    },
  ],
  ['a string must be longer', (it) => set(body(it)['properties']!['name']!, 'minLength', 2)],
  ['a string must be shorter', (it) => set(body(it)['properties']!['name']!, 'maxLength', 100)],
  ['a number must be a multiple of another number', (it) => set(body(it)['properties']!['price']!, 'multipleOf', 1)],
  ['a limit is added to a union', (it) => set(body(it)['properties']!['volume']!, 'minimum', 2)],
  ['a body must have fields', (it) => set(body(it), 'minProperties', 2)],
  ['a string must match a pattern', (it) => set(body(it)['properties']!['name']!, 'pattern', '^[a-z]+$')],
  ['a string must be one of a list', (it) => set(body(it)['properties']!['name']!, 'enum', ['a', 'b'])],
  ['a list must be shorter', (it) => set(body(it)['properties']!['tags']!, 'maxItems', 9)],
  ['a list must have unique items', (it) => set(body(it)['properties']!['tags']!, 'uniqueItems', true)],
  ['a list accepts other items', (it) => set(body(it)['properties']!['tags']!, 'items', { type: 'integer' })],
  ['null is refused', (it) => set(body(it)['properties']!['tags']!, 'type', 'array')],
  ['null is refused in a union', (it) => list(body(it)['properties']!['volume']!, 'anyOf').pop()],
  ['digits in a string are refused', (it) => list(body(it)['properties']!['volume']!, 'anyOf').splice(1, 1)],
  ['a limit in a union is narrowed', (it) => set(list(body(it)['properties']!['volume']!, 'anyOf')[0]!, 'minimum', 2)],
  ['a value of a field is removed', (it) => set(body(it)['properties']!['shape']!, 'enum', ['round', null])],
  ['a number must be an integer', (it) => set(body(it)['properties']!['price']!, 'type', 'integer')],
  ['a field has another type', (it) => set(body(it)['properties']!['price']!, 'type', 'string')],
  ['a variant of a field is removed', (it) => list(body(it)['properties']!['sale']!, 'oneOf').pop()],
  [
    'a field in a variant is removed',
    (it) => remove(list(body(it)['properties']!['sale']!, 'oneOf')[1]!['properties']!, 'amount'),
  ],
  [
    'a success has another status',
    (it) => {
      set(post(it)['responses']!, '200', answer(it));
      remove(post(it)['responses']!, '201');
    },
  ],
  ['a problem is removed', (it) => remove(post(it)['responses']!, '409')],
  ['a code of a problem is removed', (it) => codes(it).enum.pop()],
  ['a header of a response is removed', (it) => remove(answer(it)['headers']!, 'X-Service-OID')],
  ['a header of a response becomes optional', (it) => remove(answer(it)['headers']!['X-Service-OID']!, 'required')],
  ['a response becomes empty', (it) => remove(answer(it), 'content')],
  [
    'a response is no longer a list',
    (it) =>
      set(it['paths']!['/v1/mugs']!['get']!['responses']!['200']!['content']!['application/json']!, 'schema', {
        $ref: '#/components/schemas/Mug',
      }),
  ],
  ['a field of a response is removed', (it) => remove(mug(it)['properties']!, 'name')],
  ['an optional field of a response is removed', (it) => remove(mug(it)['properties']!, 'note')],
  [
    'a field of a response becomes optional',
    (it) => set(mug(it), 'required', ['id', 'glaze', 'state', 'steps', 'weights']),
  ],
  ['a field of a response can be null', (it) => set(mug(it)['properties']!['name']!, 'type', ['string', 'null'])],
  ['a field of a response has another type', (it) => set(mug(it)['properties']!['id']!, 'type', 'string')],
  ['an integer of a response can be a fraction', (it) => set(mug(it)['properties']!['id']!, 'type', 'number')],
  [
    'a time of a response can be any string',
    (it) => remove(list(mug(it)['properties']!['glaze']!, 'anyOf')[0]!, 'format'),
  ],
  [
    'a record of a response has other values',
    (it) => set(mug(it)['properties']!['weights']!, 'additionalProperties', { type: 'string' }),
  ],
  [
    'a variant in a response has another shape',
    (it) => set(list(mug(it)['properties']!['steps']!['items']!, 'oneOf')[0]!, 'required', []),
  ],
  ['a value of a response is removed', (it) => set(mug(it)['properties']!['state']!, 'enum', ['raw'])],
  ['a value of a response is renamed', (it) => set(mug(it)['properties']!['state']!, 'enum', ['raw', 'burnt'])],
  ['a variant in a response is removed', (it) => list(mug(it)['properties']!['steps']!['items']!, 'oneOf').pop()],
  [
    'a header of a response has another type',
    (it) => set(answer(it)['headers']!['X-Service-OID']!, 'schema', { type: 'integer' }),
  ],
  ['a header of a webhook is removed', (it) => set(webhookCall(it), 'parameters', [])],
  ['a header of a webhook becomes optional', (it) => set(list(webhookCall(it), 'parameters')[0]!, 'required', false)],
  ['a type of webhook is removed', (it) => remove(it['webhooks']!, 'mug.made')],
];

const HARMLESS: readonly Change[] = [
  ['the document stays the same', () => {}],
  ['a path is added', (it) => set(it['paths']!, '/v1/cups', it['paths']!['/v1/mugs'])],
  ['fewer scopes are needed', (it) => set(post(it), 'security', [{ secretKey: [] }, { publishableKey: [] }])],
  [
    'another kind of key is accepted',
    (it) => set(post(it), 'security', [{ secretKey: ['write'] }, { publishableKey: [] }, { portalKey: [] }]),
  ],
  [
    'a query parameter is added',
    (it) => list(post(it), 'parameters').push({ name: 'new', in: 'query', required: false, schema: {} } as never),
  ],
  ['a query parameter accepts more values', (it) => set(parameter(it, 1)['schema']!, 'maximum', 10)],
  [
    'a value of a query parameter is added',
    (it) => set(parameter(it, 2)['schema']!, 'enum', ['tea', 'coffee', 'milk']),
  ],
  ['an optional field of a body is added', (it) => set(body(it)['properties']!, 'color', { type: 'string' })],
  ['a field of a body is no longer required', (it) => set(body(it), 'required', [])],
  ['a string may be longer', (it) => set(body(it)['properties']!['name']!, 'maxLength', 300)],
  [
    'a value of a field is added',
    (it) => set(body(it)['properties']!['shape']!, 'enum', ['round', 'square', 'oval', null]),
  ],
  [
    'a variant of a field is added',
    (it) =>
      list(body(it)['properties']!['sale']!, 'oneOf').push({
        type: 'object',
        properties: { type: { const: 'gift' } },
      } as never),
  ],
  ['a field also accepts null', (it) => set(body(it)['properties']!['price']!, 'type', ['number', 'null'])],
  ['a body becomes optional', (it) => set(post(it)['requestBody']!, 'required', false)],
  ['a problem is added', (it) => set(post(it)['responses']!, '429', {})],
  ['a code of a problem is added', (it) => codes(it).enum.push('odd')],
  ['a header of a response is added', (it) => set(answer(it)['headers']!, 'ETag', { schema: { type: 'string' } })],
  ['a field of a response is added', (it) => set(mug(it)['properties']!, 'color', { type: 'string' })],
  [
    'a field of a response is always present',
    (it) => set(mug(it), 'required', [...(mug(it)['required'] as unknown as string[]), 'note']),
  ],
  ['a value of a response is added', (it) => set(mug(it)['properties']!['state']!, 'enum', ['raw', 'fired', 'sold'])],
  [
    'a field of a response is never null',
    (it) => set(mug(it)['properties']!, 'glaze', { type: 'string', format: 'date-time' }),
  ],
  [
    'a variant in a response is added',
    (it) =>
      list(mug(it)['properties']!['steps']!['items']!, 'oneOf').push({
        type: 'object',
        properties: { kind: { const: 'sell' } },
      } as never),
  ],
  ['a type of webhook is added', (it) => set(it['webhooks']!, 'mug.sold', it['webhooks']!['mug.made'])],
  [
    'a schema is renamed',
    (it) => {
      set(it['components']!['schemas']!, 'Cup', mug(it));
      for (const place of [answer(it), it['webhooks']!['mug.made']!['post']!['requestBody']!])
        set(place['content']!['application/json']!, 'schema', { $ref: '#/components/schemas/Cup' });
    },
  ],
  [
    'a header of a webhook is added',
    (it) =>
      list(webhookCall(it), 'parameters').push({ name: 'X-New', in: 'header', required: true, schema: {} } as never),
  ],
  [
    'another kind of key is described',
    (it) => set(it['components']!['securitySchemes']!, 'portalKey', { type: 'http' }),
  ],
  ['the description of a key is changed', (it) => set(scheme(it), 'description', 'Keep it.')],
  ['descriptions are changed', (it) => set(mug(it), 'description', 'A cup.')],
];

describe('breakingChanges: the comparison of two documents', () => {
  for (const [what, change] of BREAKS)
    it(`reports a breaking change: ${what}`, () => assert.notDeepEqual(changed(change), []));
  for (const [what, change] of HARMLESS)
    it(`allows a harmless change: ${what}`, () => assert.deepEqual(changed(change), []));

  it('names the place of each breaking change', () => {
    assert.deepEqual(
      changed((it) => remove(mug(it)['properties']!, 'name')),
      [
        'POST /v1/mugs: 201/name was removed',
        'GET /v1/mugs: 200[]/name was removed',
        'POST mug.made: body/name was removed',
      ],
    );
  });

  it('reports each parameter, response and field that is removed from any call', () => {
    for (const [path, methods] of Object.entries(served.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const before = { ...served, paths: { [path]: { [method]: operation } } };
        for (const [what, after] of robbed(before, operation, path, method)) {
          assert.notDeepEqual(breakingChanges(before, after), [], `${method} ${path} without ${what}`);
        }
      }
    }
  });
});

function changed(change: (document: Tree) => void): string[] {
  const after = structuredClone(base) as unknown as Tree;
  change(after);
  return breakingChanges(base, after as unknown as Described);
}

/**
 * Returns copies of the document of one call. Each copy lacks one parameter, one response, or one field of a JSON body,
 * and is returned with the name of the missing part.
 */
function robbed(document: Described, call: Call, path: string, method: string): [what: string, Described][] {
  const { parameters = [], responses, requestBody } = call;
  const withCall = (changes: Partial<Call>): Described => ({
    ...document,
    paths: { [path]: { [method]: { ...call, ...changes } } },
  });
  const schemas = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)].flatMap(
    (content) => {
      const name = content?.['application/json']?.schema['$ref'];
      return typeof name === 'string' ? [name.split('/').at(-1) ?? ''] : [];
    },
  );
  return [
    ...parameters.map(({ name }, index) => [name, withCall({ parameters: parameters.toSpliced(index, 1) })] as const),
    ...Object.keys(responses).map((status) => [status, withCall({ responses: without(responses, status) })] as const),
    ...schemas.flatMap((name) => fieldsRobbed(document, name)),
  ].map(([what, after]) => [what, after]);
}

type Call = Described['paths'][string][string];

function fieldsRobbed({ components, ...document }: Described, name: string): [what: string, Described][] {
  const schema = components.schemas[name] as Schema;
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  return Object.keys(properties).map((property) => {
    const less = { ...schema, properties: without(properties, property) };
    const schemas = { ...components.schemas, [name]: less };
    return [`${name}.${property}`, { ...document, components: { ...components, schemas } }];
  });
}

function without<Value>(of: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(of).filter(([each]) => each !== name));
}
