import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventData } from 'node:test';

export type Covered = EventData.TestCoverage['summary']['files'][number];

const DOMAIN = join(import.meta.dirname, '..', 'src', 'domain');

/** What of the domain was not taken, a line for each file; empty where all was. */
export function missedIn(files: readonly Covered[]): string[] {
  const measured = new Map(files.map((file) => [file.path, file]));
  return globSync(join(DOMAIN, '*.ts'))
    .sort()
    .flatMap((path) => {
      const file = measured.get(path);
      // One that no test loads is not measured at all; one of types alone never is.
      if (file === undefined)
        return readFileSync(path, 'utf8').includes('function ') ? [`${path}: no test loads it`] : [];
      const { coveredLinePercent: lines, coveredBranchPercent: branches, coveredFunctionPercent: functions } = file;
      return Math.min(lines, branches, functions) === 100
        ? []
        : [`${path}: ${lines}% of its lines, ${branches}% of its branches, ${functions}% of its functions`];
    });
}
