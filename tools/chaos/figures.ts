import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Wrong } from '#tools/traffic/complaint.ts';
import type { Fault } from './fault.ts';
import type { Caught, Outcome } from './iterations.ts';
import type { Seen } from './iteration.ts';
import { numeral, quantile } from '#tools/bench/figures.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'explanation', 'reliability.md');
const BEGIN = '<!-- npm run chaos -- --write replaces the text from here on. -->';
const END = '<!-- npm run chaos -- --write replaces the text up to here. -->';
/** If none of n reports is lost or doubled, the true rate is at most 3 in n, with 95% confidence. */
const RULE_OF_THREE = 3;

/** Returns a fault and its results as one line. */
export function lineOf(fault: Fault, iterations: readonly Seen[]): string {
  const { acknowledged, unknown, lost, doubled, undecided, refused, healed, slowest } = sumOf(iterations);
  const isWell = iterations.every(({ complaints }) => complaints.length === 0);
  return (
    `${isWell ? '✔' : '✖'} ${fault.name}: ${iterations.length} iterations, ${numeral(acknowledged)} acknowledged, ` +
    `${numeral(unknown)} unknown, ${lost} lost, ${doubled} doubled, ${undecided} undecided; ` +
    `503 after ${refused} s at most; healed in ${healed} s, ${slowest} s at most`
  );
}

/**
 * Replaces the tables in docs/explanation/reliability.md with the given results. Throws an error if the page has no
 * markers for the tables.
 */
export function writeFigures(outcomes: readonly Outcome[], caught: readonly Caught[], minutes: number): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before)
    throw new Error('The file docs/explanation/reliability.md has no markers for the tables.');
  const tables = [BEGIN, '', ...faultTable(outcomes, minutes), '', ...controlTable(caught), ''].join('\n');
  writeFileSync(PAGE, page.slice(0, before) + tables + page.slice(after));
}

function faultTable(outcomes: readonly Outcome[], minutes: number): string[] {
  const rows = outcomes.map(({ fault, iterations, missing }) => {
    if (missing !== undefined) return `| ${fault.what} | not here: ${missing} | | | | | | | | |`;
    const sum = sumOf(iterations);
    const cells = [sum.acknowledged, sum.unknown, sum.lost, sum.doubled, sum.undecided].map((value) => numeral(value));
    return `| ${fault.what} | ${[iterations.length, ...cells, sum.refused, sum.healed, sum.slowest].join(' | ')} |`;
  });
  const all = sumOf(outcomes.flatMap(({ iterations }) => iterations));
  const iterations = outcomes.reduce((sum, outcome) => sum + outcome.iterations.length, 0);
  return [
    `${numeral(iterations)} iterations in ${minutes.toFixed(0)} minutes, on ${cpus().length} cores (${cpus()[0]?.model}), ` +
      `Node ${process.version}. Of ${numeral(all.acknowledged)} acknowledged reports and calls, ${all.lost} were lost and ` +
      `${all.doubled} were doubled.` +
      (all.lost + all.doubled === 0
        ? ` With 95% confidence, at most ${RULE_OF_THREE} in ${numeral(all.acknowledged)} are lost or doubled.`
        : ''),
    '',
    '| Fault | iterations | acknowledged | unknown | lost | doubled | undecided | 503 after, at most s | healed, median s | at most |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ];
}

function controlTable(caught: readonly Caught[]): string[] {
  return [
    '| A service with one deliberate bug | revealed by | in iteration | as |',
    '|---|---|---|---|',
    ...caught.map(
      ({ control, by, iteration }) =>
        `| ${control.what} | \`${control.fault}\` | ${by === undefined ? 'not caught' : iteration} | ${by?.kind ?? ''} |`,
    ),
  ];
}

function sumOf(iterations: readonly Seen[]) {
  const count = (kind: Wrong): number =>
    iterations.flatMap(({ complaints }) => complaints).filter((complaint) => complaint.kind === kind).length;
  const healed = iterations.map(({ healedMs }) => healedMs).sort((a, b) => a - b);
  return {
    acknowledged: iterations.reduce((sum, iteration) => sum + iteration.acknowledged, 0),
    unknown: iterations.reduce(
      (sum, iteration) => sum + [...iteration.unknown.values()].reduce((all, times) => all + times, 0),
      0,
    ),
    lost: count('lost'),
    doubled: count('doubled'),
    undecided: count('undecided'),
    refused: numeral(Math.max(0, ...iterations.map(({ slowest503Ms }) => slowest503Ms)) / 1_000, 1),
    healed: numeral(quantile(healed, 0.5) / 1_000, 1),
    slowest: numeral((healed.at(-1) ?? NaN) / 1_000, 1),
  };
}
