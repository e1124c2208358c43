import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventData } from 'node:test';

export type Covered = EventData.TestCoverage['summary']['files'][number];

const SOURCES = join(import.meta.dirname, '..', 'src');

/** Patterns of the files below `src/` that make decisions or generate texts, without a database. */
export const DECISIONS = ['core/*.ts', '*/domain/**/*.ts', '*/wording/*.ts'];

/**
 * Returns one line for each file of DECISIONS that the tests don't cover completely. The array is empty if coverage is
 * complete.
 */
export function missedIn(files: readonly Covered[]): string[] {
  const measured = new Map(files.map((file) => [file.path, file]));
  return DECISIONS.flatMap((pattern) => globSync(join(SOURCES, pattern)))
    .sort()
    .flatMap((path) => {
      const file = measured.get(path);
      // A file is missing from the coverage if no test loads it, or if it contains only types.
      if (file === undefined)
        return readFileSync(path, 'utf8').includes('function ') ? [`${path}: no test loads it`] : [];
      const { coveredLinePercent: lines, coveredBranchPercent: branches, coveredFunctionPercent: functions } = file;
      if (Math.min(lines, branches, functions) === 100) return [];
      const missed = file.branches.flatMap(({ count, line }) => (count === 0 ? [line] : []));
      return [
        `${path}: ${lines}% of its lines, ${branches}% of its branches, ${functions}% of its functions; ` +
          `branches at the lines ${[...new Set(missed)].join(', ')}`,
      ];
    });
}
