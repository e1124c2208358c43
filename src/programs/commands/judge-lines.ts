import type { Line } from '../domain/line.ts';
import { lineTestOf } from '../domain/line-filter.ts';
import type { ProgramTerms } from '../domain/program.ts';
import { createBreaks } from '#platform/breaks.ts';

/**
 * Evaluates the line filters of programs for lines, and caches the results for the decision that follows. The filters
 * of an organization can take 50 ms for a sale of 1,000 lines with long names, so this function lets other requests run
 * in between. The decision itself is synchronous. Without the cached results, a decision would delay all other
 * requests.
 */
export async function judgeLines(
  lines: readonly Line[],
  programs: Iterable<Pick<ProgramTerms, 'lineFilter'>>,
): Promise<void> {
  const takeBreak = createBreaks();
  for (const { lineFilter } of programs) {
    if (lineFilter === null) continue;
    const passes = lineTestOf(lineFilter);
    for (const line of lines) {
      passes(line);
      const pause = takeBreak();
      if (pause !== undefined) await pause;
    }
  }
}
