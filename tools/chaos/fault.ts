import { faults as ofClocks } from './faults/clock.ts';
import { faults as ofDisks } from './faults/disk.ts';
import { faults as ofEvents } from './faults/event.ts';
import { faults as ofNetworks } from './faults/network.ts';
import { faults as ofPostgres } from './faults/postgres.ts';
import { faults as ofReceivers } from './faults/receivers.ts';
import { faults as ofService } from './faults/processes.ts';
import type { Load } from './load.ts';
import type { System, SystemOptions } from './system.ts';
import type { Seen } from './iteration.ts';
import type { Dice } from '#tools/traffic/random.ts';

/**
 * A failure under a load of reports, such as a failure of a process, the network, a disk or a clock. After each
 * iteration, no acknowledged report may be lost or duplicated, every event must be decided, and the system must have
 * recovered by itself.
 */
export type Fault = {
  readonly name: string;
  /** The failure, for the table in docs/explanation/reliability.md. */
  readonly what: string;
  /** The number of iterations. `short` applies with `--short`. It is 0 if the fault takes too long for that. */
  readonly iterations: { readonly short: number; readonly full: number };
  /**
   * Returns the reason why this machine can't run the fault, or undefined if it can. If there is a reason, the fault is
   * skipped and the reason is printed.
   */
  readonly missing?: () => string | undefined;
  /** Options for a fault that needs its own system, such as other settings or another folder. */
  readonly system?: SystemOptions;
  /**
   * Returns whether a complaint describes a known effect that docs/explanation/reliability.md documents. Such
   * complaints are ignored.
   */
  readonly isKnown?: (words: string) => boolean;
  /**
   * The time limit in milliseconds from the end of `run` until each API process has accepted a sale and these sales are
   * decided.
   */
  readonly healsWithinMs: number;
  /**
   * Causes the fault and removes its cause. Recovery begins when the promise resolves. All random choices are made with
   * `dice`. The load continues meanwhile, and the system restarts any of its processes that end.
   */
  readonly run: (system: System, dice: Dice, load: Load) => Promise<void>;
  /** Returns a sentence for each additional expectation of the fault that an iteration did not meet. */
  readonly complaints?: (seen: Seen) => readonly string[];
};

export const FAULTS: readonly Fault[] = [
  ...ofService,
  ...ofPostgres,
  ...ofDisks,
  ...ofNetworks,
  ...ofClocks,
  ...ofReceivers,
  ...ofEvents,
];
