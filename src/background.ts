import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Databases } from './databases.ts';
import type { Metrics } from './metrics.ts';
import { type Mails, startMails } from '#mails/deliver.ts';
import { printer, smtpSender } from '#mails/send.ts';
import { startLookout } from '#pipeline/lookout.ts';
import { startWorker, type Worker } from '#pipeline/worker.ts';
import type { Database } from '#store/database.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { type Deliveries, startDeliveries } from '#webhooks/deliver.ts';
import { resolveLocally, resolvePublicly } from '#webhooks/resolve.ts';
import { sender } from '#webhooks/send.ts';

/** What runs while nobody waits for it. */
export type Background = {
  /** Decides what was reported. */
  readonly worker: Worker;
  /** Tells other people’s servers. */
  readonly deliveries: Deliveries;
  /** Says that something has changed: whoever has work by it is woken at once. */
  readonly look: () => void;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the worker and the deliveries, each with connections of its own (a receiver never waits for a sale, nor a sale for
 * a receiver), what sends mails, and the lookout that wakes them.
 */
export function startBackground(
  config: Config,
  databases: Databases,
  secrets: SecretBox,
  log: Logger,
  metrics: Metrics,
  print: (...lines: readonly string[]) => void,
): Background {
  const worker = openWorker(config, databases.worker, log, metrics);
  const deliveries = openDeliveries(config, databases.deliveries, secrets, log, metrics);
  const mails = openMails(config, databases.deliveries, secrets, log, print);
  const lookout = startLookout(databases.worker, {
    onWork: () => worker.wake(),
    onNews: () => deliveries.wake(),
    onMail: () => mails.wake(),
    onFailure: (error) => log.warn({ err: error }, 'what other processes have left to do is not looked for'),
  });
  return {
    worker,
    deliveries,
    look: () => lookout.look(),
    stop: async () => {
      await lookout.stop();
      await mails.stop();
      await deliveries.stop();
      await worker.stop();
    },
  };
}

function openWorker(config: Config, database: Database, log: Logger, metrics: Metrics): Worker {
  return startWorker(database, {
    visitRetentionDays: config.VISIT_RETENTION_DAYS,
    onFailure: (error) => log.warn({ err: error }, 'the pipeline pauses'),
    onParked: (organizationId, job, error) => {
      metrics.eventsParked.inc();
      log.error({ err: error, organizationId, eventId: job.eventId, type: job.type }, 'an event is parked');
    },
  });
}

function openDeliveries(
  config: Config,
  database: Database,
  secrets: SecretBox,
  log: Logger,
  metrics: Metrics,
): Deliveries {
  const privateAllowed = config.WEBHOOKS_PRIVATE_ADDRESSES === 'true';
  return startDeliveries(database, {
    secrets,
    send: sender({ resolve: privateAllowed ? resolveLocally : (host) => resolvePublicly(host), privateAllowed }),
    headerPrefix: config.HEADER_PREFIX,
    onAttempt: (outcome) => metrics.webhookAttempts.inc({ outcome }),
    onPaused: (organizationId, webhookId, reason) => {
      metrics.webhooksPaused.inc({ reason });
      log.warn({ organizationId, webhookId, reason }, 'a webhook is paused');
    },
    onFailure: (error) => log.warn({ err: error }, 'webhooks wait'),
  });
}

function openMails(
  { SMTP_URL, MAIL_FROM }: Config,
  database: Database,
  secrets: SecretBox,
  log: Logger,
  print: (...lines: readonly string[]) => void,
): Mails {
  return startMails(database, {
    secrets,
    send: SMTP_URL === undefined ? printer(print) : smtpSender(SMTP_URL, MAIL_FROM),
    onRefused: (error, isOver) =>
      log.warn({ err: error }, isOver ? 'a mail is given up' : 'a mail was not taken, and is tried again'),
    onFailure: (error) => log.warn({ err: error }, 'mails wait'),
  });
}
