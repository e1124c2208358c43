import { createHmac, randomUUID } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import type { OrganizationId } from '#core/ids.ts';
import type { Auth } from '#core/auth.ts';

/** Requests a second for one secret key, and for one publishable key and address. 0 means no limit. */
export type Limits = Readonly<Record<'secret' | 'publishable', number>>;

/** The subject of a limit: a caller, or an address that calls open operations. */
export type Counted = {
  readonly kind: Auth['kind'] | 'visitor';
  readonly caller: string;
  readonly organizationId: OrganizationId;
};

/**
 * Requests a second for one person or collaborator over all of their sessions, and for one address that calls open
 * operations. Pages send a dozen requests concurrently, while logins are rare.
 */
export const SESSION_LIMITS = { person: 100, collaborator: 50, visitor: 20 } as const;

/** The number of requests that this process let through for a busy bucket: in total, and in the last second. */
export type Usage = {
  readonly organizationId: OrganizationId;
  readonly bucket: Buffer;
  readonly taken: number;
  readonly lately: number;
};
/** The usage of the same bucket in another process. */
export type OtherUsage = Usage & { readonly process: string };

/** Stores this process's usage for the other processes and returns their usage of the same buckets. */
export type Exchange = (process: string, mine: readonly Usage[]) => Promise<readonly OtherUsage[]>;

export type Verdict = { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> };

export type RateLimits = {
  /** Counts a request synchronously. Returns undefined if its key has no limit. */
  readonly take: (counted: Counted, address: string) => Verdict | undefined;
  /** Synchronizes with the other processes. Runs automatically once a second while any bucket is in use. */
  readonly level: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type RateLimitOptions = {
  readonly limits: Limits;
  /**
   * The key for the hashes of bucket names in the database. Without a key, addresses could be found by trying all of
   * them.
   */
  readonly hashKey: Uint8Array;
  readonly exchange: Exchange;
  readonly onFailure?: (error: unknown) => void;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
};

/** The time that a limit refers to. All of its requests may arrive at the same moment. */
const WINDOW_MS = 1_000;
const LEVELLING_MS = 1_000;
/**
 * The share of the limit in a second from which a bucket is busy. Less busy buckets are not shared with other
 * processes.
 */
const BUSY_SHARE = 0.1;
/** The largest number of buckets that are shared. The busiest ones have priority. */
const MAX_TOLD = 1_000;
/** The longest debt from the requests of other processes, in milliseconds. */
const MAX_DEBT_MS = 60_000;
/**
 * The largest number of buckets, which bounds memory during a flood of addresses. Beyond it, all buckets are deleted.
 * [Deleting only the oldest bucket would take 30 µs, because a Map iterates over the deleted entries at its beginning.]
 */
const MAX_BUCKETS = 100_000;
/** A tolerance for the rounding of sums of fractions of a second. For example, a limit of 3 adds three thirds. */
const ROUNDING_MS = 0.001;

/**
 * A token bucket. `fullAt` is its only state: the time when all tokens are available again. Each request delays it by
 * 1/limit of a second. A request is allowed if that is then at most one second ahead.
 */
type Bucket = {
  readonly organizationId: OrganizationId;
  readonly costMs: number;
  fullAt: number;
  taken: number;
  told: number;
  /** The requests of the other processes that have been counted here, by process. */
  readonly others: Map<string, number>;
};

/**
 * Counts requests in memory. Each process has the whole bucket, and learns once a second how many requests the others
 * let through. The bucket may then be in debt, so that over time the processes together let through the limit
 * (docs/decisions/0020).
 */
export function rateLimits({
  limits,
  hashKey,
  exchange,
  onFailure = () => {},
  now = () => performance.now(),
}: RateLimitOptions): RateLimits {
  const limitOf = { ...limits, ...SESSION_LIMITS };
  const self = randomUUID();
  const buckets = new Map<string, Bucket>();
  let listed = false;
  let timer: NodeJS.Timeout | undefined;
  let levelling = Promise.resolve();

  return { take, level, stop };

  function take({ kind, caller, organizationId }: Counted, address: string) {
    const limit = limitOf[kind];
    if (limit === 0) return undefined;
    const name = kind === 'publishable' || kind === 'visitor' ? `${caller} ${networkOf(address)}` : caller;
    const bucket = buckets.get(name) ?? open(name, organizationId, limit);
    const at = now();
    const next = Math.max(bucket.fullAt, at) + bucket.costMs;
    const allowed = next - at <= WINDOW_MS + ROUNDING_MS;
    if (allowed) {
      bucket.fullAt = next;
      bucket.taken += 1;
    }
    return verdict(kind, limit, bucket, at, allowed);
  }

  function open(name: string, organizationId: OrganizationId, limit: number): Bucket {
    if (buckets.size >= MAX_BUCKETS) buckets.clear();
    const opened = { organizationId, costMs: WINDOW_MS / limit, fullAt: 0, taken: 0, told: 0, others: new Map() };
    buckets.set(name, opened);
    timer ??= setTimeout(levelOnTime, LEVELLING_MS).unref();
    return opened;
  }

  function levelOnTime(): void {
    levelling = levelAndWait();
  }

  async function levelAndWait(): Promise<void> {
    await level();
    timer = listed || buckets.size > 0 ? setTimeout(levelOnTime, LEVELLING_MS).unref() : undefined;
  }

  async function level(): Promise<void> {
    const busy = closeSecond();
    if (busy.size === 0 && !listed) return;
    listed = busy.size > 0;
    try {
      const others = await exchange(
        self,
        [...busy].map(([, { usage }]) => usage),
      );
      for (const other of others) pay(busy.get(other.bucket.toString('hex'))?.bucket, other);
    } catch (error) {
      // Each process continues with the usage that it knows.
      listed = true;
      onFailure(error);
    }
  }

  /**
   * Returns the buckets that were busy in the second that ends now, by their shared name. Deletes buckets that are full
   * again.
   */
  function closeSecond(): Map<string, { readonly bucket: Bucket; readonly usage: Usage }> {
    const at = now();
    const busy: { name: string; bucket: Bucket; lately: number }[] = [];
    for (const [name, bucket] of buckets) {
      const lately = bucket.taken - bucket.told;
      bucket.told = bucket.taken;
      if (lately * bucket.costMs >= WINDOW_MS * BUSY_SHARE) busy.push({ name, bucket, lately });
      else if (bucket.fullAt <= at) buckets.delete(name);
    }
    const told = busy.toSorted((one, other) => other.lately - one.lately).slice(0, MAX_TOLD);
    return new Map(
      told.map(({ name, bucket, lately }) => {
        const known = createHmac('sha256', hashKey).update(name).digest().subarray(0, 16);
        const { organizationId, taken } = bucket;
        return [known.toString('hex'), { bucket, usage: { organizationId, bucket: known, taken, lately } }];
      }),
    );
  }

  /**
   * Counts the requests that another process let through since the last exchange. In the first exchange with a process,
   * counts those of its last second.
   */
  function pay(bucket: Bucket | undefined, { process: other, taken, lately }: OtherUsage): void {
    if (bucket === undefined) return;
    const counted = bucket.others.get(other);
    bucket.others.set(other, taken);
    const more = counted === undefined || counted > taken ? lately : taken - counted;
    const at = now();
    bucket.fullAt = Math.min(Math.max(bucket.fullAt, at) + more * bucket.costMs, at + WINDOW_MS + MAX_DEBT_MS);
  }

  /** Stops the timer and deletes this process's rows. */
  async function stop(): Promise<void> {
    clearTimeout(timer);
    await levelling;
    clearTimeout(timer);
    buckets.clear();
    await level();
  }
}

/** Returns the headers of draft-ietf-httpapi-ratelimit-headers. A refused caller must wait for the time in `t`. */
function verdict(
  kind: Counted['kind'],
  limit: number,
  { fullAt, costMs }: Bucket,
  at: number,
  allowed: boolean,
): Verdict {
  const left = Math.max(0, Math.floor((at + WINDOW_MS - fullAt + ROUNDING_MS) / costMs));
  const fullIn = wholeSeconds(fullAt - at);
  const headers = { 'ratelimit-policy': `"${kind}";q=${limit};w=1`, ratelimit: `"${kind}";r=${left};t=${fullIn}` };
  return { allowed, headers: allowed ? headers : { ...headers, 'retry-after': String(fullIn) } };
}

function wholeSeconds(ms: number): number {
  return Math.ceil((ms - ROUNDING_MS) / 1_000);
}

/**
 * Returns the client that an address represents: an IPv4 address itself, or the first 64 bits of an IPv6 address, since
 * one subscriber has them all. Ignores a port, which a proxy may have added. All invalid addresses share one result.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const [, ipv6 = address, ipv4 = ''] = DRESSED.exec(address) ?? [];
  if (isIPv4(ipv4)) return ipv4;
  return isIPv6(ipv6) ? firstGroups(ipv6) : 'unknown';
}

/** Matches `[2001:db8::1]:443`, `203.0.113.7:443` and `::ffff:203.0.113.7`. The last is IPv4 on a dual-stack socket. */
const DRESSED = /^(?:\[([^\]]+)\](?::\d+)?|(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?)$/i;

/**
 * Returns the first four groups of an IPv6 address. [Takes 1.5 µs. ipaddr.js takes 3.5 µs, a tenth of the cost of a
 * visit.]
 */
function firstGroups(ipv6: string): string {
  const [head = [], tail] = ipv6.split('::', 2).map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
