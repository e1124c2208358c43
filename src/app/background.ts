import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, headerPrefixesOf, publicUrlOf } from './config.ts';
import type { Databases } from './databases.ts';
import type { Metrics } from './metrics.ts';
import { type Emails, startEmails } from '#platform/email/deliver.ts';
import type { EmailBrand } from '#platform/email/email.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { printer, smtpSender } from '#platform/email/send.ts';
import { servicePortalUrl } from '#organizations/domain/portal.ts';
import { readPortalSettings } from '#organizations/store/read/portals.ts';
import { type Backtests, startBacktests } from '#backtest/reactions/work-off-backtests.ts';
import { startPoller } from '#platform/worker/poller.ts';
import { startWorker, type Worker } from './worker/worker.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type Deliveries, startDeliveries } from '#webhooks/reactions/deliver.ts';
import { resolveLocally, resolvePublicly } from '#webhooks/reactions/resolve.ts';
import { sender } from '#webhooks/reactions/send.ts';

/** The parts of the service that run in the background: no request waits for them. */
export type Background = {
  readonly worker: Worker;
  readonly deliveries: Deliveries;
  /** Wakes the poller, so that it looks for pending work immediately. */
  readonly look: () => void;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the worker, the webhook deliveries, the outgoing mail, backtests, and the poller that wakes them. The worker,
 * the deliveries and backtests have separate connections, so that slow receivers and backtests don't delay decisions.
 */
export function startBackground(
  config: Config,
  databases: Databases,
  secrets: SecretBox,
  log: Logger,
  metrics: Metrics,
  print: (...lines: readonly string[]) => void,
): Background {
  const worker = openWorker(config, databases.worker, secrets, log, metrics);
  const deliveries = openDeliveries(config, databases.deliveries, secrets, log, metrics);
  const emails = openEmails(config, databases.deliveries, secrets, log, metrics, print);
  const backtests = openBacktests(config, databases, log);
  const poller = startPoller(databases.worker, {
    onWork: () => worker.wake(),
    onOutbox: () => deliveries.wake(),
    onEmail: () => emails.wake(),
    onBacktest: () => backtests?.wake(),
    onFailure: (error) =>
      log.warn({ err: error }, 'the poller failed and will retry, so jobs from other processes are delayed'),
  });
  return {
    worker,
    deliveries,
    look: () => poller.look(),
    stop: async () => {
      await poller.stop();
      await backtests?.stop();
      await emails.stop();
      await deliveries.stop();
      await worker.stop();
    },
  };
}

/** Starts running backtests. Returns undefined behind a pooler in transaction mode, which can't run backtests. */
function openBacktests(config: Config, databases: Databases, log: Logger): Backtests | undefined {
  if (config.DATABASE_POOLER === 'transaction') return undefined;
  return startBacktests(
    { database: databases.worker, sessions: databases.backtests },
    {
      pause: () => setImmediate(),
      onFailure: (error) => log.warn({ err: error }, 'a backtest failed'),
    },
  );
}

function openWorker(config: Config, database: Database, secrets: SecretBox, log: Logger, metrics: Metrics): Worker {
  return startWorker(database, {
    visitRetentionDays: config.VISIT_RETENTION_DAYS,
    lateReportDays: config.LATE_REPORT_DAYS,
    connectorPayloadDays: config.CONNECTOR_PAYLOAD_DAYS,
    emails: {
      secrets,
      publicUrl: publicUrlOf(config),
      onLimited: (organizationId, emails) =>
        log.warn({ organizationId, emails }, 'emails to partners are not sent, because their mailboxes got too many'),
    },
    sendsDigests: config.SMTP_URL !== undefined,
    onEventDeadLettered: (organizationId, { id, type }, reason) => {
      metrics.connectorEventsDeadLettered.inc();
      log.warn({ organizationId, eventId: id, type, reason }, 'an event of a connector is dead-lettered');
    },
    onFailure: (error) => log.warn({ err: error }, 'a step of the worker failed and will be retried'),
    onDeadLettered: (organizationId, job, error) => {
      metrics.eventsDeadLettered.inc();
      log.error({ err: error, organizationId, eventId: job.eventId, type: job.type }, 'an event is dead-lettered');
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
    headerPrefixes: headerPrefixesOf(config),
    onAttempt: (outcome) => metrics.webhookAttempts.inc({ outcome }),
    onPaused: (organizationId, webhookId, reason) => {
      metrics.webhooksPaused.inc({ reason });
      log.warn({ organizationId, webhookId, reason }, 'a webhook is paused');
    },
    onFailure: (error) => log.warn({ err: error }, 'a step of the webhook deliveries failed'),
  });
}

function openEmails(
  config: Config,
  database: Database,
  secrets: SecretBox,
  log: Logger,
  metrics: Metrics,
  print: (...lines: readonly string[]) => void,
): Emails {
  const { SMTP_URL, MAIL_FROM } = config;
  const publicUrl = publicUrlOf(config);
  return startEmails(database, {
    secrets,
    send: SMTP_URL === undefined ? printer(print) : smtpSender(SMTP_URL, MAIL_FROM),
    brandOf: (organizationId) => readEmailBrand({ connection: database, organizationId }, publicUrl),
    onSent: () => metrics.emails.inc({ outcome: 'sent' }),
    onRefused: (error, isOver) => {
      metrics.emails.inc({ outcome: isOver ? 'discarded' : 'retried' });
      log.warn({ err: error }, isOver ? 'an email is not sent' : 'an email could not be sent and will be retried');
    },
    onFailure: (error) => log.warn({ err: error }, 'sending emails failed and will be retried'),
  });
}

/**
 * Returns the brand of an organization's emails to its partners. Email programs load the logo from the portal. Most of
 * them don't show SVG, so the email shows the name instead of an SVG.
 */
async function readEmailBrand(tenant: Tenant, publicUrl: string): Promise<EmailBrand> {
  const { slug, name, accent, logo, supportEmail } = await readPortalSettings(tenant);
  const isShown = slug !== null && logo !== null && !logo.startsWith('data:image/svg');
  return { name, accent, logoUrl: isShown ? `${servicePortalUrl(publicUrl, slug)}logo` : null, replyTo: supportEmail };
}
