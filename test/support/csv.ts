/**
 * Parses a CSV file as spreadsheets do (RFC 4180) and returns its records. `text` has no byte order mark, because
 * decoding removes it.
 */
export function readCsv(text: string): string[][] {
  const records: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') records.push([]);
  }
  return records.slice(0, -1);
}
