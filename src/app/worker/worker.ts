import type { OrganizationId } from '#core/ids.ts';
import type { WorkOffOptions } from '#connectors/reactions/work-off-events.ts';
import type { Database } from '#platform/postgres/database.ts';
import { type Chore, type ChoreOutcome, startChores } from '#platform/worker/chores.ts';
import type { Job } from '#platform/worker/jobs.ts';
import { createPacer } from '#attribution/reactions/pacer.ts';
import { forgetSome } from '#privacy/reactions/forget.ts';
import { createPartnerNotifier, type NotifierContext } from '#notifications/reactions/notify-partners.ts';
import { createDigestSender } from '#notifications/reactions/send-digests.ts';
import { createFigureSummer } from '#reporting/reactions/sum-figures.ts';
import { jobBatches } from './job-batches.ts';
import { workSchedule } from './schedule.ts';
import { workerTurns } from './turns.ts';

export type Worker = {
  /** Signals that jobs may be pending. Never waits. */
  readonly wake: () => void;
  /** Resolves once no job, approval or connector event is due, or when the worker stops. */
  readonly idle: () => Promise<void>;
  /** Finishes the current batch and stops. */
  readonly stop: () => Promise<void>;
  readonly isRunning: () => boolean;
};

export type WorkerOptions = {
  readonly onDeadLettered?: (organizationId: OrganizationId, job: Job, error: unknown) => void;
  readonly onFailure?: (error: unknown) => void;
  readonly batchSize?: number;
  readonly gatheringMs?: number;
  /** The retention of visits, in days. 0 keeps them forever. */
  readonly visitRetentionDays?: number;
  /** The maximum age of a report's `occurredAt`, in days. */
  readonly lateReportDays?: number;
  /** The retention of payloads of connectors' events, in days. 0 keeps them forever. */
  readonly connectorPayloadDays?: number;
  readonly onEventDeadLettered?: WorkOffOptions['onDeadLettered'];
  /** The context of notification emails to partners. Without it, these emails are not sent. */
  readonly emails?: NotifierContext;
  /** Whether people get digests, which are regular emails about open items. */
  readonly sendsDigests?: boolean;
};

const BATCH_SIZE = 500;
const LATE_REPORT_DAYS = 30;
/**
 * The minimum time between two rounds during a steady stream of reports, in milliseconds. Without this pause, a batch
 * would contain only the two or three latest sales. A batch of three costs as much as a batch of thirty. A round begins
 * without the pause if a batch of the previous round was full.
 */
const GATHERING_MS = 25;
/**
 * How often expired data is deleted, in milliseconds. The interval grows up to RAREST_FORGETTING_MS while no data
 * expires.
 */
const FORGETTING_MS = 60_000;
const RAREST_FORGETTING_MS = 3_600_000;
/**
 * How often new visits and sales are added to the sums for figures, in milliseconds. After an idle period, visits may
 * wait longer, because they don't wake the worker.
 */
const SUMMING_MS = 60_000;
const RAREST_SUMMING_MS = 300_000;
/** How often due notices to partners and due digests are emailed, in milliseconds. */
const NOTIFYING_MS = 30_000;
const RAREST_NOTIFYING_MS = 300_000;

/**
 * Starts the worker. It processes jobs in batches of one organization, each in one transaction: claim, lock, load,
 * decide, save. Any number of workers can share a database. While there are no jobs, the worker waits until `wake` is
 * called, for example by the poller (poller.ts). Maintenance tasks run beside it, so that a long step of a task doesn't
 * delay decisions.
 */
export function startWorker(database: Database, options: WorkerOptions = {}): Worker {
  const { batchSize = BATCH_SIZE, onDeadLettered, onFailure } = options;
  const schedule = workSchedule();
  const rounds = createPacer(options.gatheringMs ?? GATHERING_MS);
  const chores = startChores(
    [
      { run: () => forget(database, options), everyMs: FORGETTING_MS, rarestMs: RAREST_FORGETTING_MS },
      { run: createFigureSummer(database), everyMs: SUMMING_MS, rarestMs: RAREST_SUMMING_MS },
      ...emailChores(database, options),
    ],
    onFailure,
  );
  let isStopping = false;
  let isRunning = true;
  let idleWaiters: (() => void)[] = [];
  const workOffJobs = jobBatches(database, { batchSize, onDeadLettered, isStopping: () => isStopping });
  const connectors = {
    lateReportDays: options.lateReportDays ?? LATE_REPORT_DAYS,
    ...(options.onEventDeadLettered === undefined ? {} : { onDeadLettered: options.onEventDeadLettered }),
  };
  const takeTurn = workerTurns(database, { batchSize, workOffJobs, connectors, rounds, onFailure });

  const loop = run();
  return {
    wake: schedule.wake,
    isRunning: () => isRunning,
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        hurry();
      }),
    stop: async () => {
      isStopping = true;
      hurry();
      await loop;
    },
  };

  function hurry(): void {
    schedule.wake();
    rounds.hurry();
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const waiters = idleWaiters;
      idleWaiters = [];
      schedule.noteTurn();
      try {
        const turn = await takeTurn(() => waiters.length > 0 || idleWaiters.length > 0 || isStopping);
        if (turn === 'nothing-waits') {
          if (waiters.length > 0) await chores.doDue();
          for (const resolve of waiters) resolve();
        } else {
          idleWaiters.push(...waiters);
          schedule.noteWork();
        }
        if (turn === 'worked') {
          chores.noteWork();
          continue;
        }
      } catch (error) {
        onFailure?.(error);
        idleWaiters.push(...waiters);
        schedule.noteFailure();
      }
      if (!isStopping) await schedule.rest();
    }
    await chores.stop();
    isRunning = false;
    for (const resolve of idleWaiters) resolve();
  }
}

function emailChores(database: Database, { emails, sendsDigests = false }: WorkerOptions): Chore[] {
  if (emails === undefined) return [];
  const often = { everyMs: NOTIFYING_MS, rarestMs: RAREST_NOTIFYING_MS };
  const notifying = { run: createPartnerNotifier(database, emails), ...often };
  return sendsDigests ? [notifying, { run: createDigestSender(database, emails), ...often }] : [notifying];
}

async function forget(
  database: Database,
  { visitRetentionDays, lateReportDays, connectorPayloadDays }: WorkerOptions,
): Promise<ChoreOutcome> {
  const { forgotten, isMore } = await forgetSome(database, {
    visitRetentionDays,
    lateReportDays,
    connectorPayloadDays,
  });
  if (isMore) return 'more';
  return forgotten === 0 ? 'none' : 'some';
}
