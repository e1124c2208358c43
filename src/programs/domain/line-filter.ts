import type { LineType } from './line.ts';
import type { Line } from './line.ts';
import { hasStar, matchingPatterns } from './name-patterns.ts';

/**
 * A criterion for lines: the exact external id, a pattern of the name (`*` matches any text, case is ignored), or the
 * type.
 */
export type LineMatcher =
  | { readonly by: 'externalId'; readonly value: string }
  | { readonly by: 'name'; readonly pattern: string }
  | { readonly by: 'type'; readonly type: LineType };

/**
 * A line passes if no matcher in `exclude` matches it, and either a matcher in `include` matches it or `include` is
 * empty.
 */
export type LineFilter = { readonly include: readonly LineMatcher[]; readonly exclude: readonly LineMatcher[] };

/**
 * Returns a function that checks whether a line passes a filter. The function is cached for as long as the filter is in
 * use, because a decision evaluates the same lines for each refund, correction and conversion.
 */
export function lineTestOf(filter: LineFilter): (line: Line) => boolean {
  const passes = known.get(filter) ?? createLineTest(filter);
  known.set(filter, passes);
  return passes;
}

const known = new WeakMap<LineFilter, (line: Line) => boolean>();

function createLineTest({ include, exclude }: LineFilter): (line: Line) => boolean {
  const isIncluded = include.length === 0 ? () => true : matchingAny(include);
  const isExcluded = matchingAny(exclude);
  return (line) => isIncluded(line) && !isExcluded(line);
}

/** Returns a function that checks whether a line matches any of `matchers`. */
function matchingAny(matchers: readonly LineMatcher[]): (line: Line) => boolean {
  const externalIds = new Set<string | null>();
  const types = new Set<LineType>();
  for (const matcher of matchers) {
    if (matcher.by === 'externalId') externalIds.add(matcher.value);
    else if (matcher.by === 'type') types.add(matcher.type);
  }
  const isNamed = cacheByName(matchingPatterns(patternsOf(matchers)));
  return ({ externalId, type, name }) => externalIds.has(externalId) || types.has(type) || isNamed(name);
}

/** Returns `matches` with a cache of its results by name. The cache is cleared when it is full. */
function cacheByName(matches: (name: string) => boolean): (name: string) => boolean {
  const judged = new Map<string, boolean>();
  return (name) => {
    const before = judged.get(name);
    if (before !== undefined) return before;
    const isMatch = matches(normalizeText(name));
    if (judged.size >= MAX_JUDGED) judged.clear();
    judged.set(name, isMatch);
    return isMatch;
  };
}

/** The maximum number of cached line names. It exceeds the maximum number of lines of a sale. */
const MAX_JUDGED = 2_000;

/**
 * The maximum total length of the name patterns with a `*` in all programs of an organization, in characters. Comparing
 * 1,000 long line names with these patterns blocks the event loop for about 50 ms.
 */
export const MAX_STAR_CHARACTERS = 2_000;

/**
 * Returns the total length of a filter's name patterns with a `*`, in characters. The patterns are normalized first, as
 * for comparisons.
 */
export function countStarCharacters({ include, exclude }: LineFilter): number {
  return patternsOf([...include, ...exclude])
    .filter(hasStar)
    .reduce((sum, { length }) => sum + length, 0);
}

function patternsOf(matchers: readonly LineMatcher[]): string[] {
  return matchers.flatMap((matcher) => (matcher.by === 'name' ? [normalizeText(matcher.pattern)] : []));
}

/** Returns text normalized for comparison, so that `É` and `é` are equal in any Unicode composition. */
function normalizeText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
