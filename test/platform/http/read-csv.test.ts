import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_COLUMNS, readCsv } from '#platform/http/read-csv.ts';

const read = async (text: string, maxRecords = 10) => {
  const reading = await readCsv(text, maxRecords);
  assert.ok(reading.kind === 'table', reading.kind);
  return reading.table;
};

describe('readCsv: a CSV file that arrives in slices', () => {
  it('uses the separator that occurs most often in the first line, and a comma if none occurs', async () => {
    for (const [header, separator] of [
      ['a;b;c,d', ';'],
      ['a\tb', '\t'],
      ['a,b;c', ','],
      ['a', ','],
      ['a,b\n;;;;', ','],
    ] as const)
      assert.equal((await read(header)).separator, separator, header);
  });

  it('keeps characters that are split between two slices', async () => {
    for (const text of ['😀', 'é', '€'].map((character) => character.repeat(12_000)))
      for (const before of ['', 'x', 'xx']) assert.deepEqual((await read(before + text)).records, [[before + text]]);
  });

  it('stops soon after the last requested row', async () => {
    const { records } = await read('a\n'.repeat(500_000), 100);
    assert.ok(records.length > 100 && records.length < 10_000, `${records.length}`);
  });

  it('refuses a row with too many cells or bytes, at any position in the file', async () => {
    const cells = ','.repeat(MAX_COLUMNS);
    for (const text of [cells, `a\n${cells}`, `${cells}\na`])
      assert.deepEqual(await readCsv(text, 10), { kind: 'too-wide' });
    assert.deepEqual((await read(`a\n${cells.slice(1)}\n`)).records[1]?.length, MAX_COLUMNS);
    for (const text of [','.repeat(999_999), `a\n"${'€,'.repeat(30_000)}"`, `a\n"${'\n'.repeat(110_000)}`])
      assert.deepEqual(await readCsv(text, 10), { kind: 'too-long-row' });
    assert.equal((await read(`${'\n'.repeat(500_000)}a`)).records.length, 1);
  });
});
