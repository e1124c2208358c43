import type { ServerResponse } from 'node:http';
import { type Caller, type LeavePlace, places } from './places.ts';

/**
 * The maximum number of a caller's exports that run concurrently in a process. Exports are long responses: files,
 * statements, personal data.
 */
export const MAX_EXPORTS_OF_CALLER = 1;
/** The maximum number of an organization's exports that run concurrently in a process. */
export const MAX_EXPORTS_OF_ORGANIZATION = 2;
/**
 * The maximum number of exports that an organization's partners together run concurrently in a process. The
 * organization's other places are for the merchant.
 */
export const MAX_EXPORTS_OF_PARTNERS = 1;
/** The maximum number of a caller's exports that wait in a process. */
export const MAX_WAITING_EXPORTS = 20;
/**
 * The maximum number of waiting exports in a process, for each of an organization's groups: its partners, its people and
 * its keys. The groups are counted separately, so that partners can't use up the merchant's places.
 */
export const MAX_WAITING_EXPORTS_OF_GROUP = 100;
/** The maximum time that an export waits for a place, in milliseconds. */
export const MAX_EXPORT_WAIT_MS = 5_000;
/**
 * The maximum time, in milliseconds, for which an export's client can stop reading before it is disconnected. Without
 * this limit, its export would block other exports.
 */
export const MAX_EXPORT_STALL_MS = 15_000;
/**
 * The maximum time for which a client can read an export, in milliseconds. Some exports read a snapshot of the
 * database. While a snapshot is open, PostgreSQL can't remove rows that any organization deletes.
 */
export const MAX_EXPORT_MS = 300_000;

/**
 * The bounds of the pause after a slice of an export, in milliseconds. Within these bounds, the pause is as long as the
 * slice took, so exports use about half of the process's time.
 */
const LEAST_PAUSE_MS = 1;
const CAPPED_PAUSE_MS = 20;

export type ExportLimits = {
  /**
   * Waits for a place and returns a function that frees the place. Returns undefined if too many exports wait, after
   * the maximum wait, or once `signal` aborts.
   */
  readonly begin: (caller: Caller, signal: AbortSignal) => Promise<LeavePlace | undefined>;
  /** Resolves when the next slice can be generated. After a slice of any export, there is a pause for other tasks. */
  readonly turn: () => Promise<void>;
  /**
   * Disconnects a client that stops reading its export, or takes too long to read it. `signal` must abort when the
   * response is closed.
   */
  readonly limitReading: (response: ServerResponse, signal: AbortSignal) => void;
};

export type ExportLimitOptions = {
  /** The maximum number of running exports in the process. */
  readonly atOnce: number;
  readonly waitMs?: number;
  readonly stallMs?: number;
  readonly totalMs?: number;
};

/** Returns limits for the exports of this process, so that exports don't delay reports. */
export function exportLimits({
  atOnce,
  waitMs = MAX_EXPORT_WAIT_MS,
  stallMs = MAX_EXPORT_STALL_MS,
  totalMs = MAX_EXPORT_MS,
}: ExportLimitOptions): ExportLimits {
  const limits = {
    ofCaller: MAX_EXPORTS_OF_CALLER,
    maxWaiting: MAX_WAITING_EXPORTS,
    maxWaitingOfGroup: MAX_WAITING_EXPORTS_OF_GROUP,
    waitMs,
  };
  const take = places({ ...limits, atOnce, ofOrganization: MAX_EXPORTS_OF_ORGANIZATION });
  const takeAsPartner = places({ ...limits, ofOrganization: MAX_EXPORTS_OF_PARTNERS });
  const turns: (() => void)[] = [];
  let turnTakenAt = 0;
  return { begin, turn, limitReading };

  async function begin(caller: Caller, signal: AbortSignal): Promise<LeavePlace | undefined> {
    if (caller.kind !== 'collaborator') return take(caller, signal);
    // A partner's export first takes one of the partners' places. So at most one export of the partners waits together
    // with exports of the merchant.
    const leaveAsPartner = await takeAsPartner(caller, signal);
    if (leaveAsPartner === undefined) return undefined;
    const leave = await take(caller, signal);
    if (leave === undefined) leaveAsPartner();
    return (
      leave &&
      (() => {
        leave();
        leaveAsPartner();
      })
    );
  }

  function limitReading(response: ServerResponse, signal: AbortSignal): void {
    response.setTimeout(stallMs);
    const limit = setTimeout(() => response.destroy(), totalMs);
    signal.addEventListener('abort', () => clearTimeout(limit), { once: true });
  }

  function turn(): Promise<void> {
    return new Promise((resolve) => {
      turns.push(resolve);
      if (turns.length === 1) setTimeout(takeTurn, pauseMs());
    });
  }

  function takeTurn(): void {
    turnTakenAt = performance.now();
    turns.shift()?.();
    // The slice is generated after this function returns, so a later timer measures its time.
    if (turns.length > 0) setTimeout(() => setTimeout(takeTurn, pauseMs()), LEAST_PAUSE_MS);
  }

  function pauseMs(): number {
    const tookMs = performance.now() - turnTakenAt;
    return Math.min(CAPPED_PAUSE_MS, Math.max(LEAST_PAUSE_MS, tookMs));
  }
}
