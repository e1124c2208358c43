import type { Tally } from '#tools/traffic/client.ts';
import { decimal } from '#tools/traffic/order.ts';
import type { Progress, Result } from './simulation.ts';

const KINDS = { visits: '/event/site-visited', sales: '/event/sale', refunds: '/event/refund' };
/** Below this share of the rate, the report says that the rate was not reached. */
const REACHED = 0.9;
const SHOWN_COMPLAINTS = 20;

export function progressLine({ seconds, sent, due, tally }: Progress): string {
  const done = Object.entries(KINDS).map(([kind, path]) => `${count(tally.paths.get(path)?.sent ?? 0)} ${kind}`);
  const p99 = tally.paths.get(KINDS.visits)?.times.percentile(99);
  const late = due - sent > 1 ? [`${count(due - sent)} behind`] : [];
  const parts = [`${count(sent)} reports (${done.join(', ')})`, ...late, `p99 ${time(p99)}`, ...unknownsOf(tally)];
  return `${String(Math.round(seconds)).padStart(5)} s  ${parts.join('  ')}`;
}

export function reportText(result: Result): string {
  const { options, took, sent, due, tally, shoppers, orders, unanswered, waiting, verified, complaints, holds } =
    result;
  const { name, seed, seconds, rate } = options;
  const wanted = Math.floor(rate * seconds);
  const isSlow = due / took < rate * REACHED;
  return [
    `Simulation ${name}, seed ${seed}: ${count(sent)} of ${count(wanted)} reports in ${took.toFixed(1)} s`,
    ...(due < wanted
      ? ['It ended early.']
      : isSlow
        ? [`The rate was not reached: ${count(due / took)} a second.`]
        : []),
    '',
    ...tableOf([
      ['', 'sent', 'accepted', 'p50', 'p95', 'p99', 'longest'],
      ...Object.entries(KINDS).map(([kind, path]) => {
        const { sent = 0, acknowledged = 0, times } = tally.paths.get(path) ?? {};
        const shares = [50, 95, 99].map((share) => time(times?.percentile(share)));
        return [kind, count(sent), count(acknowledged), ...shares, time(times?.max)];
      }),
    ]),
    '',
    ...tableOf([
      ['', 'revenue', 'refunded', 'earned'],
      ...result.amounts.map(({ currency, revenue, refunded, earned }) => [
        currency,
        ...[revenue, refunded, earned].map(decimal),
      ]),
    ]),
    '',
    [`${count(shoppers)} shoppers, ${count(orders)} orders`, ...unknownsOf(tally)].join(', '),
    ...(unanswered === 0 ? [] : [`${count(unanswered)} reports were never answered: whether they count is unknown.`]),
    ...(waiting === 0 ? [] : [`${count(waiting)} events are not decided.`]),
    ...complaints.slice(0, SHOWN_COMPLAINTS).map(({ kind, words }) => `${kind}: ${words}`),
    ...(complaints.length > SHOWN_COMPLAINTS ? [`and ${complaints.length - SHOWN_COMPLAINTS} more`] : []),
    ...(verified === undefined ? [] : [`${verified} invariants of the books were checked.`]),
    holds ? 'Everything was answered and decided, and every order is as reported.' : 'The run failed.',
  ].join('\n');
}

function unknownsOf({ unknowns }: Tally): string[] {
  return [...unknowns].map(([why, times]) => `${why} × ${count(times)}`);
}

function time(microseconds: number | undefined): string {
  if (microseconds === undefined) return '–';
  const ms = microseconds / 1_000;
  return `${ms < 10 ? ms.toFixed(1) : count(ms)} ms`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** Returns the lines of a table. Columns are as wide as their widest cell, and all but the first are right-aligned. */
function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, n: number): string => (n === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[n]!));
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}
