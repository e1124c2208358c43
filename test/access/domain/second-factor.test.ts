import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RECOVERY_CODE_BYTES, recoveryCodeOf, recoveryCodeText } from '#access/domain/second-factor.ts';

describe('a recovery code', () => {
  it('has six groups of four unambiguous characters', () => {
    assert.equal(recoveryCodeOf(Buffer.alloc(RECOVERY_CODE_BYTES)), '2222-2222-2222-2222-2222-2222');
    assert.equal(recoveryCodeOf(Buffer.alloc(RECOVERY_CODE_BYTES, 255)), 'ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ');
    assert.equal(recoveryCodeOf(Buffer.from('000000000000000000000000000001', 'hex')), '2222-2222-2222-2222-2222-2223');
    assert.throws(() => recoveryCodeOf(Buffer.alloc(14)), RangeError);
  });

  it('differs for different bytes, and is also accepted in lowercase with spaces', () => {
    const bytes = fc.uint8Array({ minLength: RECOVERY_CODE_BYTES, maxLength: RECOVERY_CODE_BYTES });
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const code = recoveryCodeOf(one);
        assert.equal(code === recoveryCodeOf(other), Buffer.from(one).equals(other));
        const text = recoveryCodeText(code);
        assert.equal(text, code.replaceAll('-', ''));
        assert.equal(recoveryCodeText(` ${code.toLowerCase().replaceAll('-', ' ')} `), text);
      }),
    );
  });

  it('can have four groups, as in version 0.2.0', () => {
    assert.equal(recoveryCodeText('2345-6789-abcd-efgh'), '23456789ABCDEFGH');
  });

  it('is rejected if it has invalid characters or a wrong length', () => {
    for (const typed of [
      '',
      '123456',
      '2222-2222-2222',
      '2222-2222-2222-2220',
      '2222-2222-2222-222I',
      '2222-2222-2222-2222-2222',
      '2222-2222-2222-2222-2222-2220',
      '22222222222222222',
      '2222222222222222222222222',
    ])
      assert.equal(recoveryCodeText(typed), undefined, typed);
  });
});
