import { readFileSync } from 'node:fs';

/* Creates order lists for tests, with the columns of recorded exports. */

/** Returns CSV text with the header row of a recorded export and the given rows. Missing cells are empty. */
export function listOf(name: string, rows: readonly Readonly<Record<string, string>>[], separator = ','): string {
  const text = readFileSync(new URL(`./fixtures/lists/${name}.csv`, import.meta.url), 'utf8');
  const [header = ''] = text.replace('\uFEFF', '').split(/\r?\n/, 1);
  const columns = header.split(separator);
  const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(separator));
  return `${[header, ...lines].join('\n')}\n`;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/** The time when this module was loaded, in milliseconds, rounded down to a whole second. */
const START_MS = Math.floor(Date.now() / 1_000) * 1_000;

/** Returns the time that is the given number of hours before START_MS. */
export function hoursAgo(hours: number): Date {
  return new Date(START_MS - hours * 3_600_000);
}
