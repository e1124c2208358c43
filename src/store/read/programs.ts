import type { ProgramId } from '#domain/ids.ts';
import type { Reward } from '#domain/program.ts';
import type { Minor } from '#domain/money.ts';
import { readReward, type StoredReward } from '../program-versions.ts';
import { PROGRAM_FIELDS, type ProgramFields } from '../programs.ts';
import type { Relation } from './page.ts';

/** A percentage as callers know it: 105000 parts in a million are 10.5. */
export type ShownReward =
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'per-sale' | 'per-product'; readonly amount: Minor };

type ShownFields = Omit<ProgramFields, 'reward'> & { readonly reward: ShownReward };

export type ProgramResource = ShownFields & {
  readonly id: ProgramId;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type ProgramVersionResource = ShownFields & {
  readonly programId: ProgramId;
  readonly version: number;
  readonly createdAt: Date;
};

type Stored<Resource extends ShownFields> = Omit<Resource, 'reward'> & { readonly reward: StoredReward };

/** Programs in their newest version. */
export const programs: Relation<Stored<ProgramResource>, ProgramResource> = {
  query: `
    select p.organization_id, p.id, v.version, ${PROGRAM_FIELDS}, p.created_at as "createdAt", v.created_at as "updatedAt"
    from programs p
    join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version`,
  key: 'id',
  sorts: { id: 'bigint', name: 'text', createdAt: 'timestamptz', updatedAt: 'timestamptz' },
  hidden: 'deleted',
  read: (row) => ({ ...row, reward: showReward(readReward(row.reward)) }),
};

export const programVersions: Relation<Stored<ProgramVersionResource>, ProgramVersionResource> = {
  query: `
    select v.organization_id, v.program_id as "programId", v.version, ${PROGRAM_FIELDS}, v.created_at as "createdAt"
    from program_versions v`,
  key: 'version',
  sorts: { version: 'bigint', createdAt: 'timestamptz' },
  read: (row) => ({ ...row, reward: showReward(readReward(row.reward)) }),
};

const PPM_PER_PERCENT = 10_000;

function showReward(reward: Reward): ShownReward {
  // The quotient is the double nearest to the decimal, so it is written with the decimal's digits.
  return reward.type === 'percent' ? { type: 'percent', percent: reward.ratePpm / PPM_PER_PERCENT } : reward;
}
