import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { MAX_ID, type OpportunityId } from '#core/ids.ts';
import { opportunityNumbers } from '#core/opportunity-number.ts';

const KEY = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
const ids = (...values: number[]) => values as OpportunityId[];

describe('the public number of an opportunity', () => {
  const { encode, decode } = opportunityNumbers(KEY);
  const someId = fc.integer({ min: 1, max: MAX_ID });

  it('decodes back to its id, for ids of every size', () => {
    fc.assert(
      fc.property(fc.array(someId, { maxLength: 50 }), (values) => {
        assert.deepEqual(decode(encode(ids(...values))), values);
      }),
    );
  });

  it('decodes to an id that encodes back to it, for any valid number', () => {
    fc.assert(
      fc.property(fc.array(someId, { maxLength: 50 }), (values) => {
        assert.deepEqual(encode(decode(values)), values);
      }),
    );
  });

  it('is an integer from 1 to 2^53−1, even for the smallest and largest ids', () => {
    const edges = [1, 2, 2 ** 26, 2 ** 27 - 1, 2 ** 27, 2 ** 27 + 1, 2 ** 52, MAX_ID - 1, MAX_ID];
    const numbers = encode(ids(...edges));
    assert.ok(numbers.every((number) => Number.isSafeInteger(number) && number >= 1));
    assert.deepEqual(decode(numbers), edges);
  });

  it('is encrypted twice if the first pass gives 0, which isn’t a valid number', () => {
    // With KEY, one encryption pass turns 0 into 1115581133509867, and 546608627900148 into 0.
    const [skipped, number] = [546608627900148, 1115581133509867];
    assert.deepEqual(encode(ids(1, skipped)), [...encode(ids(1)), number]);
    assert.deepEqual(decode([number]), [skipped]);
  });

  it('is unique for 20,000 consecutive ids', () => {
    const numbers = encode(ids(...Array.from({ length: 20_000 }, (_, index) => index + 1)));
    assert.equal(new Set(numbers).size, numbers.length);
  });

  it('is the same for an id alone and in a batch', () => {
    const values = ids(5, 1, MAX_ID, 5);
    assert.deepEqual(
      encode(values),
      values.map((value) => encode([value])[0]),
    );
    assert.deepEqual(encode([]), []);
  });

  it('depends on the key', () => {
    const other = opportunityNumbers(Buffer.alloc(16, 7));
    const values = ids(1, 2, 3, 4, 5);
    assert.equal(encode(values).filter((number, index) => number === other.encode(values)[index]).length, 0);
  });

  it('never changes for a key, because browsers store it', () => {
    assert.deepEqual(encode(ids(1, 2, 1_000_000)), PINNED);
  });

  it('is spread evenly over the whole range for consecutive ids', () => {
    const numbers = encode(ids(...Array.from({ length: 16_000 }, (_, index) => index + 1)));
    const counts = Array.from({ length: 16 }, () => 0);
    for (const number of numbers)
      counts[Math.floor(number / 2 ** 49)] = (counts[Math.floor(number / 2 ** 49)] ?? 0) + 1;
    // Each count is expected to be 1,000 with a standard deviation of 31. The bounds are more than six deviations away.
    assert.ok(
      counts.every((count) => count > 800 && count < 1_200),
      counts.join(' '),
    );
    const rising = numbers.filter((number, index) => number > (numbers[index - 1] ?? 0)).length;
    assert.ok(rising > 7_500 && rising < 8_500, `${rising} of 16,000 are above the previous number`);
  });

  it('encode: throws for values that aren’t valid ids', () => {
    for (const value of [0, -1, 1.5, MAX_ID + 1, Number.NaN]) assert.throws(() => encode(ids(value)), RangeError);
  });
});

/** The opportunity numbers of the ids 1, 2 and 1,000,000, encoded with KEY. */
const PINNED = [7110152487318237, 4486075047870260, 7725165383193094];
