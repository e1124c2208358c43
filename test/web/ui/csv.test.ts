import assert from 'node:assert/strict';
import { it } from 'node:test';
import { csvText } from '#platform/http/csv.ts';
import { csvFile } from '#web/ui/table/csv.ts';

it('CSV written by a page equals the service’s CSV byte for byte', async () => {
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
    ["x;=cmd|'/C calc'!A0;y", 1, ' =1'],
    ['\u200B=1', -1, 'a;"=1"'],
    ['\n+1', 1, '2026-11-21; -5'],
  ];
  // Read bytes instead of text, because `text()` would remove the byte order mark.
  const bytes = new Uint8Array(await csvFile(records).arrayBuffer());
  assert.equal(Buffer.from(bytes).toString(), csvText(records, true));
});
