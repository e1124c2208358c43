/** Returns whether `text` is an existing calendar day in a year from 1000 to 9999, such as `2026-09-01`. */
export function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return false;
  // Date.parse reads February 30 as March 2, so the result must be compared with the text.
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
