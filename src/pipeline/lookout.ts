import type { Database } from '#store/database.ts';
import { lookForWork } from '#store/jobs.ts';

export type Lookout = {
  /** Looks now, since there may be something; never waits. */
  readonly look: () => void;
  /** Finishes the look under way and ends. */
  readonly stop: () => Promise<void>;
};

export type LookoutOptions = {
  /** There is something to decide, to approve or to seal. */
  readonly onWork: () => void;
  /** There is something to tell webhooks. */
  readonly onNews: () => void;
  /** There is a mail to be sent. */
  readonly onMail: () => void;
  readonly onFailure?: (error: unknown) => void;
};

/** How often it looks: work that another process has made waits no longer. */
const LOOK_MS = 1_000;

/**
 * Looks once a second, for all that run in the background of this process, whether there is something to do, and wakes
 * whom it is for: in a quiet time that query is all that the process asks. [The worker and the deliveries each looked by
 * themselves: five statements a second, and four of them of transactions that did nothing.]
 */
export function startLookout(database: Database, { onWork, onNews, onMail, onFailure }: LookoutOptions): Lookout {
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

  /** However often it is asked for while one is under way, one more will do. */
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

  /** Never rejects: what could not be asked is asked again in a second. */
  async function lookWhileAsked(): Promise<void> {
    try {
      while (asked && !stopping) {
        asked = false;
        const { forWorker, forDeliveries, forMails } = await lookForWork(database);
        if (forWorker) onWork();
        if (forDeliveries) onNews();
        if (forMails) onMail();
      }
    } catch (error) {
      asked = false;
      onFailure?.(error);
    }
  }
}
