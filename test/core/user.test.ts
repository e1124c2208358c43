import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserId } from '#core/ids.ts';
import { isErasedUser, shownUser, TEXT_USERS_BELOW, userFromText } from '#core/user.ts';

const stored = (number: number) => number as UserId;

describe('a user id', () => {
  it('is an integer for digits from 0 to 2^53−1 without leading zeros, and text otherwise', () => {
    for (const [text, user] of [
      ['0', 0],
      ['42', 42],
      ['9007199254740991', 2 ** 53 - 1],
      ['9007199254740992', '9007199254740992'],
      ['9007199254740993', '9007199254740993'],
      ['99999999999999999', '99999999999999999'],
      ['007', '007'],
      ['-7', '-7'],
      ['7.0', '7.0'],
      [' 7', ' 7'],
      ['٧', '٧'],
      ['user_2abc', 'user_2abc'],
    ] as const) {
      assert.equal(userFromText(text), user);
    }
  });

  it('counts as erased if its stored number is negative and above the range of text ids', () => {
    for (const [number, isErased] of [
      [1, false],
      [-1, true],
      [TEXT_USERS_BELOW, true],
      [TEXT_USERS_BELOW - 1, false],
    ] as const) {
      assert.equal(isErasedUser(stored(number)), isErased);
    }
  });

  it('is shown as the platform names it, and as null after it is erased', () => {
    assert.equal(shownUser(null, null), null);
    assert.equal(shownUser(stored(42), null), 42);
    assert.equal(shownUser(stored(TEXT_USERS_BELOW - 1), 'user_2abc'), 'user_2abc');
    assert.equal(shownUser(stored(-1), null), null);
  });
});
