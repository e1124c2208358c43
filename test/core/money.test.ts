import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { divideHalfUp, formatMajor, MAX_MINOR, type Minor, parseMajor, splitByLargestRemainder } from '#core/money.ts';

const minor = (amount: bigint) => amount as Minor;
const MAX: bigint = MAX_MINOR;
const anyAmount = fc.bigInt({ min: -MAX, max: MAX }).map(minor);

describe('parseMajor: reads an amount without floating-point errors', () => {
  const amounts: readonly (readonly [text: string, cents: bigint])[] = [
    // Prices that give a wrong result if they are multiplied by 100 as doubles.
    ['19.99', 1999n],
    ['4.35', 435n],
    ['1.15', 115n],
    ['64.10', 6410n],
    ['8.2', 820n],
    ['0.29', 29n],
    // Numbers with trailing zeros, with an exponent, without decimals, or below zero.
    ['49.9', 4990n],
    ['49.90', 4990n],
    ['49.9000000000', 4990n],
    ['4.99e1', 4990n],
    ['4.35e1', 4350n],
    ['4990E-2', 4990n],
    ['0.0499e+3', 4990n],
    ['0.00000000000000000001e20', 100n],
    ['7', 700n],
    ['-7.5', -750n],
    // Texts that are zero in different notations, or that round to zero.
    ['0', 0n],
    ['-0', 0n],
    ['0.00', 0n],
    ['-0.0e5', 0n],
    ['0e400', 0n],
    ['0e99999999999999999999', 0n],
    ['1e-400', 0n],
    ['-1e-400', 0n],
    ['1e-99999999999999999999', 0n],
    // Fractions of a cent, which are rounded to the nearest cent. Halves are rounded away from zero.
    ['1.005', 101n],
    ['-1.005', -101n],
    ['1.00499999999999999999', 100n],
    ['0.005', 1n],
    ['-0.005', -1n],
    ['0.0049', 0n],
    ['-0.0049', 0n],
    ['2.675', 268n],
    ['19.989999999999998', 1999n],
    ['5e-3', 1n],
    ['49e-4', 0n],
    ['0.999', 100n],
    // Amounts that equal the limit. One of them equals it only after rounding.
    ['90071992547409.91', MAX_MINOR],
    ['-90071992547409.91', -MAX],
    ['9.007199254740991e13', MAX_MINOR],
    ['90071992547409.914', MAX_MINOR],
    // Texts of 64 characters, which is the maximum length.
    [`1.${'0'.repeat(62)}`, 100n],
    [`0.${'0'.repeat(61)}1`, 0n],
    [`${'9'.repeat(60)}e-60`, 100n],
  ];
  for (const [text, cents] of amounts) {
    it(`${text} is ${cents}`, () => assert.equal(parseMajor(text), cents));
  }
});

describe('parseMajor: refuses invalid amounts', () => {
  const refused: Readonly<Record<string, readonly string[]>> = {
    'amounts beyond 2^53−1 cents': [
      '90071992547409.92',
      '-90071992547409.92',
      '90071992547409.915',
      '9007199254740991',
      '1e14',
      '9'.repeat(64),
    ],
    'exponents that make the amount exceed the limit': [
      '1e400',
      '-1e400',
      '1e62',
      '1e99999999999999999999',
      `0.${'0'.repeat(50)}1e4000`,
    ],
    'text of more than 64 characters': [
      `1.${'0'.repeat(63)}`,
      '0'.repeat(65),
      `1${'0'.repeat(5000)}`,
      `${'1'.repeat(100_000)}x`,
    ],
    'text that is not a number': ['', ' ', '-', '.', 'e', 'abc', 'null', 'NaN', 'Infinity', '-Infinity'],
    'numbers with whitespace': [' 1', '1 ', '1 000', '\t1', '1\n', '\u00a01', '- 1'],
    'separators and signs of other locales': [
      '1,50',
      '1.000,00',
      '1,000.00',
      '1_000',
      '$5',
      '5 €',
      '5%',
      '+5',
      '--5',
      '(5)',
      '−5',
    ],
    'other notations of numbers': [
      '0x10',
      '0b1',
      '1n',
      '.5',
      '5.',
      '5.e1',
      '05',
      '-05',
      '00',
      '1e',
      '1e+',
      '1e1.5',
      '１',
      '٥',
    ],
  };
  for (const [what, texts] of Object.entries(refused)) {
    it(what, () =>
      assert.deepEqual(
        texts.filter((text) => parseMajor(text) !== undefined),
        [],
      ),
    );
  }

  it('refuses every text that isn’t a JSON number, and every amount beyond the limit', () => {
    const nearly = fc.string({ unit: fc.constantFrom(...'0019.-+eE x'.split('')), maxLength: 8 });
    fc.assert(
      fc.property(nearly, (text) => {
        const isNumber = text.trim() === text && isJsonNumber(text);
        assert.equal(
          parseMajor(text) === undefined,
          !isNumber || Math.abs(Number(text)) * 100 > Number.MAX_SAFE_INTEGER,
        );
      }),
      { numRuns: 100_000 },
    );
  });
});

function isJsonNumber(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'number';
  } catch {
    return false;
  }
}

describe('properties of parseMajor', () => {
  it('all prices from 0.00 to 9999.99 are parsed exactly', () => {
    for (let cents = 0; cents < 1_000_000; cents += 1) {
      const text = `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      if (parseMajor(text) !== BigInt(cents)) assert.fail(text);
    }
  });

  it('the amount is rounded to the nearest cent, with halves away from zero', () => {
    const written = fc.record({
      sign: fc.constantFrom('', '-'),
      whole: fc.bigInt({ min: 0n, max: 9n * 10n ** 11n }),
      fraction: fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 1, maxLength: 25 }),
      exponent: fc.integer({ min: -40, max: 2 }),
    });
    fc.assert(
      fc.property(written, ({ sign, whole, fraction, exponent }) => {
        const read = parseMajor(`${sign}${whole}.${fraction}e${exponent}`);
        assert.ok(read !== undefined);
        assert.ok(read === 0n || read < 0n === (sign === '-'));
        // The parsed amount is at most half a cent from the exact amount, and halves are rounded away from zero. Both
        // absolute amounts are in units of 10^−100 of a cent.
        const exact = BigInt(`${whole}${fraction}`) * 10n ** BigInt(102 + exponent - fraction.length);
        const excess = (read < 0n ? -1n : 1n) * read * 10n ** 100n - exact;
        const half = 10n ** 100n / 2n;
        assert.ok(excess > -half && excess <= half);
      }),
      { numRuns: 50_000 },
    );
  });

  it('every formatted amount is parsed back to itself', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => assert.equal(parseMajor(formatMajor(amount)), amount)),
      { numRuns: 50_000 },
    );
  });

  it('a larger price never gives a smaller amount', () => {
    const price = fc.double({ min: -1e13, max: 1e13, noNaN: true });
    fc.assert(
      fc.property(price, price, (one, other) => {
        const [low, high] = [parseMajor(String(Math.min(one, other))), parseMajor(String(Math.max(one, other)))];
        assert.ok(low !== undefined && high !== undefined && low <= high);
      }),
      { numRuns: 50_000 },
    );
  });

  it('a negative price gives the negative of the amount', () => {
    const price = fc.double({ min: 0, max: 1e13, noNaN: true });
    fc.assert(
      fc.property(price, (amount) => assert.equal(parseMajor(`-${amount}`), -1n * (parseMajor(String(amount)) ?? 1n))),
      { numRuns: 50_000 },
    );
  });
});

describe('formatMajor: shows an amount with two decimals', () => {
  const shown: readonly (readonly [cents: bigint, text: string])[] = [
    [1999n, '19.99'],
    [100n, '1.00'],
    [5n, '0.05'],
    [50n, '0.50'],
    [0n, '0.00'],
    [-5n, '-0.05'],
    [-1999n, '-19.99'],
    [MAX_MINOR, '90071992547409.91'],
  ];
  for (const [cents, text] of shown)
    it(`returns ${text} for ${cents}`, () => assert.equal(formatMajor(minor(cents)), text));
});

describe('divideHalfUp: rounds halves away from zero', () => {
  const divisions: readonly (readonly [numerator: bigint, denominator: bigint, quotient: bigint])[] = [
    [0n, 7n, 0n],
    [14n, 7n, 2n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [1n, 2n, 1n],
    [3n, 2n, 2n],
    [5n, 2n, 3n],
    [-1n, 3n, 0n],
    [-2n, 3n, -1n],
    [-1n, 2n, -1n],
    [-3n, 2n, -2n],
    [49n, 100n, 0n],
    [10n ** 40n + 1n, 2n, 5n * 10n ** 39n + 1n],
  ];
  for (const [numerator, denominator, quotient] of divisions) {
    it(`${numerator} ÷ ${denominator} is ${quotient}`, () =>
      assert.equal(divideHalfUp(numerator, denominator), quotient));
  }

  it('returns a quotient that is at most one half off, and is symmetric around zero', () => {
    const numerator = fc.bigInt({ min: 0n, max: 10n ** 30n });
    const denominator = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(numerator, denominator, (numerator, denominator) => {
        const quotient = divideHalfUp(numerator, denominator);
        const excess = 2n * (quotient * denominator - numerator);
        assert.ok(excess > -denominator && excess <= denominator);
        assert.equal(divideHalfUp(-numerator, denominator), -quotient);
      }),
      { numRuns: 50_000 },
    );
  });

  it('throws for a denominator below one', () => {
    assert.throws(() => divideHalfUp(1n, 0n), RangeError);
    assert.throws(() => divideHalfUp(1n, -2n), RangeError);
  });
});

describe('splitByLargestRemainder: a split adds up to its total', () => {
  const splits: readonly (readonly [
    what: string,
    total: bigint,
    weights: readonly bigint[],
    parts: readonly bigint[],
  ])[] = [
    ['a single weight gets the whole total', 1999n, [7n], [1999n]],
    [
      'if 100.00 is split between three equal weights, the first gets the extra cent',
      10_000n,
      [1n, 1n, 1n],
      [3334n, 3333n, 3333n],
    ],
    [
      'if 1.01 is split between three equal weights, the first two get an extra cent each',
      101n,
      [1n, 1n, 1n],
      [34n, 34n, 33n],
    ],
    ['the first of three equal weights gets a total of one cent', 1n, [1n, 1n, 1n], [1n, 0n, 0n]],
    ['4 is split by 1:3:3 into 0, 2 and 2', 4n, [1n, 3n, 3n], [0n, 2n, 2n]],
    ['3 is split by 1:3:3 into 1, 1 and 1', 3n, [1n, 3n, 3n], [1n, 1n, 1n]],
    ['the largest remainder takes precedence over the first weight', 10n, [1n, 5n], [2n, 8n]],
    ['a weight of zero gets nothing, even if it is the first', 5n, [0n, 1n, 1n], [0n, 3n, 2n]],
    ['a total of zero is zero for each weight', 0n, [3n, 2n], [0n, 0n]],
    ['a total of zero can be split by weights of zero', 0n, [0n, 0n], [0n, 0n]],
    ['a total of zero can be split by a single weight of zero', 0n, [0n], [0n]],
    ['a total of zero can be split without weights', 0n, [], []],
    [
      'the maximum amount can be split by weights larger than any safe integer',
      MAX_MINOR,
      [10n ** 30n, 10n ** 30n],
      [MAX_MINOR / 2n + 1n, MAX_MINOR / 2n],
    ],
  ];
  for (const [what, total, weights, parts] of splits) {
    it(what, () => assert.deepEqual(splitByLargestRemainder(minor(total), weights), parts));
  }

  it('the first sixty of a hundred equal parts get the sixty extra cents', () => {
    const parts = splitByLargestRemainder(minor(760n), Array<bigint>(100).fill(3n));
    assert.deepEqual(parts, [...Array<bigint>(60).fill(8n), ...Array<bigint>(40).fill(7n)]);
  });

  const total = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: MAX_MINOR })).map(minor);
  const weight = fc.oneof(fc.bigInt({ min: 0n, max: 4n }), fc.bigInt({ min: 0n, max: 10n ** 24n }));
  const weights = fc.array(weight, { minLength: 1, maxLength: 12 }).filter((all) => all.some((each) => each > 0n));
  const sum = (values: readonly bigint[]) => values.reduce((all, each) => all + each, 0n);

  it('parts add up exactly, and each is within one unit of its exact share', () => {
    fc.assert(
      fc.property(total, weights, (total, weights) => {
        const parts = splitByLargestRemainder(total, weights);
        assert.equal(sum(parts), total);
        for (const [index, part] of parts.entries()) {
          const excess = part * sum(weights) - total * (weights[index] ?? 0n);
          assert.ok(excess > -sum(weights) && excess < sum(weights));
          assert.ok(weights[index] !== 0n || part === 0n);
        }
      }),
      { numRuns: 50_000 },
    );
  });

  it('a larger weight never gets less than a smaller weight, and of two equal weights, the first never gets less', () => {
    fc.assert(
      fc.property(total, weights, (total, weights) => {
        const parts = splitByLargestRemainder(total, weights);
        const ranked = [...weights.keys()].sort((a, b) => Number((weights[b] ?? 0n) - (weights[a] ?? 0n)) || a - b);
        const inOrder = ranked.map((index) => parts[index] ?? 0n);
        assert.ok(inOrder.every((part, place) => place === 0 || part <= (inOrder[place - 1] ?? 0n)));
      }),
      { numRuns: 20_000 },
    );
  });

  it('the scale of the weights does not change the parts', () => {
    fc.assert(
      fc.property(total, weights, fc.bigInt({ min: 1n, max: 1000n }), (total, weights, factor) => {
        const scaled = weights.map((weight) => weight * factor);
        assert.deepEqual(splitByLargestRemainder(total, scaled), splitByLargestRemainder(total, weights));
      }),
      { numRuns: 20_000 },
    );
  });

  it('throws for a negative total or weight, and if all weights are zero but the total is not', () => {
    assert.throws(() => splitByLargestRemainder(minor(-1n), [1n]), RangeError);
    assert.throws(() => splitByLargestRemainder(minor(1n), [2n, -1n]), RangeError);
    assert.throws(() => splitByLargestRemainder(minor(1n), [0n, 0n]), RangeError);
    assert.throws(() => splitByLargestRemainder(minor(1n), [0n]), RangeError);
    assert.throws(() => splitByLargestRemainder(minor(1n), []), RangeError);
  });
});
