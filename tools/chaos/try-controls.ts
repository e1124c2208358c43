import { type Control, systemOf } from './control.ts';
import type { Complaint } from './complaint.ts';
import type { Fault } from './fault.ts';
import { startSystem } from './system.ts';
import { tryFault } from './trial.ts';

/** The complaint that revealed a naive service, and its iteration; undefined if it was not caught. */
export type Caught = {
  readonly control: Control;
  readonly by: Complaint | undefined;
  readonly trial: number;
  /** What went wrong if it was not caught, such as an iteration that did not finish. */
  readonly failed?: string | undefined;
};

/** A correct service decides within a second or two. */
const PATIENCE_MS = 10_000;

type Print = (...lines: readonly string[]) => void;

export async function tryControls(
  controls: readonly Control[],
  faults: readonly Fault[],
  seed: number,
  print: Print,
): Promise<Caught[]> {
  const all: Caught[] = [];
  for (const control of controls) {
    const caught = await tryControl(control, faults, seed);
    all.push(caught);
    print(
      caught.by === undefined
        ? `✖ ${control.name}: not caught in ${caught.trial} trials. ${caught.failed ?? ''}`
        : `✔ ${control.name}: caught in trial ${caught.trial}, ${caught.by.kind}: ${caught.by.words.split('\n')[0]}`,
    );
  }
  return all;
}

async function tryControl(control: Control, faults: readonly Fault[], seed: number): Promise<Caught> {
  const fault = faults.find(({ name }) => name === control.fault);
  if (fault === undefined) throw new Error(`${control.name} needs a fault that is not there: ${control.fault}`);
  const system = await startSystem(systemOf(control));
  let failed: string | undefined;
  try {
    if (control.sql !== undefined) await system.database.query(control.sql);
    for (let trial = 1; trial <= control.within; trial += 1) {
      const { complaints, isWhole } = await tryFault(system, fault, seed + trial, PATIENCE_MS);
      const by = complaints.find(({ kind }) => kind !== 'failed');
      if (by !== undefined) return { control, by, trial };
      // An unexpected 500 alone doesn't prove wrong books, and a naive service may cause both. Try the next iteration.
      failed = complaints[0]?.words ?? failed;
      if (!isWhole) return { control, by, trial, failed };
    }
    return { control, by: undefined, trial: control.within, failed };
  } finally {
    await system.stop();
  }
}
