import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { countStarCharacters, type LineFilter, type LineMatcher, lineTestOf } from '#programs/domain/line-filter.ts';
import type { Line } from '#programs/domain/line.ts';
import { baseOf } from '#programs/domain/reward.ts';
import { line } from '../../support/decision-facts.ts';

const named = (pattern: string): LineMatcher => ({ by: 'name', pattern });
const sku = (value: string): LineMatcher => ({ by: 'externalId', value });
const typed = (type: Line['type']): LineMatcher => ({ by: 'type', type });
const filter = (include: LineMatcher[], exclude: LineMatcher[] = []): LineFilter => ({ include, exclude });

describe('a line filter', () => {
  const shirt = line(20_00, { name: 'Blue Shirt', externalId: 'SKU-1' });
  const cases: readonly [name: string, filter: LineFilter, expected: boolean][] = [
    ['accepts every line if it is empty', filter([]), true],
    ['accepts a line with a match in `include` if `exclude` is empty', filter([sku('SKU-9'), named('*shirt')]), true],
    ['rejects a line without a match in `include`', filter([sku('SKU-9'), named('*hat')]), false],
    ['rejects a line with a match in `exclude`', filter([], [sku('SKU-9'), sku('SKU-1')]), false],
    ['rejects a line with a match in both `include` and `exclude`', filter([named('*')], [typed('product')]), false],
    [
      'accepts a line with a match in `include` and none in `exclude`',
      filter([typed('product')], [typed('discount')]),
      true,
    ],
    ['rejects a line whose external id is in another case', filter([sku('sku-1')]), false],
    ['treats a `*` in an external id as an ordinary character', filter([sku('SKU-*')]), false],
  ];
  for (const [name, given, expected] of cases) {
    it(name, () => assert.equal(lineTestOf(given)(shirt), expected));
  }

  it('does not match a line without an external id to an empty external id', () => {
    assert.equal(lineTestOf(filter([sku('')]))(line(20_00)), false);
  });
});

describe('a name pattern of a line filter', () => {
  const cases: readonly [pattern: string, matching: string[], other: string[]][] = [
    ['shirt', ['shirt', 'SHIRT'], ['shirts', 't-shirt', '']],
    ['Shirt*', ['shirt', 'Shirt, blue'], ['t-shirt']],
    ['*shirt*', ['shirt', 'a T-Shirt, blue'], ['shir', 's hirt']],
    ['*a*b', ['ab', 'aab', 'a b a b', 'aXbXb'], ['aba', 'b', 'a']],
    ['a*b*c', ['abc', 'abbcc', 'aabc'], ['acb', 'abcd']],
    ['what?', ['What?'], ['what', 'whats']],
    ['ab*ba', ['abba', 'ab ba', 'abbba'], ['aba', 'ab']],
    ['*😀*', ['😀', 'a 😀 b'], ['\ud83d', '😁']],
    ['**', ['', 'a'], []],
    ['', [''], ['a']],
    ['CAFÉ*', ['café', 'Cafe\u0301 noir'], ['cafe']],
    ['a.c', ['a.c'], ['abc']],
    ['(a+)+$', ['(a+)+$'], ['aaa']],
    ['100%_off\\', ['100%_off\\'], ['100%xoff\\']],
  ];
  for (const [pattern, matching, other] of cases) {
    it(`“${pattern}” matches ${JSON.stringify(matching)} and not ${JSON.stringify(other)}`, () => {
      const matches = (name: string) => lineTestOf(filter([named(pattern)]))(line(1, { name }));
      assert.deepEqual([...matching, ...other].filter(matches), matching);
    });
  }

  it('matches the same names as the equivalent regular expression, among many patterns', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'É'), maxLength: 12 });
    const patterns = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '*', 'é'), maxLength: 8 }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(patterns, patterns, texts, (include, exclude, name) => {
        const matches = (pattern: string) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'is').test(name);
        const passes = lineTestOf(filter(include.map(named), exclude.map(named)));
        assert.equal(passes(line(1, { name })), include.some(matches) && !exclude.some(matches));
      }),
      { numRuns: 2_000 },
    );
  });

  it('matches and rejects names even if it spans several 32-bit words', () => {
    const long = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 20, maxLength: 100 });
    fc.assert(
      fc.property(long, long, long, fc.boolean(), (first, second, third, isOther) => {
        const passes = lineTestOf(filter([named(`${first}*${second}*${third}`), named(`*${third}${first}*x`)]));
        assert.equal(passes(line(1, { name: `${first}c${second}${third}` })), true);
        assert.equal(passes(line(1, { name: `b${third}${first}c${isOther ? 'y' : 'x'}` })), !isOther);
      }),
      { numRuns: 300 },
    );
  });

  it('rejects a long name that almost matches, even with many wildcards', () => {
    const bad = filter([named(`${'*a'.repeat(60)}*b`)]);
    assert.equal(lineTestOf(bad)(line(1, { name: 'a'.repeat(5_000) })), false);
  });
});

describe('countStarCharacters: the size of a line filter’s patterns', () => {
  it('adds up the lengths of the normalized patterns that contain a `*` in `include` and `exclude`', () => {
    const counted = filter([named('*a'), named('abc'), sku('*')], [named('e\u0301*'), typed('fee'), named('*\ufb2c')]);
    assert.equal(countStarCharacters(counted), 2 + 2 + 4);
  });
});

describe('a line filter with the longest patterns', () => {
  const patterns = ['*aab*', '*bba*', '*aaaaaaaab*', '*baaaaa*b*'];
  const longest = () =>
    filter(
      [...many(50, (at) => named(patterns[at % 4] ?? '')), named('*')],
      many(50, () => named('*aab*')),
    );
  const hostile = many(1_000, (at) => line(1, { name: `b${'a'.repeat(250)}${1_000 + at}` }));

  it('takes less than four times as long for hostile names as for harmless names of the same length', () => {
    const harmless = many(1_000, (at) => line(1, { name: `${'z'.repeat(251)}${1_000 + at}` }));
    const ratio =
      leastMs(() => baseOf(hostile, ['product'], longest())) / leastMs(() => baseOf(harmless, ['product'], longest()));
    assert.ok(ratio < 4, `${ratio}`);
  });

  it('is at least five times as fast for equal names, and for lines that it has already evaluated', () => {
    const same = many(1_000, () => line(1, { name: `b${'a'.repeat(254)}` }));
    const once = leastMs(() => baseOf(hostile, ['product'], longest()));
    const equal = leastMs(() => baseOf(same, ['product'], longest()));
    assert.ok(equal < once / 5, `${equal} of ${once}`);
    const known = longest();
    baseOf(hostile, ['product'], known);
    const again = leastMs(() => baseOf(hostile, ['product'], known));
    assert.ok(again < once / 5, `${again} of ${once}`);
  });

  it('correctly accepts or rejects each of 5,000 names, which are more than it caches', () => {
    const passes = lineTestOf(filter([named('*7*')]));
    const names = many(5_000, String);
    for (let round = 0; round < 2; round += 1)
      assert.deepEqual(
        names.filter((name) => passes(line(1, { name }))),
        names.filter((name) => name.includes('7')),
      );
  });
});

function many<Each>(count: number, each: (at: number) => Each): Each[] {
  return Array.from({ length: count }, (_, at) => each(at));
}

/** Returns the shortest of five run times of `work` in milliseconds. Other processes affect the shortest time least. */
function leastMs(work: () => void): number {
  const times = many(5, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}
