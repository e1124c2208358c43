import type { Outcome } from './campaign.ts';
import { hasSucceeded, neverSucceeded, NOT_BY_CHANCE, undocumentedPairs, unseenPairs } from './reached.ts';

export type JudgedOutcome = Outcome & { readonly breaches: readonly unknown[] };

/** Returns the result of a campaign as lines of text, and whether it failed. */
export function reportOf(outcome: JudgedOutcome): { readonly lines: readonly string[]; readonly failed: boolean } {
  const { sent, statuses, reached, calls, worlds, longest, findings, breaches } = outcome;
  const counts = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
  const failures = [...statuses].reduce((sum, [status, count]) => (status >= 500 ? sum + count : sum), 0);
  const written = findings.filter(({ kind }) => kind === 'refused-but-written').length;
  const succeeded = calls.filter(({ id }) => hasSucceeded(reached, id)).length;
  const untested = neverSucceeded(calls, reached);
  const undocumented = undocumentedPairs(calls, reached);
  const faults = findings.length + breaches.length + untested.length + undocumented.length;
  return {
    lines: [
      `${sent} requests: ${counts.join(', ')}`,
      `${failures} of them a 5xx, ${written} refusals that changed something; the longest answer took ${longest.ms.toFixed(0)} ms (${longest.call})`,
      `${succeeded} of ${calls.length} calls succeeded at least once; ${worlds} organizations`,
      ...excuses(),
      ...untested.map((id) => `✖ ${id} was never answered with success: only its refusals were tested`),
      ...pairLines(outcome),
      ...undocumented.map((pair) => `✖ ${pair} is not in the document`),
      ...breaches.map((breach) => `verify: ${JSON.stringify(breach)}`),
      `${findings.length} findings, ${breaches.length} breaches, ${untested.length} calls without a success, ${undocumented.length} undocumented pairs`,
    ],
    failed: faults > 0,
  };
}

function excuses(): string[] {
  const byWhy = Object.entries(Object.groupBy(Object.keys(NOT_BY_CHANCE), (id) => NOT_BY_CHANCE[id] as string));
  return byWhy.map(([why, ids = []]) => `  not by chance, since ${why}: ${ids.join(', ')}`);
}

function pairLines({ calls, reached }: Outcome): string[] {
  const { documented, unseen } = unseenPairs(calls, reached);
  const missing = [...unseen.values()].reduce((sum, ids) => sum + ids.length, 0);
  const rising = [...unseen].sort(([one], [other]) => one - other);
  return [
    `${documented - missing} of ${documented} documented pairs of a call and a status below 500 were seen`,
    ...rising.map(([status, ids]) => `  never ${status}: ${ids.join(', ')}`),
  ];
}
