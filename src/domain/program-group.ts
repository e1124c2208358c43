import { byAge, byRecency, type Claim } from './attribution.ts';
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

/** A claim that is left after the drops. `groupRule` is that of its program's group; null where it has none. */
export type GroupedClaim = Claim & {
  readonly program: { readonly programId: ProgramId; readonly groupId: ProgramGroupId | null };
  readonly groupRule: GroupRule | null;
};

/**
 * The programs that don't go on: of each group all but the one with the newest, or oldest, claim. One visit may touch
 * several of them, so ties are common: they go to the program with the older first touch, then to the one made first.
 */
export function losersInGroups(claims: readonly GroupedClaim[]): ReadonlySet<ProgramId> {
  const grouped = claims.flatMap(({ groupRule, ...claim }) => (groupRule === null ? [] : [{ ...claim, groupRule }]));
  const groups = Map.groupBy(grouped, ({ program }) => program.groupId);
  const losers = [...groups.values()].flatMap((rivals) => {
    const [winner, ...others] = rivals.sort(byPrecedence).map(({ program }) => program.programId);
    return others.filter((programId) => programId !== winner);
  });
  return new Set(losers);
}

type Rival = GroupedClaim & { readonly groupRule: GroupRule };

function byPrecedence(a: Rival, b: Rival): number {
  return PRECEDENCE[a.groupRule](a, b) || byAge(a, b) || a.program.programId - b.program.programId;
}

const PRECEDENCE: Readonly<Record<GroupRule, (a: Claim, b: Claim) => number>> = { newest: byRecency, oldest: byAge };
