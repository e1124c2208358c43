import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { parse } from '#core/contract/parse.ts';
import { NumberLiteral } from '#core/contract/number-literal.ts';
import { clearableUser, guestOrUser, platformUser } from '#core/contract/user-fields.ts';

const described = { description: 'x' };
const number = (text: string) => new NumberLiteral(text);

/** Returns the parsed value of a field, or `! ` and the codes of its faults. */
function read(field: z.ZodType, value: unknown): unknown {
  const parsed = parse(z.object({ it: field }), value === undefined ? {} : { it: value });
  return parsed.kind === 'value' ? parsed.value.it : `! ${parsed.faults.map(({ code }) => code).join()}`;
}

describe('a user id in a request', () => {
  it('is an integer, its digits in a string, or other text of 1 to 255 UTF-16 units without control characters', () => {
    for (const [value, expected] of [
      [number('42'), 42],
      [number('42.0'), 42],
      ['42', 42],
      [number('9007199254740991'), 9007199254740991],
      [number('9007199254740992'), '! out-of-range'],
      ['9007199254740992', '9007199254740992'],
      ['9007199254740993', '9007199254740993'],
      ['007', '007'],
      [number('-1'), '! out-of-range'],
      ['-1', '-1'],
      [number('1.5'), '! wrong-type'],
      ['1.5', '1.5'],
      [true, '! wrong-type'],
      [[], '! wrong-type'],
      [{}, '! wrong-type'],
      ['', '! too-short'],
      ['user_2abc', 'user_2abc'],
      ['guest', 'guest'],
      ['b2f8a1d0-8f6e-4c57-9d0e-2f4a3c1b5e77', 'b2f8a1d0-8f6e-4c57-9d0e-2f4a3c1b5e77'],
      [`'"; drop table visits; --`, `'"; drop table visits; --`],
      ['\u202Eabc\u200F', '\u202Eabc\u200F'],
      ['😀'.repeat(127), '😀'.repeat(127)],
      ['😀'.repeat(128), '! too-long'],
      ['x'.repeat(255), 'x'.repeat(255)],
      ['x'.repeat(256), '! too-long'],
      ['a\0b', '! invalid-format'],
      ['a\nb', '! invalid-format'],
      ['a\u0085b', '! invalid-format'],
      ['\ud800', '! invalid-format'],
    ] as const) {
      for (const field of [platformUser(described), guestOrUser(described), clearableUser(described)]) {
        assert.deepEqual(read(field, value), expected, JSON.stringify(value).slice(0, 40));
      }
    }
  });

  it('means a guest if it is 0: it counts as absent in a report, clears the field in a PATCH, and is refused where required', () => {
    for (const guest of [number('0'), number('-0'), '0']) {
      assert.equal(read(guestOrUser(described), guest), undefined);
      assert.equal(read(clearableUser(described), guest), null);
      assert.equal(read(platformUser(described), guest), '! out-of-range');
    }
  });

  it('counts as absent in a report, clears the field in a PATCH, and is refused where required, if it is null', () => {
    assert.equal(read(guestOrUser(described), null), undefined);
    assert.equal(read(clearableUser(described), null), null);
    assert.equal(read(platformUser(described), null), '! required');
    for (const field of [guestOrUser(described), clearableUser(described)])
      assert.equal(read(field, undefined), undefined);
  });
});
