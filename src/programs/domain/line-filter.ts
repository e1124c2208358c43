import type { LineType } from './line.ts';
import type { Line } from './line.ts';

/**
 * A criterion for lines: the exact external id, a pattern of the name (`*` matches any text, case is ignored), or the
 * type.
 */
export type LineMatcher =
  | { readonly by: 'externalId'; readonly value: string }
  | { readonly by: 'name'; readonly pattern: string }
  | { readonly by: 'type'; readonly type: LineType };

/** A line passes if it matches one of `include`, or if `include` is empty, and if it matches none of `exclude`. */
export type LineFilter = { readonly include: readonly LineMatcher[]; readonly exclude: readonly LineMatcher[] };

/**
 * Returns a function that checks whether a line passes a filter. Comparison values are prepared once for many lines.
 */
export function passing({ include, exclude }: LineFilter): (line: Line) => boolean {
  const isIncluded = include.length === 0 ? () => true : matchingAny(include);
  const isExcluded = matchingAny(exclude);
  return (line) => {
    const name = compared(line.name);
    return isIncluded(line, name) && !isExcluded(line, name);
  };
}

/**
 * Returns a function that checks whether a line matches any of `matchers`. Its `name` is the line's name as normalized
 * by `compared`.
 */
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

/** Returns text in the form used for comparison: `É` and `é` are equal, in any Unicode composition. */
function compared(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/**
 * Returns a function that matches names. The parts between the stars must follow one another in the name. Each part is
 * matched at the first possible place, because a later place would leave less text for the next part. A regular
 * expression could backtrack for hours, and patterns are user input.
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
