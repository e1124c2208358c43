import type { ConfigVersion, OrganizationId, ProgramId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { ProgramTerms, ProgramVersion, Reward } from '#domain/program.ts';
import type { Queryable } from './database.ts';

/** A reward as program_versions.reward keeps it: amounts as JSON integers. */
export type StoredReward = { type: 'percent'; ratePpm: number } | { type: 'per-sale' | 'per-product'; amount: number };

export function storeReward(reward: Reward): StoredReward {
  return reward.type === 'percent' ? reward : { type: reward.type, amount: Number(reward.amount) };
}

export function readReward(reward: StoredReward): Reward {
  switch (reward.type) {
    case 'percent':
      return { type: 'percent', ratePpm: reward.ratePpm };
    case 'per-sale':
    case 'per-product':
      return { type: reward.type, amount: BigInt(reward.amount) as Minor };
    default:
      throw new Error(`no such reward: ${JSON.stringify(reward satisfies never)}`);
  }
}

/** The programs whose newest version is active, with the configuration version under which that was read. */
export async function findActivePrograms(
  connection: Queryable,
  organizationId: OrganizationId,
): Promise<{ configVersion: ConfigVersion; programs: ProgramVersion[] }> {
  const { rows } = await connection.query<{ config_version: ConfigVersion; program: Row | null }>(
    `select g.config_version, to_jsonb(v) as program
     from organizations g
     left join (programs p join program_versions v
         on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version)
       on p.organization_id = g.id and v.status = 'active'
     where g.id = $1
     order by p.id`,
    [organizationId],
  );
  const configVersion = rows[0]?.config_version;
  if (configVersion === undefined) throw new Error(`organization ${organizationId} is gone`);
  return { configVersion, programs: rows.flatMap(({ program }) => (program === null ? [] : [readVersion(program)])) };
}

/** Versions by program and number; a version never changes, so whoever has read one may keep it. */
export async function findProgramVersions(
  connection: Queryable,
  organizationId: OrganizationId,
  wanted: readonly { readonly programId: ProgramId; readonly version: number }[],
): Promise<ProgramVersion[]> {
  const { rows } = await connection.query<{ program: Row }>(
    `select to_jsonb(v) as program
     from unnest($2::bigint[], $3::int[]) as w (program_id, version)
     join program_versions v on v.organization_id = $1 and v.program_id = w.program_id and v.version = w.version`,
    [organizationId, wanted.map(({ programId }) => programId), wanted.map(({ version }) => version)],
  );
  return rows.map(({ program }) => readVersion(program));
}

type Row = {
  program_id: ProgramId;
  version: number;
  config_version: ConfigVersion;
  name: string;
  status: ProgramTerms['status'];
  currency: string;
  window_days: number;
  attribution: ProgramTerms['attribution'];
  reward: StoredReward;
  counted_lines: ProgramTerms['countedLines'];
  triggers: ProgramTerms['triggers'];
  pays: ProgramTerms['pays'];
  auto_approve: boolean;
  approve_after_days: number | null;
  enrollment: ProgramTerms['enrollment'];
  credits_per: ProgramTerms['creditsPer'];
};

function readVersion(row: Row): ProgramVersion {
  return {
    programId: row.program_id,
    version: row.version,
    configVersion: row.config_version,
    name: row.name,
    status: row.status,
    currency: row.currency,
    windowDays: row.window_days,
    attribution: row.attribution,
    reward: readReward(row.reward),
    countedLines: row.counted_lines,
    triggers: row.triggers,
    pays: row.pays,
    autoApprove: row.auto_approve,
    approveAfterDays: row.approve_after_days,
    enrollment: row.enrollment,
    creditsPer: row.credits_per,
  };
}
