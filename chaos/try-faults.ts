import type { Fault } from './fault.ts';
import { lineOf } from './figures.ts';
import { startSystem, type System } from './system.ts';
import { type Seen, tryFault } from './trial.ts';
import { replaySales } from '#pipeline/replay-sales.ts';
import { verify } from '#store/verify.ts';

/** What became of a fault; `missing`: what this machine lacks for it. */
export type Outcome = { readonly fault: Fault; readonly trials: readonly Seen[]; readonly missing?: string };

type Print = (...lines: readonly string[]) => void;

/** Of a trial that went wrong. */
const SHOWN_COMPLAINTS = 8;
const SHOWN_LOG_LINES = 3;
const SHOWN_OF_LINE = 400;

/**
 * One fault after the other. They share a system, but for those that ask for one of their own; after something went wrong
 * the next begins with a new one.
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
    // What is broken once stays so.
    return trials;
  }
  await checkAll(system, fault, trials);
  return trials;
}

/** The books of each trial were its own organization’s. Now all of them: every invariant, and every decision once more. */
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
