import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isChange, isReport, type Operation } from '#core/contract/operation.ts';
import { problem } from '#core/contract/problem.ts';
import { type Caller, places, type TakePlace } from './places.ts';
import { networkOf } from './rate-limits.ts';
import { RETRY_AFTER_S } from './replies.ts';

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
 * The maximum number of running calls without a login to one portal, and from one network to the console. Logins and
 * sign-ups can wait for locks, and each uses a database connection meanwhile.
 */
export const MAX_CALLS_OF_VISITORS = 1;
/** The maximum number of waiting calls without a login. */
export const MAX_WAITING_CALLS_OF_VISITORS = 1_000;
/** The maximum number of waiting calls without a login from one network, for each portal and for the console. */
export const MAX_WAITING_CALLS_OF_NETWORK = 20;
/** The share of the process's database connections for calls that all calls without a login can use, in percent. */
export const VISITORS_SHARE = 25;
/** The maximum number of a caller's waiting calls. Changes and reads are counted separately. */
export const MAX_WAITING_CALLS = 100;
/**
 * The maximum number of waiting calls from each of an organization's groups: its keys, its people and its partners.
 * Changes, reads and revocations are counted separately. An organization can have any number of keys, and each waiting
 * call costs time when a place becomes free.
 */
export const MAX_WAITING_CALLS_OF_GROUP = 300;
/** The maximum number of waiting calls that revoke access, for each key or session. */
export const MAX_WAITING_REVOCATIONS = 10;
/** The maximum time that a call waits for a place, in milliseconds. */
export const MAX_CALL_WAIT_MS = 10_000;

/**
 * The limits by kind of call. `revocations` are calls that revoke access. Each organization runs them one at a time.
 * `paced` are reads with a pause after them, which take a place of `reads` as well.
 * `visitors` are calls without a login, see `visitor`.
 */
export type CallLimits = Readonly<
  Record<keyof typeof ORGANIZATION_SHARES | 'paced' | 'revocations' | 'visitors', TakePlace>
>;

/** The response to a call that got no place. */
export const TOO_MANY_CALLS = problem(
  'rate-limited',
  'Too many calls are running or waiting. Retry after the number of seconds in Retry-After.',
  { headers: { 'retry-after': String(RETRY_AFTER_S) } },
);

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
    paced: places({ ...limits, ofOrganization: 1 }),
    revocations: places({ ...limits, ofOrganization: 1, maxWaiting: MAX_WAITING_REVOCATIONS }),
    visitors: places({
      ...limits,
      atOnce: shareOf(VISITORS_SHARE),
      ofOrganization: MAX_CALLS_OF_VISITORS,
      maxWaiting: MAX_WAITING_CALLS_OF_NETWORK,
      maxWaitingOfAll: MAX_WAITING_CALLS_OF_VISITORS,
    }),
  };
}

/**
 * Returns the caller under which a call without a login is counted: its network. The organization is unknown before the
 * call's token or address is looked up. Instead, each portal counts as an organization, because its calls wait for one
 * lock. Of the other calls, each network counts as an organization.
 */
export function visitor(ip: string, params?: { readonly slug?: string }): Caller {
  const network = networkOf(ip);
  return params?.slug === undefined
    ? { kind: 'person', caller: network, organizationId: `network ${network}` }
    : { kind: 'collaborator', caller: network, organizationId: `portal ${params.slug}` };
}

/**
 * Returns the kind of limit for an operation. Returns undefined for operations that these limits don't apply to, such
 * as reports and exports, which have their own limits.
 */
export function callKind(operation: Operation, isLong: boolean): keyof CallLimits | undefined {
  if (isReport(operation)) return undefined;
  const isRead = operation.method === 'GET';
  // Logins and sign-ups can wait for locks. Visitors' reads don't wait, so they have no limit.
  if (operation.open === true) return isRead ? undefined : 'visitors';
  if (operation.revokes === true) return 'revocations';
  if (isChange(operation)) return 'changes';
  if (isLong) return undefined;
  // Only a GET has a time limit. Other calls can wait for locks, so they count as changes even if they only read.
  return isRead ? 'reads' : 'changes';
}

/**
 * Returns the caller under which a call is counted. Revocations are counted per session, so that calls with a stolen
 * session can't delay a revocation by the person's other sessions.
 */
export function callerOf({ auth, ip, params }: FastifyRequest, kind: keyof CallLimits | undefined): Caller {
  if (kind === 'visitors') return visitor(ip, params as { readonly slug?: string } | undefined);
  const { caller, organizationId, session } = auth;
  const name = kind === 'revocations' ? `${caller} ${session?.id ?? ''}` : caller;
  return { caller: name, organizationId, kind: auth.kind };
}

/** Returns a signal that aborts when the client disconnects or the response has been sent. */
export function closeSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  // A client may have disconnected while its key was looked up, before the listener for `close` is added.
  if (response.destroyed) closed.abort();
  else response.once('close', () => closed.abort());
  return closed.signal;
}
