import { places, type TakePlace } from './places.ts';

/**
 * The maximum shares of the process's database connections for calls that one organization's changes and reads can use,
 * in percent.
 */
export const ORGANIZATION_SHARES = { changes: 25, reads: 38 } as const;
/**
 * The maximum shares of the process's database connections for calls that the changes and the reads of all organizations
 * together can use, in percent. Further calls wait in turn. Without these limits, slow calls of a few organizations
 * would use every connection, and calls of other organizations would fail.
 */
export const ALL_SHARES = { changes: 63, reads: 63 } as const;
/**
 * The maximum number of running calls from visitors of one portal. Logins and sign-ups wait for the organization's
 * lock, and each uses a database connection meanwhile.
 */
export const MAX_CALLS_OF_PORTAL = 1;
/**
 * The share of the process's database connections for calls that visitors of all portals together can use, in percent.
 */
export const PORTALS_SHARE = 25;
/** The maximum number of a caller's waiting calls. Changes and reads are counted separately. */
export const MAX_WAITING_CALLS = 100;
/**
 * The maximum number of waiting calls from an organization's partners together, and from its other callers together.
 * Changes and reads are counted separately. An organization can have any number of keys, and each waiting call costs
 * time when a place becomes free.
 */
export const MAX_WAITING_CALLS_OF_GROUP = 300;
/** The maximum number of waiting calls that revoke access, for each key or session. */
export const MAX_WAITING_REVOCATIONS = 10;
/** The maximum time that a call waits for a place, in milliseconds. */
export const MAX_CALL_WAIT_MS = 10_000;

/**
 * The limits by kind of call. `revocations` are calls that revoke access. Each organization runs them one at a time.
 * `portals` are calls from visitors of portals, which are counted by the portal's slug.
 */
export type CallLimits = Readonly<Record<keyof typeof ORGANIZATION_SHARES | 'revocations' | 'portals', TakePlace>>;

export type CallLimitOptions = {
  /** The number of connections for calls in this process. */
  readonly connections: number;
  readonly waitMs?: number;
};

/**
 * Returns limits for the connections that one organization's calls use in this process, so that free connections remain
 * for other organizations. Changes have a separate share, because they wait for each other in the database while each
 * uses a connection.
 */
export function callLimits({ connections, waitMs = MAX_CALL_WAIT_MS }: CallLimitOptions): CallLimits {
  const limits = { maxWaiting: MAX_WAITING_CALLS, maxWaitingOfGroup: MAX_WAITING_CALLS_OF_GROUP, waitMs };
  const shareOf = (percent: number): number => Math.max(1, Math.floor((connections * percent) / 100));
  const sharesOf = (kind: 'changes' | 'reads') => ({
    ofOrganization: shareOf(ORGANIZATION_SHARES[kind]),
    atOnce: shareOf(ALL_SHARES[kind]),
  });
  return {
    changes: places({ ...limits, ...sharesOf('changes') }),
    reads: places({ ...limits, ...sharesOf('reads') }),
    revocations: places({ ...limits, ofOrganization: 1, maxWaiting: MAX_WAITING_REVOCATIONS }),
    portals: places({ ...limits, ofOrganization: shareOf(PORTALS_SHARE), ofCaller: MAX_CALLS_OF_PORTAL }),
  };
}
