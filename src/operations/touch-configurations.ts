import type { CollaboratorReference } from '#domain/collaborator.ts';
import type { ConfigVersion, OrganizationId } from '#domain/ids.ts';
import type { ProgramVersion, Trigger } from '#domain/program.ts';
import { type Touch, touchesOf, type UnengagedReason } from '#domain/visit.ts';
import { countedVisits } from '#domain/hold.ts';
import type { Database } from '#store/database.ts';
import { findActivePrograms } from '#store/program-versions.ts';
import { findReferrers, type FoundReferrer } from '#store/referrers.ts';

/** Who is to touch, and by what. */
export type TouchRequest = { readonly trigger: Trigger; readonly collaborator: CollaboratorReference };

/** A collaborator who may earn, with what a visit or signal for it touches. */
export type ReferrerWithTouches = FoundReferrer & {
  readonly touches: readonly Touch[];
  readonly reason: UnengagedReason | null;
};
export type Refusal = 'unknown-collaborator' | 'inactive-collaborator';

/** One answer a request, in their order, all under one version of the configuration. */
export type Resolved = {
  readonly version: ConfigVersion;
  readonly referrers: readonly (ReferrerWithTouches | Refusal)[];
  /** Null: nothing is counted. */
  readonly counting: Counting | null;
};

/** How visits are counted, since an active program holds what comes by a flood of them. */
export type Counting = {
  readonly ofCollaborator: boolean;
  /** What hashes addresses; null where none is kept. */
  readonly addressKey: Uint8Array | null;
};

/** What is known of organizations' configurations. */
export type TouchConfigurations = {
  readonly resolve: (organizationId: OrganizationId, requests: readonly TouchRequest[]) => Promise<Resolved>;
  /** Whether this is the version still: asked for what writes nothing that would notice. */
  readonly isCurrent: (organizationId: OrganizationId, version: ConfigVersion) => Promise<boolean>;
  /** To be called where a version is no longer current: it is read anew. */
  readonly forget: (organizationId: OrganizationId) => void;
};

/**
 * Remembers, for each organization, the configuration at one version with the collaborators who may earn. It may be old:
 * the statement that writes refuses a version that is no longer current, and what was to be written is resolved again.
 * Who may not earn is not kept, since a refusal writes nothing that would notice: that is looked up each time.
 */
export function touchConfigurations(database: Database): TouchConfigurations {
  const configurations = new Map<OrganizationId, Configuration>();
  return {
    isCurrent: async (organizationId, version) =>
      (await findReferrers(database, organizationId, [])).configVersion === version,

    forget: (organizationId) => {
      configurations.delete(organizationId);
    },

    resolve: async (organizationId, requests) => {
      const keys = requests.map(requestKey);
      for (;;) {
        const configuration = await rememberConfiguration(database, configurations, organizationId);
        const { referrers, version } = configuration;
        const missing = new Map<string, TouchRequest>();
        for (const [n, request] of requests.entries()) {
          const key = keys[n] as string;
          if (!referrers.has(key)) missing.set(key, request);
        }
        if (missing.size > 0 && referrers.size + missing.size > MAX_CACHED_REFERRERS) {
          configurations.delete(organizationId);
          if (referrers.size > 0) continue;
        }
        const refused = await lookUp(database, organizationId, configuration, missing);
        if (refused === undefined) {
          configurations.delete(organizationId);
          continue;
        }
        return {
          version,
          counting: configuration.counting,
          referrers: keys.map((key) => referrers.get(key) ?? refused.get(key) ?? 'unknown-collaborator'),
        };
      }
    },
  };
}

type Configuration = {
  readonly version: ConfigVersion;
  readonly programs: readonly ProgramVersion[];
  readonly counting: Counting | null;
  /** By `requestKey`. */
  readonly referrers: Map<string, ReferrerWithTouches>;
};

/** Bounds on memory; what is beyond is read again. */
const MAX_CACHED_REFERRERS = 20_000;
const MAX_CACHED_ORGANIZATIONS = 1_000;

async function rememberConfiguration(
  database: Database,
  configurations: Map<OrganizationId, Configuration>,
  organizationId: OrganizationId,
): Promise<Configuration> {
  const known = configurations.get(organizationId);
  if (known !== undefined) return known;
  const { configVersion, programs, addressKey } = await findActivePrograms(database, organizationId);
  const { fromAddress, ofCollaborator } = countedVisits(programs);
  const counting =
    fromAddress || ofCollaborator ? { ofCollaborator, addressKey: fromAddress ? addressKey : null } : null;
  const configuration: Configuration = { version: configVersion, programs, counting, referrers: new Map() };
  if (configurations.size >= MAX_CACHED_ORGANIZATIONS) configurations.clear();
  configurations.set(organizationId, configuration);
  return configuration;
}

/** Adds those who may earn to the configuration and answers why the others may not; undefined where it has moved on. */
async function lookUp(
  database: Database,
  organizationId: OrganizationId,
  { version, programs, referrers }: Configuration,
  missing: ReadonlyMap<string, TouchRequest>,
): Promise<Map<string, Refusal> | undefined> {
  const refused = new Map<string, Refusal>();
  if (missing.size === 0) return refused;
  const references = [...missing.values()].map(({ collaborator }) => collaborator);
  const found = await findReferrers(database, organizationId, references);
  if (found.configVersion !== version) return undefined;
  for (const [index, [key, { trigger }]] of [...missing].entries()) {
    const referrer = found.referrers[index];
    if (referrer?.status === 'active') referrers.set(key, { ...referrer, ...touchesOf(referrer, programs, trigger) });
    else refused.set(key, referrer === undefined ? 'unknown-collaborator' : 'inactive-collaborator');
  }
  return refused;
}

/** A trigger has no colon, an id no letters: no two requests have the same key. */
function requestKey({ trigger, collaborator }: TouchRequest): string {
  return collaborator.kind === 'id'
    ? `${trigger}:${collaborator.id}`
    : `${trigger}:${collaborator.type}:${collaborator.codeKey}`;
}
