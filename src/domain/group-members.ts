import type { ProgramGroupId, ProgramId } from './ids.ts';
import type { GroupRule, ProgramStatus } from './program.ts';

export const GROUP_STATUSES = ['active', 'deleted'] as const;
export type GroupStatus = (typeof GROUP_STATUSES)[number];

/** What an edit of a group can change. */
export type GroupFields = {
  readonly name: string;
  readonly rule: GroupRule;
  readonly status: GroupStatus;
  /** Its programs, rising. */
  readonly programIds: readonly ProgramId[];
};

/** A program that a group is to have, as it is now. */
export type Member = { readonly fields: { readonly status: ProgramStatus; readonly groupId: ProgramGroupId | null } };

export type MemberFault = {
  readonly pointer: string;
  readonly code: 'unknown-program' | 'in-another-group';
  readonly detail: string;
};

/** Why programs can't come into a group (null: a new one): each must be there, and in no other. */
export function memberFaults(
  groupId: ProgramGroupId | null,
  programIds: readonly ProgramId[],
  programs: ReadonlyMap<ProgramId, Member>,
): MemberFault[] {
  return programIds.flatMap((id, index): MemberFault[] => {
    const program = programs.get(id)?.fields;
    const pointer = `/programIds/${index}`;
    if (program === undefined || program.status === 'deleted') {
      return [{ pointer, code: 'unknown-program', detail: 'No program has this id.' }];
    }
    return program.groupId === null || program.groupId === groupId
      ? []
      : [{ pointer, code: 'in-another-group', detail: 'This program is in another group.' }];
  });
}

/** Programs as a group has them: each once, rising. */
export function arrangedMembers<Change extends { readonly programIds?: readonly ProgramId[] | undefined }>(
  change: Change,
): Change {
  if (change.programIds === undefined) return change;
  return { ...change, programIds: [...new Set(change.programIds)].sort((a, b) => a - b) };
}
