import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { openapiDocument } from '#contract/openapi.ts';
import { operations } from '#contract/operations.ts';

const root = new URL('../../', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
const make = () => openapiDocument({ operations, version, headerPrefix: 'X-Service' });
const document = JSON.parse(JSON.stringify(make())) as Document;

type Document = {
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, unknown>>;
};
type Described = {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; description?: string }[];
  responses: Record<string, unknown>;
};

describe('openapi.json', () => {
  it('is what the table of operations says: npm run openapi', async () => {
    assert.deepEqual(JSON.parse(await readFile(new URL('openapi.json', root), 'utf8')), document);
  });

  it('is the same every time', () => {
    assert.equal(JSON.stringify(make()), JSON.stringify(make()));
  });

  it('has every operation once, under its id', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    assert.deepEqual(ids.toSorted(), Object.keys(operations).toSorted());
  });

  it('refers to nothing that it lacks', () => {
    for (const [, room = '', name = ''] of JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      assert.ok(document.components[room]?.[name], `#/components/${room}/${name}`);
    }
  });

  it('describes every parameter, and every one of a path', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { operationId, parameters = [] } of Object.values(methods)) {
        assert.ok(
          parameters.every(({ description }) => description),
          operationId,
        );
        const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
        assert.deepEqual(path.match(/\{\w+\}/g) ?? [], named, operationId);
      }
    }
  });

  it('says that every operation needs a key and may fail', () => {
    for (const { operationId, responses } of Object.values(document.paths).flatMap((path) => Object.values(path))) {
      for (const status of ['401', '403', '500', '503']) assert.ok(responses[status], `${operationId} ${status}`);
    }
  });
});
