import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type LineFilter, type LineMatcher, passing } from '#programs/domain/line-filter.ts';
import type { Line } from '#programs/domain/line.ts';
import { line } from '../../support/decision-facts.ts';

const named = (pattern: string): LineMatcher => ({ by: 'name', pattern });
const sku = (value: string): LineMatcher => ({ by: 'externalId', value });
const typed = (type: Line['type']): LineMatcher => ({ by: 'type', type });
const filter = (include: LineMatcher[], exclude: LineMatcher[] = []): LineFilter => ({ include, exclude });

describe('a sale line passes', () => {
  const shirt = line(20_00, { name: 'Blue Shirt', externalId: 'SKU-1' });
  const cases: readonly [name: string, filter: LineFilter, expected: boolean][] = [
    ['an empty filter', filter([]), true],
    ['a filter with a match in `include`', filter([sku('SKU-9'), named('*shirt')]), true],
    ['no filter whose `include` has no match', filter([sku('SKU-9'), named('*hat')]), false],
    ['no filter with a match in `exclude`', filter([], [sku('SKU-9'), sku('SKU-1')]), false],
    ['no filter that includes and excludes it', filter([named('*')], [typed('product')]), false],
    ['a filter that includes it and does not exclude it', filter([typed('product')], [typed('discount')]), true],
    ['no filter for the external id in another case', filter([sku('sku-1')]), false],
    ['no filter with a pattern for an external id', filter([sku('SKU-*')]), false],
  ];
  for (const [name, given, expected] of cases) {
    it(name, () => assert.equal(passing(given)(shirt), expected));
  }

  it('no filter for an empty external id if the line has no external id', () => {
    assert.equal(passing(filter([sku('')]))(line(20_00)), false);
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
      const matches = (name: string) => passing(filter([named(pattern)]))(line(1, { name }));
      assert.deepEqual([...matching, ...other].filter(matches), matching);
    });
  }

  it('matches the same names as the equivalent regular expression', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'B'), maxLength: 12 });
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(patterns, texts, (pattern, name) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'is');
        assert.equal(passing(filter([named(pattern)]))(line(1, { name })), expression.test(name));
      }),
      { numRuns: 2_000 },
    );
  });

  it('doesn’t match an adversarial name in a pattern with many wildcards', () => {
    const bad = filter([named(`${'*a'.repeat(60)}*b`)]);
    assert.equal(passing(bad)(line(1, { name: 'a'.repeat(5_000) })), false);
  });
});
