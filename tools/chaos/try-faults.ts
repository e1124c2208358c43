import type { Fault } from './fault.ts';
import { lineOf } from './figures.ts';
import { startSystem, type System } from './system.ts';
import { type Seen, tryFault } from './trial.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';

/** The result of a fault. `missing` is what this machine lacks for it. */
export type Outcome = { readonly fault: Fault; readonly trials: readonly Seen[]; readonly missing?: string };

type Print = (...lines: readonly string[]) => void;

/** The limits of what is printed about a failed iteration. */
const SHOWN_COMPLAINTS = 8;
const SHOWN_LOG_LINES = 3;
const SHOWN_OF_LINE = 400;

/**
 * Runs the faults one after another. They share a system, except for faults with their own system options. After a
 * failure, the next fault gets a new system.
 */
export async function tryFaults(
  faults: readonly Fault[],
  trialsOf: (fault: Fault) => number,
  seed: number,
  print: Print,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let shared: System | undefined;
  try {
    for (const fault of faults) {
      const missing = fault.missing?.();
      if (missing !== undefined) {
        print(`- ${fault.name}: left out, since ${missing}`);
        outcomes.push({ fault, trials: [], missing });
        continue;
      }
      const isOwn = fault.system !== undefined;
      const system: System = isOwn ? await startSystem(fault.system) : (shared ??= await startSystem());
      let trials: Seen[];
      try {
        trials = await tryOften(system, fault, trialsOf(fault), seed, print);
      } finally {
        if (isOwn) await system.stop();
      }
      outcomes.push({ fault, trials });
      print(lineOf(fault, trials));
      if (isOwn || trials.every(({ complaints }) => complaints.length === 0)) continue;
      await shared?.stop();
      shared = undefined;
    }
  } finally {
    await shared?.stop();
  }
  return outcomes;
}

async function tryOften(system: System, fault: Fault, times: number, seed: number, print: Print): Promise<Seen[]> {
  const trials: Seen[] = [];
  for (let n = 0; n < times; n += 1) {
    const seen = await tryFault(system, fault, seed + n);
    trials.push(seen);
    if (seen.complaints.length === 0) continue;
    explain(system, fault, seen, print);
    // Stop here, because a broken system stays broken.
    return trials;
  }
  await checkAll(system, fault, trials);
  return trials;
}

/**
 * Checks all organizations together. Each iteration has checked only its own. Verifies every invariant and replays
 * every decision.
 */
async function checkAll({ database }: System, { isKnown }: Fault, trials: Seen[]): Promise<void> {
  const { breaches } = await verify(database);
  const { differences } = await replaySales(database);
  const wrong = [
    ...breaches.map(({ invariant, detail }) => `verify: ${invariant}: ${detail}`),
    ...differences.map(({ transactionId, detail }) => `decided again, transaction ${transactionId} differs: ${detail}`),
  ];
  for (const words of wrong) {
    if (isKnown?.(words) !== true) trials.at(-1)?.complaints.push({ kind: 'wrong', words });
  }
}

function explain({ members }: System, fault: Fault, { seed, complaints, unknown }: Seen, print: Print): void {
  print(`✖ ${fault.name}: again with npm run chaos -- --only ${fault.name} --trials 1 --seed ${seed}`);
  print(...complaints.slice(0, SHOWN_COMPLAINTS).map(({ kind, words }) => `    ${kind}: ${words}`));
  if (complaints.length > SHOWN_COMPLAINTS) print(`    and ${complaints.length - SHOWN_COMPLAINTS} more`);
  print(`    unknown: ${[...unknown].map(([why, times]) => `${why} ${times} times`).join(', ') || 'nothing'}`);
  for (const member of members) {
    const said = member
      .printed()
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    print(...said.slice(-SHOWN_LOG_LINES).map((line) => `    ${member.name}: ${line.slice(0, SHOWN_OF_LINE)}`));
  }
}
