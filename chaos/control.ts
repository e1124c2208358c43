import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SystemOptions } from './system.ts';

/**
 * A service that does one thing naively, which the harness must notice: what finds nothing wrong with it would find
 * nothing wrong with anything. Each is a file of `controls/`, called by its name, that exports it as `control`.
 */
export type Control = {
  readonly name: string;
  /** What is naive, for the table of docs/reliability.md. */
  readonly what: string;
  /** By what it shows: a fault of `faults/`; `calm` is none. */
  readonly fault: string;
  /** Trials within which it must be caught. */
  readonly within: number;
  /** What is written otherwise. Where a piece is not there any more, the process refuses to start. */
  readonly edits: readonly Edit[];
  /** What is done to the database once it is at its version. */
  readonly sql?: string;
  readonly system?: SystemOptions;
};

/** Every occurrence of a piece of a file of ours, by its path from the root. */
export type Edit = { readonly file: string; readonly instead: string; readonly put: string };

export const EDITS = 'CHAOS_EDITS';

/** A system that runs the service with those edits. */
export function systemOf({ edits, system }: Control): SystemOptions {
  const editing = pathToFileURL(join(import.meta.dirname, 'edit-source.ts')).href;
  return {
    ...system,
    flags: [...(system?.flags ?? []), '--import', editing],
    settings: { ...system?.settings, [EDITS]: JSON.stringify(edits) },
  };
}
