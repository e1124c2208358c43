import { replaySales } from '#attribution/reactions/replay-sales.ts';
import type { Complaint } from '#tools/traffic/complaint.ts';
import { verify } from '#verify/verify.ts';
import { type Control, systemOf } from './controls.ts';
import type { Fault } from './fault.ts';
import { lineOf } from './figures.ts';
import { startSystem, type System } from './system.ts';
import { type Seen, tryFault } from './iteration.ts';

/** The result of a fault. `missing` is the reason why this machine can't run the fault, if it was skipped. */
export type Outcome = { readonly fault: Fault; readonly iterations: readonly Seen[]; readonly missing?: string };

/**
 * The result of a control, which is a service with a deliberate bug. `by` is the complaint that revealed the bug, or
 * undefined if none did. `iteration` is the last iteration that ran.
 */
export type Caught = { readonly control: Control; readonly by: Complaint | undefined; readonly iteration: number };

type Print = (...lines: readonly string[]) => void;

/**
 * The time limit, in milliseconds, for the decisions of a service with a deliberate bug. A correct service decides
 * within a second or two.
 */
const CONTROL_DECIDES_WITHIN_MS = 10_000;
/**
 * The limits of the output about a failed iteration: complaints, log lines per process, and characters per log line.
 */
const SHOWN_COMPLAINTS = 8;
const SHOWN_LOG_LINES = 3;
const SHOWN_OF_LINE = 400;

/**
 * Runs the faults one after another. They share a system, except for faults with their own system options. After a
 * failure, the next fault gets a new system.
 */
export async function tryFaults(
  faults: readonly Fault[],
  iterationsOf: (fault: Fault) => number,
  seed: number,
  print: Print,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let shared: System | undefined;
  try {
    for (const fault of faults) {
      const missing = fault.missing?.();
      if (missing !== undefined) {
        print(`- ${fault.name}: skipped, because ${missing}`);
        outcomes.push({ fault, iterations: [], missing });
        continue;
      }
      const isOwn = fault.system !== undefined;
      const system = isOwn ? await startSystem(fault.system) : (shared ??= await startSystem());
      let iterations: Seen[];
      try {
        iterations = await tryOften(system, fault, iterationsOf(fault), seed, print);
      } finally {
        if (isOwn) await system.stop();
      }
      outcomes.push({ fault, iterations });
      print(lineOf(fault, iterations));
      if (isOwn || iterations.every(({ complaints }) => complaints.length === 0)) continue;
      await shared?.stop();
      shared = undefined;
    }
  } finally {
    await shared?.stop();
  }
  return outcomes;
}

/**
 * Runs each control under its fault, until a complaint reveals the deliberate bug, an iteration can't be completed, or
 * the iterations of the control are over.
 */
export async function tryControls(
  controls: readonly Control[],
  faults: readonly Fault[],
  seed: number,
  print: Print,
): Promise<Caught[]> {
  const all: Caught[] = [];
  for (const control of controls) {
    const fault = faults.find(({ name }) => name === control.fault) as Fault;
    const { by, iteration, failed } = await tryControl(control, fault, seed);
    all.push({ control, by, iteration });
    print(
      by === undefined
        ? `✖ ${control.name}: not caught in ${iteration} iterations. ${failed ?? ''}`
        : `✔ ${control.name}: caught in iteration ${iteration}, ${by.kind}: ${by.words.split('\n')[0]}`,
    );
  }
  return all;
}

async function tryControl(
  control: Control,
  fault: Fault,
  seed: number,
): Promise<Pick<Caught, 'by' | 'iteration'> & { readonly failed?: string | undefined }> {
  const system = await startSystem(systemOf(control));
  let failed: string | undefined;
  try {
    if (control.sql !== undefined) await system.database.query(control.sql);
    for (let iteration = 1; iteration <= control.within; iteration += 1) {
      const { complaints, isWhole } = await tryFault(system, fault, seed + iteration, CONTROL_DECIDES_WITHIN_MS);
      const by = complaints.find(({ kind }) => kind !== 'failed');
      if (by !== undefined) return { by, iteration };
      // A complaint of the kind `failed`, such as a slow recovery, doesn't prove that the books are wrong.
      failed = complaints[0]?.words ?? failed;
      if (!isWhole) return { by, iteration, failed };
    }
    return { by: undefined, iteration: control.within, failed };
  } finally {
    await system.stop();
  }
}

async function tryOften(system: System, fault: Fault, times: number, seed: number, print: Print): Promise<Seen[]> {
  const iterations: Seen[] = [];
  for (let n = 0; n < times; n += 1) {
    const seen = await tryFault(system, fault, seed + n);
    iterations.push(seen);
    if (seen.complaints.length === 0) continue;
    explain(system, fault, seen, print);
    // Stop here, because a broken system stays broken.
    return iterations;
  }
  await checkAll(system, fault, iterations);
  return iterations;
}

/**
 * Verifies every invariant of all organizations together, and replays every decision. Adds a complaint to the last
 * iteration for each violated invariant and each different decision.
 */
async function checkAll({ database }: System, { isKnown }: Fault, iterations: Seen[]): Promise<void> {
  const { breaches } = await verify(database);
  const { differences } = await replaySales(database);
  const wrong = [
    ...breaches.map(({ invariant, detail }) => `verify: ${invariant}: ${detail}`),
    ...differences.map(({ transactionId, detail }) => `replay: transaction ${transactionId}: ${detail}`),
  ];
  for (const words of wrong) {
    if (isKnown?.(words) !== true) iterations.at(-1)?.complaints.push({ kind: 'wrong', words });
  }
}

function explain({ members }: System, fault: Fault, { seed, complaints, unknown }: Seen, print: Print): void {
  print(`✖ ${fault.name}: repeat with npm run chaos -- --only ${fault.name} --iterations 1 --seed ${seed}`);
  print(...complaints.slice(0, SHOWN_COMPLAINTS).map(({ kind, words }) => `    ${kind}: ${words}`));
  if (complaints.length > SHOWN_COMPLAINTS) print(`    and ${complaints.length - SHOWN_COMPLAINTS} more`);
  print(`    unknown: ${[...unknown].map(([why, times]) => `${why} ${times} times`).join(', ') || 'none'}`);
  for (const { name, printed } of members) {
    const lines = printed()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    print(...lines.slice(-SHOWN_LOG_LINES).map((line) => `    ${name}: ${line.slice(0, SHOWN_OF_LINE)}`));
  }
}
