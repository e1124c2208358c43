import type { Auth } from '#core/auth.ts';
import type { OrganizationId } from '#core/ids.ts';

export type Caller = {
  readonly caller: string;
  /** The caller's organization. For a call without a login, the text that counts as its organization. */
  readonly organizationId: OrganizationId | string;
  /**
   * The kind of caller, for example a key or a person. The callers of each kind form a group of the organization. The
   * waiting requests of each group are counted separately.
   */
  readonly kind: Auth['kind'];
};

/** Frees a place, which is the permission to run one request. Repeated calls do nothing. */
export type LeavePlace = () => void;

/**
 * Waits for a place and returns a function that frees the place. Returns undefined if too many requests wait, after the
 * maximum wait, or once `signal` aborts. If too many requests wait, a new request can replace the newest waiting
 * request of the caller with the most waiting requests, which is then refused.
 */
export type TakePlace = (caller: Caller, signal: AbortSignal) => Promise<LeavePlace | undefined>;

export type PlaceLimits = {
  /** The number of places for all organizations together. Unlimited if absent. */
  readonly atOnce?: number;
  readonly ofOrganization: number;
  /** The number of places of a caller. The default is the number of places of the organization. */
  readonly ofCaller?: number;
  /** The maximum number of a caller's waiting requests. */
  readonly maxWaiting: number;
  /** The maximum number of waiting requests of an organization's callers of one kind together. */
  readonly maxWaitingOfGroup: number;
  /** The maximum number of all waiting requests. Unlimited if absent. */
  readonly maxWaitingOfAll?: number;
  readonly waitMs: number;
};

type WaitingCaller = Caller & { readonly take: () => void; readonly refuse: () => void };

/**
 * Returns a function that limits the concurrent requests of callers in this process. A free place is given to a waiting
 * request of the organization with the fewest places. In a tie, the organization that got a place longest ago has
 * priority. Within the organization, its keys together, its people together and its partners together are compared in
 * the same way. Then the single callers are compared in the same way. Remaining ties prefer the request that has waited
 * longest. So nobody waits for all requests of another organization or of callers of another kind, regardless of the
 * number of keys and sessions.
 */
export function places({
  atOnce,
  ofOrganization,
  ofCaller,
  maxWaiting,
  maxWaitingOfGroup,
  maxWaitingOfAll = Infinity,
  waitMs,
}: PlaceLimits): TakePlace {
  const taken = new Set<Caller>();
  const waiting = new Set<WaitingCaller>();
  /**
   * For each organization, group and caller with places or waiting requests: the number of places that had been
   * assigned to all callers when it last got a place.
   */
  const servedAt = new Map<string, number>();
  let served = 0;
  return async (caller, signal) => {
    if (signal.aborted) return undefined;
    if (isFreeFor(caller)) return take(caller);
    return mayWait(caller) ? wait(caller, signal) : undefined;
  };

  function mayWait(caller: Caller): boolean {
    if (countOf(waiting, caller) >= maxWaiting) return false;
    if (countOfGroup(waiting, caller) >= maxWaitingOfGroup) {
      return refuseLongest(
        caller,
        [...waiting].filter((other) => isOfSameGroup(other, caller)),
      );
    }
    return waiting.size < maxWaitingOfAll || refuseLongest(caller, [...waiting]);
  }

  /**
   * Finds the caller with the most requests in `crowd`, including a new request of `caller`. In a tie, this is the
   * caller who got a place last. Refuses the newest waiting request of this caller and returns true. Refuses nothing
   * and returns false if this caller is `caller`.
   */
  function refuseLongest(caller: Caller, crowd: readonly WaitingCaller[]): boolean {
    type Queue = { readonly length: number; readonly servedAt: number; readonly newest?: WaitingCaller };
    const isLonger = (one: Queue, other: Queue): boolean =>
      one.length > other.length || (one.length === other.length && one.servedAt > other.servedAt);
    let longest: Queue = { length: countOf(waiting, caller) + 1, servedAt: lastServed(callerName(caller)) };
    for (const [name, requests] of Map.groupBy(crowd, callerName)) {
      const queue = { length: requests.length, servedAt: lastServed(name), newest: requests.at(-1) as WaitingCaller };
      if (isLonger(queue, longest)) longest = queue;
    }
    longest.newest?.refuse();
    return longest.newest !== undefined;
  }

  function isFreeFor(caller: Caller): boolean {
    return (
      (atOnce === undefined || taken.size < atOnce) &&
      countOfOrganization(caller) < ofOrganization &&
      (ofCaller === undefined || countOf(taken, caller) < ofCaller)
    );
  }

  function countOfOrganization(caller: Caller): number {
    return count(taken, (other) => isOfSame(other, caller));
  }

  function countOfGroup(requests: ReadonlySet<Caller>, caller: Caller): number {
    return count(requests, (other) => isOfSameGroup(other, caller));
  }

  function countOf(requests: ReadonlySet<Caller>, caller: Caller): number {
    return count(requests, (other) => other.caller === caller.caller && isOfSame(other, caller));
  }

  function take(caller: Caller): LeavePlace {
    // A copy, because one caller can have several places.
    const entry = { ...caller };
    taken.add(entry);
    served += 1;
    for (const nameOf of NAMES) servedAt.set(nameOf(entry), served);
    return () => {
      if (!taken.delete(entry)) return;
      nextWaiting()?.take();
      const left = [...taken, ...waiting].filter((other) => isOfSame(other, entry));
      for (const nameOf of NAMES) {
        if (left.every((other) => nameOf(other) !== nameOf(entry))) servedAt.delete(nameOf(entry));
      }
    };
  }

  function nextWaiting(): WaitingCaller | undefined {
    let next: WaitingCaller | undefined;
    for (const each of waiting) {
      if (isFreeFor(each) && (next === undefined || isBefore(each, next))) next = each;
    }
    return next;
  }

  function isBefore(one: Caller, other: Caller): boolean {
    const difference =
      countOfOrganization(one) - countOfOrganization(other) ||
      lastServed(organizationName(one)) - lastServed(organizationName(other)) ||
      countOfGroup(taken, one) - countOfGroup(taken, other) ||
      lastServed(groupName(one)) - lastServed(groupName(other)) ||
      countOf(taken, one) - countOf(taken, other) ||
      lastServed(callerName(one)) - lastServed(callerName(other));
    return difference < 0;
  }

  function lastServed(name: string): number {
    return servedAt.get(name) ?? 0;
  }

  function wait(caller: Caller, signal: AbortSignal): Promise<LeavePlace | undefined> {
    return new Promise((resolve) => {
      const giveUp = (): void => settle(undefined);
      const entry: WaitingCaller = { ...caller, take: () => settle(take(caller)), refuse: giveUp };
      const timer = setTimeout(giveUp, waitMs);
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(entry);

      function settle(leave: LeavePlace | undefined): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        waiting.delete(entry);
        resolve(leave);
      }
    });
  }
}

function organizationName({ organizationId }: Caller): string {
  return String(organizationId);
}

function groupName({ organizationId, kind }: Caller): string {
  return `${organizationId} ${kind}`;
}

function callerName({ organizationId, caller }: Caller): string {
  return `${organizationId} caller ${caller}`;
}

const NAMES = [organizationName, groupName, callerName] as const;

function isOfSame(one: Caller, other: Caller): boolean {
  return one.organizationId === other.organizationId;
}

function isOfSameGroup(one: Caller, other: Caller): boolean {
  return isOfSame(one, other) && one.kind === other.kind;
}

function count<Item>(items: Iterable<Item>, matches: (item: Item) => boolean): number {
  let matching = 0;
  for (const item of items) if (matches(item)) matching += 1;
  return matching;
}
