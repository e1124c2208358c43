import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SystemOptions } from './system.ts';

/**
 * A service with one naive change that the harness must detect. A harness that misses it could miss any fault. Each
 * control is a file of `controls/` with its name, and exports it as `control`.
 */
export type Control = {
  readonly name: string;
  /** The naive change, for the table in docs/explanation/reliability.md. */
  readonly what: string;
  /** The fault of `faults/` that reveals it; `calm` is no fault. */
  readonly fault: string;
  /** The number of iterations within which it must be caught. */
  readonly within: number;
  /** The changes of the source. If a piece of text no longer exists, the process refuses to start. */
  readonly edits: readonly Edit[];
  /** SQL that is run on the database after its migrations. */
  readonly sql?: string;
  readonly system?: SystemOptions;
};

/** Replaces every occurrence of a text in one of our files. The path starts at the repository's root. */
export type Edit = { readonly file: string; readonly instead: string; readonly put: string };

export const EDITS = 'CHAOS_EDITS';

/** Returns the options of a system that runs the service with these edits. */
export function systemOf({ edits, system }: Control): SystemOptions {
  const editing = pathToFileURL(join(import.meta.dirname, 'edit-source.ts')).href;
  return {
    ...system,
    flags: [...(system?.flags ?? []), '--import', editing],
    settings: { ...system?.settings, [EDITS]: JSON.stringify(edits) },
  };
}
