import type { ProgramGroupId, ProgramId } from '#core/ids.ts';
import type { GroupRule, ProgramStatus } from './program.ts';

export const GROUP_STATUSES = ['active', 'deleted'] as const;
export type GroupStatus = (typeof GROUP_STATUSES)[number];

/** The fields of a group that an edit can change. */
export type GroupFields = {
  readonly name: string;
  readonly rule: GroupRule;
  readonly status: GroupStatus;
  /** The group's programs, in ascending order of id. */
  readonly programIds: readonly ProgramId[];
};

/** The current state of a program to add to a group. */
export type Member = { readonly fields: { readonly status: ProgramStatus; readonly groupId: ProgramGroupId | null } };

export type MemberFault = {
  readonly pointer: string;
  readonly code: 'unknown-program' | 'in-another-group';
  readonly detail: string;
};

/**
 * Returns the reasons why programs can't be in a group. `groupId` is null for a new group. Each program must exist,
 * must not be deleted, and must be in no other group.
 */
export function memberFaults(
  groupId: ProgramGroupId | null,
  programIds: readonly ProgramId[],
  programs: ReadonlyMap<ProgramId, Member>,
): MemberFault[] {
  return programIds.flatMap((id, index): MemberFault[] => {
    const program = programs.get(id)?.fields;
    const pointer = `/programIds/${index}`;
    if (program === undefined || program.status === 'deleted') {
      return [{ pointer, code: 'unknown-program', detail: 'No program has this id. Remove it from the list.' }];
    }
    return program.groupId === null || program.groupId === groupId
      ? []
      : [
          {
            pointer,
            code: 'in-another-group',
            detail: 'This program is in another group. Remove it from that group first.',
          },
        ];
  });
}

/** Returns the change with its program ids sorted and without duplicates. */
export function sortMembers<Change extends { readonly programIds?: readonly ProgramId[] | undefined }>(
  change: Change,
): Change {
  if (change.programIds === undefined) return change;
  return { ...change, programIds: [...new Set(change.programIds)].sort((a, b) => a - b) };
}
