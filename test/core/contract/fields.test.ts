import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import * as fc from 'fast-check';
import { readDecimal } from '#core/contract/decimal.ts';
import * as fields from '#core/contract/fields.ts';
import { moment } from '#core/contract/time-field.ts';
import { NumberLiteral } from '#core/contract/number-literal.ts';
import { parse } from '#core/contract/parse.ts';

const described = { description: 'x' };
const number = (text: string) => new NumberLiteral(text);

/** Returns the parsed value of a field, or `! ` and the code of its only fault. */
function read(field: z.ZodType, value: unknown): unknown {
  const parsed = parse(z.object({ it: field }), value === undefined ? {} : { it: value });
  if (parsed.kind === 'value') return parsed.value.it;
  assert.equal(parsed.faults.length, 1);
  assert.equal(parsed.faults[0]?.pointer, '/it');
  return `! ${parsed.faults[0]?.code}`;
}

function reads(field: z.ZodType, table: readonly (readonly [unknown, unknown])[]): void {
  for (const [value, expected] of table) {
    const shown = value instanceof NumberLiteral ? value.text.slice(0, 40) : JSON.stringify(value)?.slice(0, 40);
    assert.deepEqual(read(field, value), expected, shown);
  }
}

describe('fields of a request', () => {
  it('list items are validated until the hundredth fault, and not at all if the list is too long', () => {
    let reads = 0;
    const item = z.custom(() => {
      reads += 1;
      return false;
    });
    const parsed = parse(
      fields.list(item, { max: 1_000, description: 'x' }),
      Array.from({ length: 1_000 }, () => 1),
    );
    assert.equal(parsed.kind === 'faults' && parsed.faults.length, 100);
    assert.equal(parsed.kind === 'faults' && parsed.faults[99]?.pointer, '/99');
    assert.equal(reads, 100);
    const long = parse(
      fields.list(item, { max: 9, description: 'x' }),
      Array.from({ length: 10 }, () => 1),
    );
    assert.deepEqual(long.kind === 'faults' && long.faults.map(({ code }) => code), ['too-many']);
    assert.equal(reads, 100);
  });

  it('ids are integers from 1 to 2^53−1, as numbers or as digits in a string', () => {
    reads(fields.id(described), [
      [number('1'), 1],
      [number('9007199254740991'), 9007199254740991],
      [number('9007199254740992'), '! out-of-range'],
      [number('9223372036854775808'), '! out-of-range'],
      [number('0'), '! out-of-range'],
      [number('-0'), '! out-of-range'],
      [number('-1'), '! out-of-range'],
      [number('1.5'), '! wrong-type'],
      [number('12.0'), 12],
      [number('1.2e1'), 12],
      [number('1e400'), '! out-of-range'],
      [number('1e-400'), '! wrong-type'],
      [number('9'.repeat(5_000)), '! out-of-range'],
      ['12', 12],
      ['9007199254740991', 9007199254740991],
      ['9007199254740993', '! out-of-range'],
      ['007', 7],
      ['', '! invalid-format'],
      [' 7', '! invalid-format'],
      ['0x10', '! invalid-format'],
      ['1e3', '! invalid-format'],
      ['1.0', '! invalid-format'],
      ['９', '! invalid-format'],
      [true, '! wrong-type'],
      [[], '! wrong-type'],
      [{}, '! wrong-type'],
      [null, '! required'],
      [undefined, '! required'],
    ]);
  });

  it('external ids are text, or integers read as their digits', () => {
    reads(fields.externalId(described), [
      ['order-1', 'order-1'],
      [number('1001'), '1001'],
      [number('1001.0'), '1001'],
      [number('12345678901234567890123'), '12345678901234567890123'],
      [number('-5'), '-5'],
      [number('1.5'), '! wrong-type'],
      [number('9'.repeat(255)), '9'.repeat(255)],
      [number('9'.repeat(256)), '! out-of-range'],
      ['', '! too-short'],
      ['x'.repeat(255), 'x'.repeat(255)],
      ['x'.repeat(256), '! too-long'],
      ['a\nb', '! invalid-format'],
      ['a\u0085b', '! invalid-format'],
      ['\ud800', '! invalid-format'],
      [true, '! wrong-type'],
      [null, '! required'],
    ]);
  });

  it('the minimum length of a text counts a surrogate pair as one character', () => {
    reads(fields.text(3, 8, described), [
      ['👋👋', '! too-short'],
      ['👋👋👋', '👋👋👋'],
      ['ab', '! too-short'],
      ['abc', 'abc'],
    ]);
  });

  it('amounts in major units are rounded to the nearest hundredth without floating-point errors, and text that isn’t a JSON number is refused', () => {
    reads(fields.majorAmount(0n, 9007199254740991n, described), [
      [number('19.99'), 1999n],
      [number('0.29'), 29n],
      [number('1.005'), 101n],
      [number('4.35e1'), 4350n],
      [number('64.10'), 6410n],
      [number('19.989999999999998'), 1999n],
      ['49.99', 4999n],
      [number('0'), 0n],
      [number('-0'), 0n],
      [number('90071992547409.91'), 9007199254740991n],
      [number('90071992547409.92'), '! out-of-range'],
      [number('-0.01'), '! out-of-range'],
      [number('1e400'), '! out-of-range'],
      [number('1e-400'), 0n],
      ['1,99', '! invalid-format'],
      ['0x10', '! invalid-format'],
      ['NaN', '! invalid-format'],
      ['Infinity', '! invalid-format'],
      ['', '! invalid-format'],
      [' 1', '! invalid-format'],
      ['.5', '! invalid-format'],
      ['+5', '! invalid-format'],
      [`1.${'0'.repeat(62)}`, 100n],
      [`1.${'0'.repeat(63)}`, '! invalid-format'],
      [true, '! wrong-type'],
      [null, '! required'],
    ]);
  });

  it('currencies are known codes, regardless of case', () => {
    reads(fields.optional(fields.currencyCode(described), 'USD'), [
      ['eur', 'EUR'],
      ['GbP', 'GBP'],
      [undefined, 'USD'],
      [null, 'USD'],
      ['', '! unknown-value'],
      ['EURO', '! unknown-value'],
      ['ABC', '! unknown-value'],
      ['ﬀ', '! unknown-value'],
      [number('978'), '! wrong-type'],
    ]);
  });

  it('times have the format of RFC 3339', () => {
    reads(moment(described), [
      ['2027-01-31T00:00:00Z', new Date('2027-01-31T00:00:00Z')],
      ['2027-01-31t00:00:00.5+01:00', new Date('2027-01-30T23:00:00.500Z')],
      ['2027-01-31', '! invalid-format'],
      ['2027-13-31T00:00:00Z', '! invalid-format'],
      ['2027-01-31T25:00:00Z', '! invalid-format'],
      ['now', '! invalid-format'],
      [number('1800000000'), '! wrong-type'],
    ]);
  });

  it('optional fields treat null as absent, and clearable fields distinguish null from absent', () => {
    const text = fields.text(1, 5, described);
    reads(fields.optional(text), [
      [undefined, undefined],
      [null, undefined],
      ['', '! too-short'],
    ]);
    reads(fields.clearable(text), [
      [undefined, undefined],
      [null, null],
      ['x', 'x'],
      [number('5'), '! wrong-type'],
    ]);
  });

  it('nested objects and lists are checked for type and length, with escaped pointers in faults', () => {
    const schema = fields.object({
      'a/b~c': fields.list(fields.object({ x: fields.flag(described) }), { ...described, max: 2 }),
    });
    const codes = (input: unknown) => {
      const parsed = parse(schema, input);
      return parsed.kind === 'value' ? 'fine' : parsed.faults.map(({ pointer, code }) => `${pointer} ${code}`);
    };
    assert.equal(codes({ 'a/b~c': [{ x: true, y: 1 }] }), 'fine');
    assert.deepEqual(codes({ 'a/b~c': [number('1'), { x: 'yes' }] }), [
      '/a~1b~0c/0 wrong-type',
      '/a~1b~0c/1/x wrong-type',
    ]);
    assert.deepEqual(codes({ 'a/b~c': number('1') }), ['/a~1b~0c wrong-type']);
    assert.deepEqual(codes({ 'a/b~c': [{ x: true }, { x: true }, { x: true }] }), ['/a~1b~0c too-many']);
    assert.deepEqual(codes({}), ['/a~1b~0c required']);
  });
});

describe('readDecimal: the exact value of a JSON number', () => {
  it('returns an integer exactly, even if it is written with decimals or an exponent', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.integer({ min: 0, max: 40 }),
        (value, zeros) => {
          const padded = `${value}${value === 0n ? '' : '0'.repeat(zeros)}e-${zeros}`;
          for (const text of [String(value), `${value}.${'0'.repeat(zeros + 1)}`, ...(value === 0n ? [] : [padded])]) {
            assert.deepEqual(readDecimal(text, 0), { kind: 'exact', value }, text);
          }
          assert.deepEqual(readDecimal(String(value), 4), { kind: 'exact', value: value * 10_000n });
        },
      ),
    );
  });

  it('reads literals of a megabyte in less than a second', () => {
    const started = performance.now();
    for (const text of [`1${'0'.repeat(1_000_000)}1`, `0.${'0'.repeat(1_000_000)}1`, `1e${'9'.repeat(100_000)}`]) {
      assert.notEqual(readDecimal(text, 2).kind, 'exact');
    }
    assert.ok(performance.now() - started < 1_000);
  });
});
