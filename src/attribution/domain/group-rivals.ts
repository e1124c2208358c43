import { byAge, byRecency, type Claim } from './attribution.ts';
import type { ProgramGroupId, ProgramId } from '#core/ids.ts';
import type { GroupRule } from '#programs/domain/program.ts';

/** A claim that was not dropped. `groupRule` is the rule of its program's group, or null without a group. */
export type GroupedClaim = Claim & {
  readonly program: { readonly programId: ProgramId; readonly groupId: ProgramGroupId | null };
  readonly groupRule: GroupRule | null;
};

/**
 * Returns the programs that lose to another program of their group. In each group, only one program remains: the
 * program with the newest claim or with the oldest claim, depending on the group's rule. A visit can touch several
 * programs of a group, so ties are common. The program with the older first touch wins a tie, and after that, the
 * program created first.
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
