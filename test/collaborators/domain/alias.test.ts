import assert from 'node:assert/strict';
import { it } from 'node:test';
import { aliasKey, decideMove, takeCode } from '#collaborators/domain/alias.ts';
import type { CollaboratorId } from '#core/ids.ts';

it('aliasKey: codes that differ only in case or Unicode composition are equal', () => {
  assert.equal(new Set(['Ada', 'ADA', 'ada'].map(aliasKey)).size, 1);
  assert.equal(aliasKey('Rene\u0301'), aliasKey('REN\u00c9'));
  assert.notEqual(aliasKey('rene'), aliasKey('ren\u00e9'));
});

it('takeCode: a code is new, already owned by the same collaborator, or taken by another', () => {
  const [ada, bob] = [1 as CollaboratorId, 2 as CollaboratorId];
  assert.deepEqual([takeCode(undefined, ada), takeCode(ada, ada), takeCode(ada, bob)], ['new', 'kept', 'taken']);
});

it('decideMove: a code is moved once, and only from its owner', () => {
  const [ada, bob, cy] = [1, 2, 3];
  const request = { from: ada, to: bob };
  for (const [holder, owner, move] of [
    [ada, ada, 'move'],
    [ada, bob, 'moved'],
    [ada, cy, 'not-theirs'],
    [ada, undefined, 'not-theirs'],
    [bob, bob, 'not-theirs'],
  ] as const) {
    assert.equal(decideMove({ holder, owner }, request), move);
  }
});
