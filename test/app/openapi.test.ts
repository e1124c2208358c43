import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { ValidateFunction } from 'ajv';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { parse } from '#core/contract/parse.ts';
import { openapiDocument } from '#app/openapi/openapi.ts';
import {
  isChange,
  keysOf,
  type Operation,
  problemsOf,
  successStatus,
  takesIdempotencyKey,
  canHaveIfMatch,
} from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';
import { PROBLEMS } from '#core/contract/problem.ts';
import { parseJson } from '#platform/json.ts';
import { schemaReader, servedDocument } from '../support/documented-answers.ts';

const root = new URL('../../', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
const make = () => openapiDocument({ operations, version, headerPrefix: 'X-Service' });
const text = JSON.stringify(make());
const document = JSON.parse(text) as Document;
const table = Object.entries<Operation>(operations);

const SECRET = /^(password|current|code|token)$/;

type Document = {
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, Json>>;
};
type Json = Record<string, unknown>;
type Described = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Json[];
  parameters?: { name: string; in: string; description?: string; schema: Json; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Json; example: unknown }> };
  responses: Record<string, Response>;
};
type Response = { $ref?: string; headers?: Json; content?: Record<string, Media> };
type Media = { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> };

const described = (id: string): Described => {
  const found = calls.find(({ operationId }) => operationId === id);
  assert.ok(found, id);
  return found;
};
const calls = Object.values(document.paths).flatMap((path) => Object.values(path));
const headersOf = (id: string): string[] =>
  (described(id).parameters ?? []).filter((parameter) => parameter.in === 'header').map(({ name }) => name);
/** Returns the field names of a call’s body. */
const fieldsOf = (id: string): string[] => {
  const schema = described(id).requestBody?.content['application/json']?.schema as { $ref?: string } | undefined;
  const name = schema?.$ref?.split('/').at(-1) ?? '';
  return Object.keys(document.components['schemas']?.[name]?.['properties'] ?? {});
};
const answered = (id: string): string[] => {
  const status = successStatus(operations[id as keyof typeof operations]);
  return Object.keys(described(id).responses[status]?.headers ?? {});
};

describe('the OpenAPI document', () => {
  it('is built from the current table of operations', () => {
    // Don't use deepEqual, which would need 15 seconds to print the differences between two OpenAPI documents.
    assert.ok(
      isDeepStrictEqual(servedDocument('X-Service'), document),
      'scripts/build.mjs lists every source of the document',
    );
  });

  it('is the same every time it is generated', () => {
    assert.equal(JSON.stringify(make()), text);
  });

  it('contains every operation once with its id', () => {
    assert.deepEqual(calls.map(({ operationId }) => operationId).toSorted(), Object.keys(operations).toSorted());
  });

  it('passes Redocly’s rules “recommended-strict”', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const faults = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
    assert.deepEqual(
      faults.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      [],
    );
  });

  it('describes every call, tag and parameter, and lists every path parameter', () => {
    for (const { name, description } of document.tags) assert.notEqual(description, name, `a description of ${name}`);
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { operationId, summary, description, parameters = [] } of Object.values(methods)) {
        assert.ok(summary && description, operationId);
        assert.ok(
          parameters.every(({ description }) => description),
          operationId,
        );
        const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
        assert.deepEqual(path.match(/\{\w+\}/g) ?? [], named, operationId);
      }
    }
  });

  it('describes every field of its schemas', () => {
    const silent = Object.entries(document.components['schemas'] ?? {}).flatMap(([name, schema]) =>
      Object.entries((schema as { properties?: Record<string, { anyOf?: Json[] }> }).properties ?? {})
        .filter(([, field]) => ![field, ...(field.anyOf ?? [])].some((each) => 'description' in each || '$ref' in each))
        .map(([field]) => `${name}.${field}`),
    );
    assert.deepEqual(silent, []);
  });

  it('states the keys and scopes that a call accepts', () => {
    assert.deepEqual(described('reportVisit').security, [
      { secretKey: ['events:write'] },
      { personSession: ['events:write'] },
      { publishableKey: [] },
    ]);
    assert.deepEqual(described('listPayouts').security, [
      { secretKey: ['resources:read'] },
      { personSession: ['resources:read'] },
    ]);
    assert.deepEqual(described('getAccount').security, [{ personSession: [] }]);
    assert.deepEqual(described('openSession').security, []);
  });

  it('states for each call whether it needs a key, a login or neither', () => {
    for (const [id, operation] of table) {
      const { scope, open } = operation;
      const isOfSessions = scope === 'account' || scope === 'portal';
      assert.equal(keysOf(operation).length === 0, isOfSessions || id === 'previewPortal', id);
      assert.ok(open !== true || isOfSessions, id);
      const codes = problemsOf(operations[id as keyof typeof operations]);
      assert.equal(codes.includes('unauthenticated'), open !== true, id);
    }
  });

  it('has no Idempotency-Key on calls with a secret in the body, because a hash of the body would be stored', () => {
    for (const [id, operation] of table) {
      const { takesSecret = [] } = operation;
      const fields = fieldsOf(id);
      if (takesSecret.length > 0) assert.ok(!headersOf(id).includes('Idempotency-Key'), id);
      assert.ok(
        takesSecret.every((name) => fields.includes(name)),
        id,
      );
      // Skip signUp and calls that accept an API key, because their `code` is a public referral code and not a secret.
      const secrets = fields.filter((name) => keysOf(operation).length === 0 && id !== 'signUp' && SECRET.test(name));
      assert.deepEqual(
        secrets.filter((name) => !takesSecret.includes(name)),
        [],
        id,
      );
    }
  });

  it('stores no uploaded list in the audit log, because a list has data of other people', () => {
    for (const [id, operation] of table) {
      if (!isChange(operation) || !fieldsOf(id).includes('csv')) continue;
      assert.deepEqual(operation.takesSecret, ['csv'], id);
    }
  });

  it('lists every status and every problem code of each call', () => {
    for (const [id, operation] of table) {
      const { responses } = described(id);
      const codes = problemsOf(operation);
      const statuses = new Set([
        String(successStatus(operation)),
        ...(operation.versioned === true && operation.method === 'GET' ? ['304'] : []),
        ...codes.map((code) => String(PROBLEMS[code].status)),
      ]);
      assert.deepEqual(Object.keys(responses), [...statuses].toSorted(), id);
      const shown = Object.values(responses).flatMap((response) => Object.keys(problemOf(response)?.examples ?? {}));
      assert.deepEqual(shown.toSorted(), [...codes].toSorted(), id);
    }
  });
});

describe('request fields with a default in the OpenAPI document', () => {
  it('are optional in the types of openapi-typescript with its default settings', async () => {
    // openapi-typescript is installed only in packages/sdk, for the generator of the SDK.
    const { default: openapiTS, astToString } = (await import(
      new URL('../../packages/sdk/node_modules/openapi-typescript/dist/index.mjs', import.meta.url).href
    )) as {
      readonly default: (source: string) => Promise<unknown>;
      readonly astToString: (nodes: unknown) => string;
    };
    const source = astToString(await openapiTS(JSON.stringify(document)));
    const body = /\n {8}CreateProgramBody: \{\n([\s\S]*?)\n {8}\};/.exec(source)?.[1] ?? '';
    const required = [...body.matchAll(/^ {12}(\w+):/gm)].map(([, name]) => name);
    assert.deepEqual(required, ['name', 'reward']);
    assert.match(source, /CreateApiKeyBody: \{[\s\S]*?\n {12}kind\?:/);
  });

  it('have no default at the top level of their schema, in every request body', () => {
    const bodies = Object.entries(document.components['schemas'] ?? {}).filter(([name]) => name.endsWith('Body'));
    for (const [name, schema] of bodies) {
      JSON.stringify(schema, (key, value: unknown) => {
        if (key !== 'properties') return value;
        for (const [field, of] of Object.entries(value as Readonly<Record<string, object>>)) {
          assert.ok(!('default' in of), `${name}: ${field}`);
        }
        return value;
      });
    }
  });
});

describe('the headers of the OpenAPI document', () => {
  it('include Idempotency-Key only on calls that read it, and createProgram documents the errors of the key', () => {
    for (const [id, operation] of table) {
      assert.equal(headersOf(id).includes('Idempotency-Key'), takesIdempotencyKey(operation), id);
    }
    assert.ok(headersOf('createProgram').includes('Idempotency-Key'));
    assert.ok(described('createProgram').responses['409'] && described('createProgram').responses['422']);
    assert.ok(!headersOf('reportSale').includes('Idempotency-Key'));
  });

  it('include ETag, If-Match and If-None-Match for versioned resources', () => {
    for (const [id, operation] of table) {
      assert.equal(headersOf(id).includes('If-Match'), canHaveIfMatch(operation), id);
      const isRead = operation.method === 'GET' && operation.versioned === true;
      assert.equal(headersOf(id).includes('If-None-Match'), isRead, id);
      if (isRead) assert.ok(answered(id).includes('ETag'), id);
    }
  });

  it('include the opportunity number, the count and links of lists, and the remaining rate limit', () => {
    assert.ok(headersOf('reportVisit').includes('X-Service-OID'));
    assert.ok(answered('reportVisit').includes('X-Service-OID'));
    assert.ok(['X-Service-Estimated-Count', 'Link'].every((name) => answered('listPrograms').includes(name)));
    for (const [id] of table) assert.ok(['RateLimit', 'RateLimit-Policy'].every((name) => answered(id).includes(name)));
  });

  it('include Retry-After for errors that can be retried, and WWW-Authenticate for 401', () => {
    const { responses } = described('createProgram');
    for (const status of ['429', '503'])
      assert.ok('Retry-After' in (resolved(responses[status]).headers ?? {}), status);
    assert.ok('WWW-Authenticate' in (resolved(responses['401']).headers ?? {}));
  });

  it('have the header prefix, and the document has the base path', () => {
    const acme = openapiDocument({ operations, version, headerPrefix: 'X-Acme', basePath: '/whence' });
    assert.equal(JSON.stringify(acme).includes('X-Service'), false);
    assert.deepEqual(acme.servers[0]?.['url'], '/whence');
  });
});

describe('the examples of the OpenAPI document', () => {
  const ajv = schemaReader();
  ajv.addSchema({ ...document, $id: 'openapi' }, undefined, undefined, false);
  const inDocument = (schema: Json): Json =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as Json;
  const compiled = new Map<string, ValidateFunction>();
  const isValid = (schema: Json, example: unknown, where: string): void => {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? ajv.compile(inDocument(schema));
    compiled.set(key, validate);
    assert.ok(validate(example), `${where}: ${JSON.stringify(validate.errors)} ${JSON.stringify(example)}`);
  };

  it('in requests are valid against their schemas, and pass the validation of the service', () => {
    for (const [id, { body }] of table) {
      const media = described(id).requestBody?.content['application/json'];
      assert.equal(media === undefined, body === undefined, id);
      if (media === undefined || body === undefined) continue;
      isValid(media.schema, media.example, id);
      const read = parse(body, parseJson(Buffer.from(JSON.stringify(media.example))));
      assert.deepEqual(read.kind === 'faults' ? read.faults : [], [], id);
    }
  });

  it('exist for every response body, and are valid against its schema', () => {
    for (const { operationId, responses } of calls) {
      for (const [status, response] of Object.entries(responses)) {
        for (const [type, { schema, example, examples }] of Object.entries(resolved(response).content ?? {})) {
          const shown = examples === undefined ? [example] : Object.values(examples).map(({ value }) => value);
          for (const each of shown) {
            assert.notEqual(each, undefined, `${operationId} ${status} ${type}`);
            isValid(schema, each, `${operationId} ${status}`);
          }
        }
      }
    }
  });

  it('in responses have only fields that the service returns', () => {
    for (const [id, operation] of table) {
      const { success } = operation;
      if (success.body === undefined) continue;
      const example = described(id).responses[successStatus(operation)]?.content?.['application/json']?.example;
      assert.equal(success.body.safeParse(example).error?.message, undefined, id);
    }
  });

  it('in parameters and headers are valid against their schemas', () => {
    const headers = [
      ...calls.flatMap(({ responses }) => Object.values(responses).map((response) => resolved(response).headers ?? {})),
      document.components['headers'] ?? {},
    ];
    const given = [
      ...calls.flatMap(({ parameters = [] }) => parameters),
      ...headers.flatMap((each) => Object.values(each)),
    ] as {
      name?: string;
      schema?: Json;
      example?: unknown;
    }[];
    for (const { name, schema, example } of given) {
      for (const each of [example, ...((schema?.['examples'] ?? []) as unknown[])]) {
        if (schema !== undefined && each !== undefined) isValid(schema, each, name ?? JSON.stringify(schema));
      }
    }
  });

  it('exist for every text field, except times and fields with fixed values or a default', () => {
    for (const [name, schema] of Object.entries(document.components['schemas'] ?? {})) {
      for (const [field, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>)) {
        const { type, examples, enum: values, const: constant, default: fallback, format } = property;
        if (type !== 'string' || format === 'date-time') continue;
        assert.ok(examples ?? values ?? constant ?? fallback, `${name}.${field} has an example`);
      }
    }
  });
});

function resolved(response: Response | undefined): Response {
  assert.ok(response);
  const name = response.$ref?.replace('#/components/responses/', '');
  return name === undefined ? response : (document.components['responses']?.[name] as Response);
}

function problemOf(response: Response): Media | undefined {
  return resolved(response).content?.['application/problem+json'];
}
