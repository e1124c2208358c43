import { countedSpans } from '#attribution/domain/sale-decision.ts';
import { type AwardCounter, readCounters } from '#attribution/store/award-counters.ts';
import type { CollaboratorId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { Span } from '#core/period.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { type Earned, withinAmounts } from '#programs/domain/reward.ts';
import { goalsOf, type ProgramGoal } from '../../domain/program-goal.ts';
import type { OwnProgram } from './portal-programs.ts';

const NOTHING: Earned = { sum: 0n as Minor, count: 0 };

/**
 * Returns the goals of a collaborator in each of the given programs, in the same order, for sales at the time `now`.
 */
export async function readProgramGoals(
  tenant: Tenant,
  collaboratorId: CollaboratorId,
  programs: readonly OwnProgram[],
  now: Instant,
): Promise<ProgramGoal[][]> {
  const counters: AwardCounter[] = [];
  const count = ({ id, fields: { currency } }: OwnProgram, span: Span | null): number | null =>
    span === null ? null : counters.push({ programId: id, collaboratorId, currency, span }) - 1;
  const counted = programs.map((program) => {
    const { tier, cap } = countedSpans(program.fields, now);
    return { program, tier: count(program, tier), cap: count(program, cap) };
  });
  const values = await readCounters(tenant, counters);
  const read = (n: number | null): Earned => (n === null ? NOTHING : withinAmounts(values[n] ?? NOTHING));
  return counted.map(({ program, tier, cap }) =>
    goalsOf(program.fields, collaboratorId, { tier: read(tier), cap: read(cap) }),
  );
}
