import type { CollaboratorReference } from '#collaborators/domain/collaborator.ts';
import type { ConfigVersion, OrganizationId, ProgramId } from '#core/ids.ts';
import type { ProgramVersion, Trigger } from '#programs/domain/program.ts';
import { type Touch, touchesOf, type UnengagedReason } from '../domain/visit.ts';
import { type VisitLists, visitListsOf } from '#programs/domain/fraud-list.ts';
import { checksOfVisits } from '#programs/domain/hold.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findVisitEntries } from '#programs/store/fraud-list.ts';
import { findActivePrograms } from '#programs/store/program-versions.ts';
import { findReferrers, type FoundReferrer } from '../store/referrers.ts';

/** A reference to a collaborator, and the trigger of a touch. */
export type TouchRequest = { readonly trigger: Trigger; readonly collaborator: CollaboratorReference };

/** A collaborator who can earn, with the programs that their visit or signal touches. */
export type ReferrerWithTouches = Omit<FoundReferrer, 'enrolledIn'> & Touched;
type Touched = { readonly touches: readonly Touch[]; readonly reason: UnengagedReason | null };
export type Refusal = 'unknown-collaborator' | 'inactive-collaborator';

/** The result for each request, in the same order, all under one configuration version. */
export type Resolved = {
  readonly version: ConfigVersion;
  readonly referrers: readonly (ReferrerWithTouches | Refusal)[];
  /** The data to record about visits for fraud signals. Null if nothing is recorded. */
  readonly checks: VisitChecks | null;
};

/** The data to record about visits, according to the fraud settings of active programs and the fraud lists. */
export type VisitChecks = {
  /** Whether all visits of a collaborator are counted together. */
  readonly ofCollaborator: boolean;
  /** The key for hashes of addresses. Null if visits are not counted by address. */
  readonly addressKey: Uint8Array | null;
  /** Patterns of the hosts that are recorded. */
  readonly adReferrers: ReadonlySet<string>;
  /** The fraud list entries that concern visits. Null if there are none. */
  readonly lists: VisitLists | null;
};

export type TouchConfigurations = {
  readonly resolve: (organizationId: OrganizationId, requests: readonly TouchRequest[]) => Promise<Resolved>;
  /**
   * Returns whether the version is still current. Needed for calls that write nothing, because only a write checks the
   * version.
   */
  readonly isCurrent: (organizationId: OrganizationId, version: ConfigVersion) => Promise<boolean>;
  /** Discards an outdated version, so that the configuration is read again. */
  readonly forget: (organizationId: OrganizationId) => void;
};

/**
 * Returns a cache of the configuration of each organization at one version, with the collaborators who can earn. The
 * cache may be outdated. The writing statement refuses an outdated version, and the touches are then resolved again.
 * Collaborators who can't earn are looked up each time, because a refusal writes nothing and so checks no version.
 */
export function touchConfigurations(database: Database): TouchConfigurations {
  const configurations = new Map<OrganizationId, Configuration>();
  return {
    isCurrent: async (organizationId, version) =>
      (await findReferrers({ connection: database, organizationId }, [])).configVersion === version,

    forget: (organizationId) => {
      configurations.delete(organizationId);
    },

    resolve: async (organizationId, requests) => {
      const keys = requests.map(requestKey);
      const tenant = { connection: database, organizationId };
      for (;;) {
        const configuration = await rememberConfiguration(tenant, configurations);
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
        const refused = await lookUp(tenant, configuration, missing);
        if (refused === undefined) {
          configurations.delete(organizationId);
          continue;
        }
        return {
          version,
          checks: configuration.checks,
          referrers: keys.map((key) => referrers.get(key) ?? refused.get(key) ?? 'unknown-collaborator'),
        };
      }
    },
  };
}

type Configuration = {
  readonly version: ConfigVersion;
  readonly programs: readonly ProgramVersion[];
  readonly checks: VisitChecks | null;
  /** The collaborators who can earn, by `requestKey`. */
  readonly referrers: Map<string, ReferrerWithTouches>;
  /**
   * The touches by `touchesKey`. Collaborators with the same key share one value, because an organization can have
   * hundreds of programs.
   */
  readonly touches: Map<string, Touched>;
};

/**
 * The maximum number of cached collaborators of an organization. Each combination of a trigger and a reference counts.
 * If the maximum would be exceeded, the organization's cached configuration is discarded.
 */
const MAX_CACHED_REFERRERS = 20_000;
/** The maximum number of cached organizations. If it would be exceeded, the whole cache is discarded. */
const MAX_CACHED_ORGANIZATIONS = 1_000;

async function rememberConfiguration(
  tenant: Tenant<Database>,
  configurations: Map<OrganizationId, Configuration>,
): Promise<Configuration> {
  const known = configurations.get(tenant.organizationId);
  if (known !== undefined) return known;
  const { configVersion, programs, addressKey } = await findActivePrograms(tenant);
  const { fromAddress, ofCollaborator, adReferrers } = checksOfVisits(programs);
  // If the lists have changed since the programs were read, the version has changed too, and no visit can be written.
  const lists = visitListsOf(await findVisitEntries(tenant));
  const isChecked = fromAddress || ofCollaborator || adReferrers.size > 0 || lists !== null;
  const checks = isChecked ? { ofCollaborator, addressKey: fromAddress ? addressKey : null, adReferrers, lists } : null;
  const configuration: Configuration = {
    version: configVersion,
    programs,
    checks,
    referrers: new Map(),
    touches: new Map(),
  };
  if (configurations.size >= MAX_CACHED_ORGANIZATIONS) configurations.clear();
  configurations.set(tenant.organizationId, configuration);
  return configuration;
}

/**
 * Adds collaborators who can earn to the cached configuration. Returns the reasons why the other collaborators can't
 * earn, or undefined if the configuration has changed.
 */
async function lookUp(
  tenant: Tenant<Database>,
  configuration: Configuration,
  missing: ReadonlyMap<string, TouchRequest>,
): Promise<Map<string, Refusal> | undefined> {
  const { version, referrers } = configuration;
  const refused = new Map<string, Refusal>();
  if (missing.size === 0) return refused;
  const references = [...missing.values()].map(({ collaborator }) => collaborator);
  const found = await findReferrers(tenant, references);
  if (found.configVersion !== version) return undefined;
  for (const [index, [key, { trigger }]] of [...missing].entries()) {
    const referrer = found.referrers[index];
    if (referrer?.status === 'active') referrers.set(key, withTouches(configuration, referrer, trigger));
    else refused.set(key, referrer === undefined ? 'unknown-collaborator' : 'inactive-collaborator');
  }
  return refused;
}

/** Adds the touches to a collaborator. Collaborators with the same touches share one list. */
function withTouches(
  { programs, touches }: Configuration,
  { enrolledIn, ...referrer }: FoundReferrer,
  trigger: Trigger,
): ReferrerWithTouches {
  const key = touchesKey(enrolledIn, programs, trigger);
  const touched = touches.get(key) ?? touchesOf({ enrolledIn }, programs, trigger);
  touches.set(key, touched);
  return { ...referrer, ...touched };
}

/**
 * Returns the cache key of touches: the trigger, and the programs for selected collaborators in which the collaborator
 * is enrolled.
 */
function touchesKey(enrolledIn: ReadonlySet<ProgramId>, programs: readonly ProgramVersion[], trigger: Trigger): string {
  const selected = programs.filter(
    ({ programId, enrollment }) => enrollment === 'selected' && enrolledIn.has(programId),
  );
  return `${trigger}:${selected.map(({ programId }) => programId).join()}`;
}

/** Returns the cache key of a request. It is unique, because no trigger, id or alias type contains a colon. */
function requestKey({ trigger, collaborator }: TouchRequest): string {
  return collaborator.kind === 'id'
    ? `${trigger}:${collaborator.id}`
    : `${trigger}:${collaborator.type}:${collaborator.codeKey}`;
}
