import { keyHash, keyKind } from '../domain/api-key.ts';
import type { FoundKey } from '../store/api-keys.ts';
import type { FoundSession } from '../store/sessions.ts';
import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import { opportunityNumbers, type OpportunityNumbers } from '#core/opportunity-number.ts';
import { scopesOf } from '../domain/person.ts';
import { isToken, tokenHash } from '../domain/session.ts';
import type { SessionHolder } from '#core/caller.ts';
import type { Auth, Authentication } from '#core/auth.ts';

export type Recognition = Authentication & {
  /**
   * Discards all cached lookups. Later calls of `recognize` don't get the result of a query that is in progress. Call
   * it after this process has changed API keys, people or sessions.
   */
  readonly forget: () => void;
};

/**
 * Returns functions that recognize API keys and discard cached lookups. `load` returns the valid keys with the given
 * hashes. `now` is a monotonic clock in milliseconds.
 */
export function authentication(load: Load<FoundKey>, now?: () => number): Recognition {
  return recognition({
    isPossible: (rawKey) => keyKind(rawKey) !== undefined,
    hashOf: keyHash,
    load,
    authOf: ofKey,
    now,
  });
}

/**
 * Returns functions that recognize sessions by their cookie tokens and discard cached lookups. `load` returns the valid
 * sessions with the given hashes. `now` is a monotonic clock in milliseconds.
 */
export function sessionAuthentication(load: Load<FoundSession>, now?: () => number): Recognition {
  return recognition({ isPossible: isToken, hashOf: tokenHash, load, authOf: ofSession, now });
}

function ofKey({ organizationId, keyId, kind, scopes, tier, origins }: FoundKey): Known {
  return { organizationId, caller: String(keyId), author: `key ${keyId}`, keyId, kind, scopes, tier, origins };
}

function ofSession({
  organizationId,
  sessionId,
  tier,
  personId,
  collaboratorId,
  role,
  ...stored
}: FoundSession): Known {
  const holder: SessionHolder =
    personId === null
      ? { kind: 'collaborator', collaboratorId: collaboratorId as CollaboratorId }
      : { kind: 'person', personId };
  const name = `${holder.kind} ${personId ?? collaboratorId}`;
  const scopes = role === null ? [] : scopesOf(role);
  const { isFresh, isPreview } = stored;
  const session = { ...holder, id: sessionId, isFresh, isPreview };
  return { organizationId, caller: name, author: name, kind: holder.kind, scopes, tier, origins: [], session };
}

type Load<Stored> = (hashes: readonly Buffer[]) => Promise<readonly Stored[]>;
type Known = Omit<Auth, 'opportunityNumbers'>;
type RecognitionOptions<Stored> = {
  /** Returns whether a secret has the format of an API key or, for sessions, of a session token. */
  readonly isPossible: (secret: string) => boolean;
  readonly hashOf: (secret: string) => Buffer;
  readonly load: Load<Stored>;
  readonly authOf: (stored: Stored) => Known;
  readonly now: (() => number) | undefined;
};

/**
 * How long a lookup is cached, in milliseconds. A change of keys, sessions, people or tiers by another process takes
 * effect after at most this time plus the time of a lookup.
 */
const FRESH_MS = 500;
const MAX_CACHED = 10_000;
const MAX_PER_QUERY = 1_000;

/**
 * Returns functions that recognize secrets by their SHA-256 and discard cached results. Results are cached for unknown
 * secrets too. Uncached secrets are looked up in batches, one query at a time. An idle service makes no queries.
 */
function recognition<Stored extends Pick<FoundKey, 'hash' | 'organizationId' | 'opportunityKey'>>({
  isPossible,
  hashOf,
  load,
  authOf,
  now = () => performance.now(),
}: RecognitionOptions<Stored>): Recognition {
  const cache = new Map<string, { readonly auth: Auth | undefined; readonly freshUntil: number }>();
  const pending = new Map<string, PendingLookup>();
  const numbers = new Map<OrganizationId, OpportunityNumbers>();
  let queue: PendingLookup[] = [];
  let loading = false;
  let changes = 0;

  return {
    recognize,
    forget: () => {
      changes += 1;
      cache.clear();
      // The query in progress may be older than the change, so a later call needs a new lookup.
      pending.clear();
    },
  };

  function recognize(secret: string): Auth | undefined | Promise<Auth | undefined> {
    if (!isPossible(secret)) return undefined;
    const digest = hashOf(secret);
    const hash = digest.toString('base64');
    const cached = cache.get(hash);
    if (cached !== undefined && now() < cached.freshUntil) return cached.auth;
    return pending.get(hash)?.promise ?? lookUp(hash, digest);
  }

  function lookUp(hash: string, digest: Buffer): Promise<Auth | undefined> {
    const lookup: PendingLookup = { ...Promise.withResolvers<Auth | undefined>(), hash, digest };
    pending.set(hash, lookup);
    queue.push(lookup);
    if (!loading) void loadQueue();
    return lookup.promise;
  }

  /** Runs all queued lookups. Never rejects, because errors are passed to the waiting calls. */
  async function loadQueue(): Promise<void> {
    loading = true;
    while (queue.length > 0) {
      const lookups = queue.slice(0, MAX_PER_QUERY);
      queue = queue.slice(MAX_PER_QUERY);
      await loadBatch(lookups);
    }
    loading = false;
  }

  async function loadBatch(lookups: readonly PendingLookup[]): Promise<void> {
    const freshUntil = now() + FRESH_MS;
    const before = changes;
    try {
      const found = await load(lookups.map(({ digest }) => digest));
      const auths = new Map(found.map((each) => [each.hash.toString('base64'), withNumbers(each)]));
      for (const lookup of lookups) {
        const auth = auths.get(lookup.hash);
        // If `forget` was called during the query, its result may be older than the change that caused the call. The
        // waiting requests were sent before the change had its response, so they may still get this result.
        if (before === changes) remember(lookup.hash, auth, freshUntil);
        settle(lookup).resolve(auth);
      }
    } catch (error) {
      // Reject the queued lookups together with the failed lookups. If the database doesn't respond, queued lookups
      // would only wait for another timeout.
      for (const lookup of [...lookups, ...queue.splice(0)]) settle(lookup).reject(error);
    }
  }

  function settle(lookup: PendingLookup): PendingLookup {
    if (pending.get(lookup.hash) === lookup) pending.delete(lookup.hash);
    return lookup;
  }

  /**
   * Caches the result of a lookup, and discards the oldest results beyond MAX_CACHED. A flood of unknown keys can force
   * valid keys to be looked up again, but memory use stays limited.
   */
  function remember(hash: string, auth: Auth | undefined, freshUntil: number): void {
    cache.delete(hash);
    cache.set(hash, { auth, freshUntil });
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED) break;
      cache.delete(oldest);
    }
  }

  function withNumbers(stored: Stored): Auth {
    return { ...authOf(stored), opportunityNumbers: numbersOf(stored.organizationId, stored.opportunityKey) };
  }

  /**
   * Returns the functions that convert an organization's opportunity ids to public numbers and back. They are cached,
   * because the organization's key never changes.
   */
  function numbersOf(organizationId: OrganizationId, key: Buffer): OpportunityNumbers {
    const known = numbers.get(organizationId);
    if (known !== undefined) return known;
    const made = opportunityNumbers(key);
    if (numbers.size >= MAX_CACHED) numbers.clear();
    numbers.set(organizationId, made);
    return made;
  }
}

type PendingLookup = PromiseWithResolvers<Auth | undefined> & { readonly hash: string; readonly digest: Buffer };
