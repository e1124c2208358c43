import assert from 'node:assert/strict';
import { it } from 'node:test';
import { csvText } from '#http/csv.ts';
import { csvFile } from '#ui/csv.ts';

it('a file that a page makes is to the letter what the service would write', async () => {
  const records = [
    ['code', 'visits', 'earned'],
    ['=1+1', 3, '12.50'],
    ['+1', -3, '-12.50'],
    ['-1+1', 0, '-12'],
    ['@SUM(A1)', 1, '-'],
    ['=HYPERLINK("https://evil.example","Pay")', 1, ''],
    ['\t=1', 1, '\r=1'],
    ['＝1', 1, '＋1'],
    ['－1', 1, '＠1'],
    ['a,b', 1, 'a;=1'],
    ['“a” "b"', 1, 'a\nb'],
  ];
  // `text()` would take the byte order mark away.
  const bytes = new Uint8Array(await csvFile(records).arrayBuffer());
  assert.equal(Buffer.from(bytes).toString(), csvText(records, true));
});
