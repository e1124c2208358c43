import type { Load } from './load.ts';
import type { System, SystemOptions } from './system.ts';
import type { Seen } from './trial.ts';
import type { Dice } from '#test/support/random.ts';

/**
 * One way in which a machine lets the service down. Each is a file of `faults/`, called by its name, that exports it as
 * `fault`; `npm run chaos` finds it there. What it does not say holds for all: amid a load of reports it is run so many
 * times, and after each nothing acknowledged is lost, nothing is there twice, everything is decided, and it heals alone.
 */
export type Fault = {
  /** As its file. */
  readonly name: string;
  /** What goes wrong, for the table of docs/reliability.md. */
  readonly what: string;
  /** 0 in the short run: it takes too long for that. */
  readonly trials: { readonly short: number; readonly full: number };
  /** What this machine lacks for it, in words: then it is left out, and that is printed. */
  readonly missing?: () => string | undefined;
  /** Where it needs a system of its own: other settings, another folder. */
  readonly system?: SystemOptions;
  /** What is known to come of it, and told in docs/reliability.md: words of complaints that are none. */
  readonly isKnown?: (words: string) => boolean;
  /** From the end of `run` until each process takes sales and they are decided. */
  readonly healsWithinMs: number;
  /**
   * Breaks something, and takes the cause away: when it resolves, healing begins. Every choice is the dice's. The load
   * goes on meanwhile; what ends of the system's processes is started again by the system.
   */
  readonly run: (system: System, dice: Dice, load: Load) => Promise<void>;
  /** What must hold of such a trial beyond what holds of all: a sentence for each thing that does not. */
  readonly complaints?: (seen: Seen) => readonly string[];
};
