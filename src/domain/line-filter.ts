import type { LineType } from './program.ts';
import type { Line } from './reward.ts';

/**
 * What a line is matched by: its external id exactly, its name by a pattern (`*` any text, `?` one character, case
 * ignored), its type.
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
  return matchesPattern(charactersOf(matcher.pattern), charactersOf(line.name));
}

/** As they are compared: `É` and `é` are one character, however their accent was written. */
function charactersOf(text: string): string[] {
  return Array.from(text.normalize('NFC').toLowerCase());
}

/**
 * One walk along the name. Where it fails, the last `*` takes one character more, and only the last: an earlier one that
 * took more would leave less to match. So there are at most name × pattern steps. A regular expression goes back to every
 * `*`, and patterns come from outside: a bad one could keep it busy for hours.
 */
function matchesPattern(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let afterStar = -1;
  let resumeAt = 0;
  let index = 0;
  while (index < name.length) {
    if (pattern[at] === '*') {
      at += 1;
      afterStar = at;
      resumeAt = index;
    } else if (pattern[at] === '?' || pattern[at] === name[index]) {
      at += 1;
      index += 1;
    } else if (afterStar >= 0) {
      at = afterStar;
      resumeAt += 1;
      index = resumeAt;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((character) => character === '*');
}
