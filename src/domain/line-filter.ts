import type { LineType } from './program.ts';
import type { Line } from './reward.ts';

/**
 * What a line is matched by: its external id exactly, its name by a pattern (`*` is any text, case ignored), its type.
 */
export type LineMatcher =
  | { readonly by: 'externalId'; readonly value: string }
  | { readonly by: 'name'; readonly pattern: string }
  | { readonly by: 'type'; readonly type: LineType };

/** A line passes that matches one of `include` (or it is empty) and none of `exclude`. */
export type LineFilter = { readonly include: readonly LineMatcher[]; readonly exclude: readonly LineMatcher[] };

/** Whether a line counts under `filter`. */
export function passes({ include, exclude }: LineFilter, line: Line): boolean {
  const included = include.length === 0 || include.some((matcher) => matches(matcher, line));
  return included && !exclude.some((matcher) => matches(matcher, line));
}

function matches(matcher: LineMatcher, line: Line): boolean {
  if (matcher.by === 'externalId') return matcher.value === line.externalId;
  if (matcher.by === 'type') return matcher.type === line.type;
  return matchesPattern(compared(matcher.pattern), compared(line.name));
}

/** As they are compared: `É` and `é` are one character, however their accent was written. */
function compared(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/**
 * What stands between the stars has to follow one another in the name, each at the first place where it is found: to go
 * further would leave less for the next. A regular expression goes back to every star, and patterns come from outside: a
 * bad one could keep it busy for hours.
 */
function matchesPattern(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return name === head;
  if (!name.startsWith(head) || !name.endsWith(tail)) return false;
  let from = head.length;
  for (const part of rest) {
    const found = name.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return from <= name.length - tail.length;
}
