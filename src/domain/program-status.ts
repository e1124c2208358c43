import type { ProgramStatus } from './program.ts';

/** The statuses that a program may start with. */
export const FIRST_PROGRAM_STATUSES = ['draft', 'active', 'inactive'] as const;

/** Staying where one is is always allowed, and is no change. */
const NEXT: Readonly<Record<ProgramStatus, readonly ProgramStatus[]>> = {
  draft: ['active', 'deleted'],
  active: ['inactive', 'deleted'],
  inactive: ['active', 'deleted'],
  deleted: [],
};

export function mayProgramBecome(from: ProgramStatus, to: ProgramStatus): boolean {
  return from === to || NEXT[from].includes(to);
}
