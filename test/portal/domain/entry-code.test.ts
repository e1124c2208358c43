import assert from 'node:assert/strict';
import { it } from 'node:test';
import { entryCodeOf, shownEntryCode, typedEntryCode } from '#portal/domain/entry-code.ts';

it('entryCodeOf: returns six unambiguous characters from random bytes', () => {
  assert.equal(entryCodeOf(Buffer.from([0, 9, 10, 31, 32, 255])), '09AZ0Z');
  const all = Array.from({ length: 256 }, (_, byte) => entryCodeOf(Buffer.alloc(6, byte)).charAt(0));
  assert.equal(new Set(all).size, 32);
  assert.doesNotMatch(all.join(''), /[ILOU]/);
  assert.throws(() => entryCodeOf(Buffer.alloc(5)), RangeError);
});

it('a login code is shown in two halves, and can be typed in any case and spacing, with letters in place of similar digits', () => {
  assert.equal(shownEntryCode('K7Q0M1'), 'K7Q-0M1');
  for (const typed of ['K7Q-0M1', 'k7q0m1', ' k7q oml ', 'K7Q-OMI']) assert.equal(typedEntryCode(typed), 'K7Q0M1');
});
