/** The maximum length of a part, in characters. The API accepts up to 1,000,000, in a body of at most 1 MiB. */
const MAX_CHARACTERS = 500_000;

/** Splits a CSV file into parts with whole lines. Each part begins with the header. */
export function partsOf(file: string, max = MAX_CHARACTERS): string[] {
  const [header = '', ...lines] = file.split('\n');
  const parts: string[] = [];
  let part = header;
  for (const line of lines) {
    if (part.length + line.length >= max && part !== header) {
      parts.push(part);
      part = header;
    }
    part += `\n${line}`;
  }
  return [...parts, part];
}
