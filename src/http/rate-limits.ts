import { createHmac, randomUUID } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import type { OrganizationId } from '#domain/ids.ts';
import type { Auth } from './authentication.ts';

/** Requests a second of one secret key, and of one publishable key and address; 0: no limit. */
export type Limits = Readonly<Record<'secret' | 'publishable', number>>;

/** Who is counted: a caller, or an address that calls what is open to all. */
export type Counted = {
  readonly kind: Auth['kind'] | 'visitor';
  readonly caller: string;
  readonly organizationId: OrganizationId;
};

/**
 * Requests a second of one person or collaborator over all of their sessions, and of one address to the calls that need no
 * key: pages ask for a dozen things at once, and nobody logs in so often.
 */
export const SESSION_LIMITS = { person: 100, collaborator: 50, visitor: 20 } as const;

/** What a bucket that is busy has let through here: in all, and in the last second. */
export type Usage = {
  readonly organizationId: OrganizationId;
  readonly bucket: Buffer;
  readonly taken: number;
  readonly lately: number;
};
/** The same of another process. */
export type OtherUsage = Usage & { readonly process: string };

/** Tells the other processes what this one has let through, and answers what they have, of the same buckets. */
export type Exchange = (process: string, mine: readonly Usage[]) => Promise<readonly OtherUsage[]>;

export type Verdict = { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> };

export type RateLimits = {
  /** Counts a request, without waiting. Undefined where its key has no limit. */
  readonly take: (counted: Counted, address: string) => Verdict | undefined;
  /** Levels with the other processes. Runs by itself once a second while there is something to level. */
  readonly level: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type RateLimitOptions = {
  readonly limits: Limits;
  /** Of what other processes are told: addresses are found by trying in a hash that has none. */
  readonly hashKey: Uint8Array;
  readonly exchange: Exchange;
  readonly onFailure?: (error: unknown) => void;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
};

/** A limit is so many requests in this time, which may all come at once. */
const WINDOW_MS = 1_000;
const LEVELLING_MS = 1_000;
/** Of its limit in a second: below it a bucket is nobody's business but this process's. */
const BUSY_SHARE = 0.1;
/** The busiest go first. */
const MAX_TOLD = 1_000;
/** What others took is paid back for this long at most. */
const MAX_DEBT_MS = 60_000;
/**
 * Beyond it all are forgotten: a flood of addresses costs no more memory than this. [The oldest alone would cost 30 µs
 * each: a Map walks over what was deleted at its beginning.]
 */
const MAX_BUCKETS = 100_000;
/** Sums of fractions of a second: a limit of 3 is three thirds. */
const ROUNDING_MS = 0.001;

/**
 * `fullAt` is all that a token bucket needs: the time when nothing of what was taken will count any more. Each request
 * puts it a 1/limit of a second later; it may be a second ahead.
 */
type Bucket = {
  readonly organizationId: OrganizationId;
  readonly costMs: number;
  fullAt: number;
  taken: number;
  told: number;
  /** What of the others' is counted already, by process. */
  readonly others: Map<string, number>;
};

/**
 * Counts requests in memory. Each process keeps the whole bucket, and learns once a second what others took from it;
 * that may leave it in debt, so that over time they let through the limit together: docs/decisions/0020.
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
      // Each process goes on by what it knows.
      listed = true;
      onFailure(error);
    }
  }

  /** What was busy in the second that ends now, by the name that the others know; what is full again is forgotten. */
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

  /** What another process has taken since it was last asked; at the first time, in its last second. */
  function pay(bucket: Bucket | undefined, { process: other, taken, lately }: OtherUsage): void {
    if (bucket === undefined) return;
    const counted = bucket.others.get(other);
    bucket.others.set(other, taken);
    const more = counted === undefined || counted > taken ? lately : taken - counted;
    const at = now();
    bucket.fullAt = Math.min(Math.max(bucket.fullAt, at) + more * bucket.costMs, at + WINDOW_MS + MAX_DEBT_MS);
  }

  /** Takes this process's rows away. */
  async function stop(): Promise<void> {
    clearTimeout(timer);
    await levelling;
    clearTimeout(timer);
    buckets.clear();
    await level();
  }
}

/** As draft-ietf-httpapi-ratelimit-headers has them: nobody is told to come again before the time of `t` is over. */
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
 * Whom an address stands for: itself, or of IPv6 the first 64 bits, since that is what one subscriber has. A proxy may
 * have added a port. What is no address counts as one.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const [, ipv6 = address, ipv4 = ''] = DRESSED.exec(address) ?? [];
  if (isIPv4(ipv4)) return ipv4;
  return isIPv6(ipv6) ? firstGroups(ipv6) : 'unknown';
}

/** `[2001:db8::1]:443`, `203.0.113.7:443`, and `::ffff:203.0.113.7`, as IPv4 arrives on a socket for both. */
const DRESSED = /^(?:\[([^\]]+)\](?::\d+)?|(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?)$/i;

/** [ipaddr.js takes 3.5 µs for it, a tenth of what a visit costs; this 1.5.] */
function firstGroups(ipv6: string): string {
  const [head = [], tail] = ipv6.split('::', 2).map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
