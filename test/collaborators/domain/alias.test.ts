import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aliasKey, decideMove, takeCode } from '#collaborators/domain/alias.ts';

it('aliasKey: is the text itself if it is longer than any code, because sorting its combining marks could take seconds', () => {
  const text = `A${'\u0301\u0323'.repeat(127)}`;
  assert.notEqual(aliasKey(text), text);
  assert.equal(aliasKey(`${text}\u0301`), `${text}\u0301`);
});

it('aliasKey: is equal for alias codes that differ only in case or Unicode composition', () => {
  assert.equal(new Set(['Ada', 'ADA', 'ada'].map(aliasKey)).size, 1);
  assert.equal(aliasKey('Rene\u0301'), aliasKey('REN\u00c9'));
  assert.notEqual(aliasKey('rene'), aliasKey('ren\u00e9'));
});

describe('takeCode: assigning an alias code to a collaborator', () => {
  const [ada, bob] = [1, 2];
  const alias = { collaboratorId: ada, code: 'Ada10', externalId: 'promo_1' };

  it('an alias code without an owner is new', () => {
    assert.deepEqual(takeCode([], ada, { code: 'ada10' }), { kind: 'new' });
  });

  it('a collaborator keeps their own alias code', () => {
    for (const externalId of [undefined, null, 'promo_1'])
      assert.deepEqual(takeCode([alias], ada, { code: 'ada10', externalId }), { kind: 'kept', alias });
  });

  it('an alias code of the same collaborator gets a new external id', () => {
    const changed = takeCode([alias], ada, { code: 'ada10', externalId: 'promo_2' });
    assert.deepEqual(changed, { kind: 'changed', alias, externalId: 'promo_2' });
  });

  it('an alias code or an external id of another collaborator is taken', () => {
    for (const code of ['ada10', 'bob10'])
      assert.deepEqual(takeCode([alias], bob, { code, externalId: 'promo_1' }), { kind: 'taken', by: alias });
  });

  it('a new alias code may have the external id of another alias of the same collaborator', () => {
    assert.deepEqual(takeCode([alias], ada, { code: 'ada20', externalId: 'promo_1' }), { kind: 'new' });
  });
});

it('decideMove: an alias is moved once, and only from its owner', () => {
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
