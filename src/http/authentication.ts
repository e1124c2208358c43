import { type KeyKind, keyHash, keyKind, type Scope, type Tier } from '#domain/api-key.ts';
import type { ApiKeyId, OrganizationId } from '#domain/ids.ts';
import { opportunityNumbers, type OpportunityNumbers } from '#domain/opportunity-number.ts';

/** Who calls: everything about the key and its organization that a request needs. */
export type Auth = {
  readonly organizationId: OrganizationId;
  readonly keyId: ApiKeyId;
  /** As what the key does is signed. */
  readonly author: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  readonly tier: Tier;
  /** Empty: any origin. */
  readonly origins: readonly string[];
  readonly opportunityNumbers: OpportunityNumbers;
};

export type StoredKey = Omit<Auth, 'author' | 'opportunityNumbers'> & {
  readonly hash: Buffer;
  readonly opportunityKey: Buffer;
};

export type Authentication = {
  /** Answers at once what it knows, so that a busy key costs no turn of the event loop. Rejects as the store does. */
  readonly recognize: (rawKey: string) => Auth | undefined | Promise<Auth | undefined>;
};

/** A revocation, another tier or another scope holds everywhere after this time and one query. */
const FRESH_MS = 500;
const MAX_CACHED = 10_000;
const MAX_PER_QUERY = 1_000;

/**
 * Recognizes keys by their SHA-256, through a small cache. Keys that it does not know (also those that do not exist) are
 * looked up together, by one query at a time; while nobody calls there is none.
 *
 * `load` finds the valid keys among hashes; `now` is a monotonic clock in milliseconds.
 */
export function authentication(
  load: (hashes: readonly Buffer[]) => Promise<readonly StoredKey[]>,
  now: () => number = () => performance.now(),
): Authentication {
  const cache = new Map<string, { readonly auth: Auth | undefined; readonly freshUntil: number }>();
  const pending = new Map<string, Pending>();
  const numbers = new Map<OrganizationId, OpportunityNumbers>();
  let queue: string[] = [];
  let loading = false;

  return { recognize };

  function recognize(rawKey: string): Auth | undefined | Promise<Auth | undefined> {
    if (keyKind(rawKey) === undefined) return undefined;
    const digest = keyHash(rawKey);
    const hash = digest.toString('base64');
    const cached = cache.get(hash);
    if (cached !== undefined && now() < cached.freshUntil) return cached.auth;
    return pending.get(hash)?.promise ?? lookUp(hash, digest);
  }

  function lookUp(hash: string, digest: Buffer): Promise<Auth | undefined> {
    const waiter: Pending = { ...Promise.withResolvers<Auth | undefined>(), digest };
    pending.set(hash, waiter);
    queue.push(hash);
    if (!loading) void loadQueue();
    return waiter.promise;
  }

  /** Never rejects: whoever waits is told instead. */
  async function loadQueue(): Promise<void> {
    loading = true;
    while (queue.length > 0) {
      const hashes = queue.slice(0, MAX_PER_QUERY);
      queue = queue.slice(MAX_PER_QUERY);
      await loadBatch(hashes);
    }
    loading = false;
  }

  async function loadBatch(hashes: readonly string[]): Promise<void> {
    const freshUntil = now() + FRESH_MS;
    try {
      const found = await load(hashes.map((hash) => (pending.get(hash) as Pending).digest));
      const auths = new Map(found.map((key) => [key.hash.toString('base64'), authOf(key)]));
      for (const hash of hashes) {
        remember(hash, auths.get(hash), freshUntil);
        settle(hash)?.resolve(auths.get(hash));
      }
    } catch (error) {
      for (const hash of hashes) settle(hash)?.reject(error);
    }
  }

  function settle(hash: string): Pending | undefined {
    const waiter = pending.get(hash);
    pending.delete(hash);
    return waiter;
  }

  /** The oldest look-up goes first: a flood of unknown keys costs the others one more look-up, not memory. */
  function remember(hash: string, auth: Auth | undefined, freshUntil: number): void {
    cache.delete(hash);
    cache.set(hash, { auth, freshUntil });
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED) break;
      cache.delete(oldest);
    }
  }

  function authOf({ organizationId, keyId, kind, scopes, tier, origins, opportunityKey }: StoredKey): Auth {
    const opportunityNumbers = numbersOf(organizationId, opportunityKey);
    return { organizationId, keyId, author: `key ${keyId}`, kind, scopes, tier, origins, opportunityNumbers };
  }

  /** Made once for each organization: the key never changes. */
  function numbersOf(organizationId: OrganizationId, key: Buffer): OpportunityNumbers {
    const known = numbers.get(organizationId);
    if (known !== undefined) return known;
    const made = opportunityNumbers(key);
    if (numbers.size >= MAX_CACHED) numbers.clear();
    numbers.set(organizationId, made);
    return made;
  }
}

type Pending = PromiseWithResolvers<Auth | undefined> & { readonly digest: Buffer };
