import type { Database } from '../postgres/database.ts';
import { lookForWork } from './jobs.ts';

export type Poller = {
  /** Requests a check for pending work, without waiting for the check. */
  readonly look: () => void;
  /** Waits for the check in progress and stops. */
  readonly stop: () => Promise<void>;
};

export type PollerOptions = {
  /**
   * Called if there are events to decide, conversions to approve, connectors' events to process, or ledger entries to
   * add to the ledger chain.
   */
  readonly onWork: () => void;
  /** Called if there are webhook messages to create or deliver. */
  readonly onOutbox: () => void;
  /** Called if there are outgoing emails that are due. */
  readonly onEmail: () => void;
  /** Called if there are backtests that are queued or running. */
  readonly onBacktest?: () => void;
  readonly onFailure?: (error: unknown) => void;
};

/**
 * The polling interval, in milliseconds. Jobs that another process created wait at most this long until a poll finds
 * them.
 */
const LOOK_MS = 1_000;

/**
 * Polls once a second for all background tasks of this process, and wakes the tasks that have work. While there is no
 * activity, the poll is the only query that the process sends every second. Separate polling by the worker and the
 * deliveries would need five statements a second, four of them in empty transactions.
 */
export function startPoller(
  database: Database,
  { onWork, onOutbox, onEmail, onBacktest, onFailure }: PollerOptions,
): Poller {
  let stopping = false;
  let asked = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  wait();

  return {
    look,
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      await looking;
    },
  };

  /** Checks for pending work now. Several requests during a check cause only one further check. */
  function look(): void {
    if (stopping) return;
    asked = true;
    if (looking !== undefined) return;
    clearTimeout(timer);
    looking = lookWhileAsked().then(wait);
  }

  function wait(): void {
    looking = undefined;
    if (asked) look();
    else if (!stopping) timer = setTimeout(look, LOOK_MS);
  }

  /**
   * Checks for pending work as long as checks are requested. Never rejects. After a failed check, the next check
   * follows in a second.
   */
  async function lookWhileAsked(): Promise<void> {
    try {
      while (asked && !stopping) {
        asked = false;
        const { forWorker, forDeliveries, forEmails, forBacktests } = await lookForWork(database);
        if (forWorker) onWork();
        if (forDeliveries) onOutbox();
        if (forEmails) onEmail();
        if (forBacktests) onBacktest?.();
      }
    } catch (error) {
      asked = false;
      onFailure?.(error);
    }
  }
}
