import { byAge, byRecency, type Claim } from './attribution.ts';
import type { ProgramGroupId, ProgramId } from './ids.ts';
import type { GroupRule } from './program.ts';

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
