import type { CollaboratorId, ConfigVersion, ProgramGroupId, ProgramId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Period } from '#core/period.ts';
import type { ProgramTerms, ProgramVersion, Reward, Tiers } from '../domain/program.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * The terms that the database stores in a different form than the domain. Amounts are numbers instead of bigints, and
 * an empty list of rewards is null.
 */
export type StoredTerms = {
  readonly reward: StoredReward;
  readonly tiers: StoredTiers | null;
  readonly capPerOrder: number | null;
  readonly capPerPeriod: { readonly period: Period; readonly amount: number } | null;
  readonly minimumOrder: number | null;
  readonly collaboratorRewards: readonly StoredCollaboratorReward[] | null;
  readonly renewalRewards: readonly StoredRenewalReward[] | null;
};

export type StoredReward =
  | { readonly type: 'percent'; readonly ratePpm: number }
  | { readonly type: 'per-sale' | 'per-product' | 'per-lead'; readonly amount: number };
type StoredTiers = Omit<Tiers, 'steps'> & {
  readonly steps: readonly { readonly from: number; readonly reward: StoredReward }[];
};
type StoredRenewalReward = { readonly afterMonths: number; readonly reward: StoredReward };
type StoredCollaboratorReward = { readonly collaboratorId: CollaboratorId; readonly reward: StoredReward };

/** Returns the terms in the form in which the database stores them. Other fields of the program are left out. */
export function storeTerms(terms: Pick<ProgramTerms, keyof StoredTerms>): StoredTerms {
  const { reward, tiers, capPerOrder, capPerPeriod, minimumOrder, collaboratorRewards, renewalRewards } = terms;
  return {
    reward: storeReward(reward),
    tiers: tiers && {
      ...tiers,
      steps: tiers.steps.map((step) => ({ from: Number(step.from), reward: storeReward(step.reward) })),
    },
    capPerOrder: capPerOrder === null ? null : Number(capPerOrder),
    capPerPeriod: capPerPeriod && { ...capPerPeriod, amount: Number(capPerPeriod.amount) },
    minimumOrder: minimumOrder === null ? null : Number(minimumOrder),
    collaboratorRewards: storeRewards(collaboratorRewards),
    renewalRewards: storeRewards(renewalRewards),
  };
}

/** Converts the stored terms of a row to the form of the domain. */
export function readTerms<Row extends StoredTerms>(
  row: Row,
): Omit<Row, keyof StoredTerms> & Pick<ProgramTerms, keyof StoredTerms> {
  const { reward, tiers, capPerOrder, capPerPeriod, minimumOrder, collaboratorRewards, renewalRewards, ...rest } = row;
  return {
    ...rest,
    reward: readReward(reward),
    tiers: tiers && {
      ...tiers,
      steps: tiers.steps.map((step) => ({ from: BigInt(step.from), reward: readReward(step.reward) })),
    },
    capPerOrder: readAmount(capPerOrder),
    capPerPeriod: capPerPeriod && { ...capPerPeriod, amount: BigInt(capPerPeriod.amount) as Minor },
    minimumOrder: readAmount(minimumOrder),
    collaboratorRewards: readRewards(collaboratorRewards),
    renewalRewards: readRewards(renewalRewards),
  };
}

/** Returns a list of rewards in the form in which the database stores it. An empty list becomes null. */
function storeRewards<Of extends { readonly reward: Reward }>(
  rewards: readonly Of[],
): (Omit<Of, 'reward'> & { readonly reward: StoredReward })[] | null {
  return rewards.length === 0 ? null : rewards.map((each) => ({ ...each, reward: storeReward(each.reward) }));
}

function readRewards<Of extends { readonly reward: StoredReward }>(
  stored: readonly Of[] | null,
): (Omit<Of, 'reward'> & { readonly reward: Reward })[] {
  return (stored ?? []).map((each) => ({ ...each, reward: readReward(each.reward) }));
}

export function storeReward(reward: Reward): StoredReward {
  return reward.type === 'percent' ? reward : { type: reward.type, amount: Number(reward.amount) };
}

export function readReward(reward: StoredReward): Reward {
  switch (reward.type) {
    case 'percent':
      return reward;
    case 'per-sale':
    case 'per-product':
    case 'per-lead':
      return { type: reward.type, amount: BigInt(reward.amount) as Minor };
    default:
      throw new Error(
        `Unknown reward: ${JSON.stringify(reward satisfies never)}. Restore the stored reward of the program.`,
      );
  }
}

function readAmount(amount: number | null): Minor | null {
  return amount === null ? null : (BigInt(amount) as Minor);
}

/**
 * Returns the programs whose newest version is active, the configuration version that was read with them, and the
 * organization's key for hashes of addresses.
 */
export async function findActivePrograms({
  connection,
  organizationId,
}: Tenant): Promise<{ configVersion: ConfigVersion; programs: ProgramVersion[]; addressKey: Uint8Array }> {
  const { rows } = await connection.query<{ config_version: ConfigVersion; key: Buffer; program: Row | null }>(
    `select g.config_version, g.opportunity_key as key, to_jsonb(v) as program
     from organizations g
     left join (programs p join program_versions v
         on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version)
       on p.organization_id = g.id and v.status = 'active'
     where g.id = $1
     order by p.id`,
    [organizationId],
  );
  const [first] = rows;
  if (first === undefined)
    throw new Error(`Organization ${organizationId} does not exist. Pass the id of an organization.`);
  return {
    configVersion: first.config_version,
    programs: rows.flatMap(({ program }) => (program === null ? [] : [readVersion(program)])),
    addressKey: first.key,
  };
}

/**
 * Returns the program versions with the given program ids and version numbers. Unknown versions are missing. A version
 * never changes, so callers can cache it.
 */
export async function findProgramVersions(
  { connection, organizationId }: Tenant,
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
  group_id: ProgramGroupId | null;
  tiers: StoredTerms['tiers'];
  cap_per_order: number | null;
  cap_per_period: StoredTerms['capPerPeriod'];
  line_filter: ProgramTerms['lineFilter'];
  minimum_order: number | null;
  collaborator_rewards: StoredTerms['collaboratorRewards'];
  renewal_limit: ProgramTerms['renewalLimit'];
  renewal_rewards: StoredTerms['renewalRewards'];
  holds: ProgramTerms['holds'];
};

function readVersion(row: Row): ProgramVersion {
  return readTerms({
    programId: row.program_id,
    version: row.version,
    configVersion: row.config_version,
    name: row.name,
    status: row.status,
    currency: row.currency,
    windowDays: row.window_days,
    attribution: row.attribution,
    reward: row.reward,
    countedLines: row.counted_lines,
    triggers: row.triggers,
    pays: row.pays,
    autoApprove: row.auto_approve,
    approveAfterDays: row.approve_after_days,
    enrollment: row.enrollment,
    creditsPer: row.credits_per,
    groupId: row.group_id,
    tiers: row.tiers,
    capPerOrder: row.cap_per_order,
    capPerPeriod: row.cap_per_period,
    lineFilter: row.line_filter,
    minimumOrder: row.minimum_order,
    collaboratorRewards: row.collaborator_rewards,
    renewalLimit: row.renewal_limit,
    renewalRewards: row.renewal_rewards,
    holds: row.holds,
  });
}
