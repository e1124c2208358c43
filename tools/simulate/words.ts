import type { Earned } from './books.ts';
import { decimal } from './order.ts';
import type { Progress, Report } from './simulation.ts';
import { KINDS, type Latencies } from './tally.ts';

/** Returns the progress as one line. */
export function progressLine({ seconds, sent, due, tally }: Progress): string {
  const { attempts, latencies } = tally;
  const done = KINDS.map((kind) => `${count(attempts[kind])} ${kind}s`).join(', ');
  const trouble = [...tally.answers].filter(([status]) => status !== '200').map(answerText);
  return [
    `${String(Math.round(seconds)).padStart(5)} s`,
    `${count(sent)} reports (${done})`,
    ...(due - sent > 1 ? [`${count(due - sent)} behind`] : []),
    `p99 ${milliseconds(latencies.visit.percentile(0.99))}`,
    ...trouble,
  ].join('  ');
}

/** Below this share of the rate, the report says that the rate was not reached. */
const REACHED = 0.9;

/** Returns the report of a run as text. */
export function reportText(report: Report): string {
  const { options, took, sent, due, tally, shoppers, orders, audit, holds } = report;
  const { name, seed, seconds, rate } = options;
  return [
    `Simulation ${name}, seed ${seed}: ${count(sent)} of ${count(Math.floor(rate * seconds))} reports in ${took.toFixed(1)} s`,
    ...rateText(report),
    ...(sent < due ? [`${count(due - sent)} were left out, since their shoppers had left.`] : []),
    '',
    ...table([
      ['', 'sent', 'answered 200', 'p50', 'p95', 'p99', 'longest'],
      ...KINDS.map((kind) => [
        `${kind}s`,
        count(tally.attempts[kind]),
        count(tally.accepted[kind]),
        ...latencyColumns(tally.latencies[kind]),
      ]),
    ]),
    '',
    `Answers: ${[...tally.answers].map(answerText).join(', ')}`,
    `${count(shoppers)} shoppers, ${count(orders)} orders`,
    '',
    ...earnedTable(audit.earned),
    ...troubles(report),
    holds
      ? `Everything was answered and decided, and the books agree${audit.lookedAt > 0 ? ` (${audit.lookedAt} orders looked at one by one)` : ''}.`
      : 'This is not as it should be.',
  ].join('\n');
}

/**
 * Returns a sentence if the run ended early or the rate was not reached. A service that can't keep up still gets all
 * reports, but later: its callers wait.
 */
function rateText({ options: { rate, seconds }, due, took }: Report): string[] {
  const reached = due / took;
  if (due < Math.floor(rate * seconds)) return ['It ended early.'];
  return reached < rate * REACHED ? [`The rate was not reached: ${count(Math.round(reached))} a second.`] : [];
}

function earnedTable(earned: readonly Earned[]): string[] {
  if (earned.length === 0) return [];
  const rows = earned.map(({ collaborator, currency, expected: { least, most }, found }) => [
    collaborator,
    currency,
    least === most ? decimal(least) : `${decimal(least)} to ${decimal(most)}`,
    decimal(found),
    found >= least && found <= most ? '' : 'DIFFERS',
  ]);
  return [...table([['Earned', '', 'should be', 'is', ''], ...rows]), ''];
}

function troubles({ unanswered, waiting, refusals, audit }: Report): string[] {
  return [
    ...(unanswered === 0 ? [] : [`${count(unanswered)} reports were never answered: whether they count is unknown.`]),
    ...(waiting === 0 ? [] : [`${count(waiting)} events are not decided.`]),
    ...refusals.map((refusal) => `Refused: ${refusal}`),
    ...audit.faults,
  ];
}

function latencyColumns(latencies: Latencies): string[] {
  return [...[0.5, 0.95, 0.99].map((share) => latencies.percentile(share)), latencies.longest].map(milliseconds);
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? '–' : `${value < 10 ? value.toFixed(1) : count(Math.round(value))} ms`;
}

function answerText([status, times]: readonly [string, number]): string {
  return `${status === 'none' ? 'no answer' : status} × ${count(times)}`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

/** Formats a table. Columns are as wide as their widest cell, and all but the first are right-aligned. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
