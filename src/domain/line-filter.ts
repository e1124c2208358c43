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

/** What tells whether a line counts under a filter. Made once for many lines: what they are compared with is the same. */
export function passing({ include, exclude }: LineFilter): (line: Line) => boolean {
  const isIncluded = include.length === 0 ? () => true : matchingAny(include);
  const isExcluded = matchingAny(exclude);
  return (line) => {
    const name = compared(line.name);
    return isIncluded(line, name) && !isExcluded(line, name);
  };
}

/** `name` is the line's, as it is compared. */
function matchingAny(matchers: readonly LineMatcher[]): (line: Line, name: string) => boolean {
  const externalIds = new Set<string | null>();
  const types = new Set<LineType>();
  const patterns: ((name: string) => boolean)[] = [];
  for (const matcher of matchers) {
    if (matcher.by === 'externalId') externalIds.add(matcher.value);
    else if (matcher.by === 'type') types.add(matcher.type);
    else patterns.push(matchingPattern(compared(matcher.pattern)));
  }
  return ({ externalId, type }, name) =>
    externalIds.has(externalId) || types.has(type) || patterns.some((matches) => matches(name));
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
function matchingPattern(pattern: string): (name: string) => boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (name) => name === head;
  return (name) => {
    if (!name.startsWith(head) || !name.endsWith(tail)) return false;
    let from = head.length;
    for (const part of rest) {
      const found = name.indexOf(part, from);
      if (found < 0) return false;
      from = found + part.length;
    }
    return from <= name.length - tail.length;
  };
}
