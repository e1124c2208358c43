import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '#app/operations.ts';
import { isChange, type Operation } from '#core/contract/operation.ts';

const table = Object.entries<Operation>(operations);
const changes = table.filter(([, operation]) => isChange(operation));
const gets = new Map(table.flatMap(([, each]) => (each.method === 'GET' ? [[each.path as string, each]] : [])));

describe('the reader (GET operation) of a changed resource', () => {
  it('is in the table of operations, and needs only path parameters that the change has', () => {
    for (const [id, { path, reader }] of changes) {
      if (reader === undefined) continue;
      assert.equal(gets.get(reader.path), reader, id);
      assert.deepEqual(
        parametersIn(reader.path).filter((name) => !parametersIn(path).includes(name)),
        [],
        id,
      );
    }
  });

  it('is named by every PATCH and DELETE of a path that has a GET', () => {
    const owned = changes.filter(([, { method, path }]) => method !== 'POST' && gets.has(path));
    assert.ok(owned.length > 15);
    for (const [id, { path, reader }] of owned) assert.equal(reader, gets.get(path), id);
  });

  it('is named by every action on one resource', () => {
    const withReader = changes.filter(([, { method, reader }]) => method === 'POST' && reader !== undefined);
    assert.ok(withReader.length > 10);
    const resources = new Set(withReader.map(([, { reader }]) => reader));
    const actions = changes.filter(([, { method, path, success }]) => {
      const resource = gets.get(path.slice(0, path.lastIndexOf('/')));
      return method === 'POST' && success.status !== 201 && resource !== undefined && resources.has(resource);
    });
    for (const [id, { reader }] of actions) assert.ok(reader !== undefined, id);
  });

  it('is not named by reads and reports', () => {
    const others = table.filter(([, operation]) => !isChange(operation));
    assert.deepEqual(
      others.filter(([, { reader }]) => reader !== undefined).map(([id]) => id),
      [],
    );
  });
});

function parametersIn(path: string): string[] {
  return path.match(/\{\w+\}/g) ?? [];
}
