/**
 * Returns the records of a CSV file as spreadsheets read it (RFC 4180). Decoding the text has removed the byte order
 * mark.
 */
export function readCsv(text: string): string[][] {
  const records: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') records.push([]);
  }
  return records.slice(0, -1);
}
