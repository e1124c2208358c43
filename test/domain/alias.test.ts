import assert from 'node:assert/strict';
import { it } from 'node:test';
import { aliasKey, takeCode } from '#domain/alias.ts';
import type { CollaboratorId } from '#domain/ids.ts';

it('codes that differ in case, or in how their letters are composed, are one', () => {
  assert.equal(new Set(['Ada', 'ADA', 'ada'].map(aliasKey)).size, 1);
  assert.equal(aliasKey('Rene\u0301'), aliasKey('REN\u00c9'));
  assert.notEqual(aliasKey('rene'), aliasKey('ren\u00e9'));
});

it('a code is new, kept by who has it, or taken over', () => {
  const [ada, bob] = [1 as CollaboratorId, 2 as CollaboratorId];
  assert.deepEqual([takeCode(undefined, ada), takeCode(ada, ada), takeCode(ada, bob)], ['new', 'kept', 'taken-over']);
});
