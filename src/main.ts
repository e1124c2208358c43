import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Config, LIST_COMMA } from './config.ts';
import { encryptionKey, requireSameKey } from './encryption-key.ts';
import { type Metrics, openMetrics } from './metrics.ts';
import { openapiDocument } from '#contract/openapi.ts';
import { operations } from '#contract/operations.ts';
import { authentication } from '#http/authentication.ts';
import { changeAnswering } from '#http/changes.ts';
import { drain } from '#http/draining.ts';
import { handlers } from '#http/handlers.ts';
import { rateLimits } from '#http/rate-limits.ts';
import { type ReportBatches, reportBatches } from '#http/report-batches.ts';
import { createServer } from '#http/server.ts';
import { ensureFirstOrganization, type NewKeys } from '#operations/found-organization.ts';
import { changeMaking } from '#operations/make-change.ts';
import { recognizeKeys } from '#operations/recognize-keys.ts';
import { namedRefundReporting, refundReporting } from '#operations/report-refunds.ts';
import { couponSaleReporting } from '#operations/report-coupon-sales.ts';
import { leadReporting } from '#operations/report-leads.ts';
import { renewalReporting } from '#operations/report-renewals.ts';
import { saleReporting } from '#operations/report-sales.ts';
import { signalReporting } from '#operations/report-signals.ts';
import { visitReporting } from '#operations/report-visits.ts';
import { startWorker, type Worker } from '#pipeline/worker.ts';
import { type Database, isUnavailable, openDatabase } from '#store/database.ts';
import { requireDurability } from '#store/durability.ts';
import { startEmbedded } from '#store/embedded.ts';
import { migrate } from '#store/migrate.ts';
import { exchangeUsage } from '#store/rate-usage.ts';
import { type SecretBox, secretBox } from '#store/secret-box.ts';
import { type Deliveries, startDeliveries } from '#webhooks/deliver.ts';
import { resolveLocally, resolvePublicly } from '#webhooks/resolve.ts';
import { sender } from '#webhooks/send.ts';

export type Service = {
  readonly url: string;
  /** For what is not asked over HTTP: tests and tools. */
  readonly database: Database;
  readonly worker: Worker | undefined;
  readonly deliveries: Deliveries | undefined;
  /** Drains: no new work, what was accepted is finished. */
  readonly stop: () => Promise<void>;
};

/**
 * Starts the service that `config` describes and resolves once it is ready. The only place that knows all rooms: config
 * → store → pipeline and http. `print` gets what the person who starts it has to know, keys among it.
 */
export async function startService(
  config: Config,
  log: Logger,
  print: (...lines: readonly string[]) => void,
): Promise<Service> {
  const closers: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const secrets = await openSecretBox(config, print);
    const url = config.DATABASE_URL ?? (await startDatabase(config, log, print, closers));
    await prepareDatabase(url);
    const database = openDatabase(url, {
      connections: Math.ceil(config.DATABASE_CONNECTIONS / 2) - DELIVERY_CONNECTIONS,
      queryTimeoutMs: QUERY_TIMEOUT_MS,
    });
    closers.push(() => database.end());
    const reportDatabase = openDatabase(url, {
      connections: Math.floor(config.DATABASE_CONNECTIONS / 2) - WORKER_CONNECTIONS,
      steadyPlans: true,
      queryTimeoutMs: QUERY_TIMEOUT_MS,
    });
    closers.push(() => reportDatabase.end());
    const workerDatabase = openDatabase(url, {
      connections: WORKER_CONNECTIONS,
      steadyPlans: true,
      queryTimeoutMs: WORKER_QUERY_TIMEOUT_MS,
    });
    closers.push(() => workerDatabase.end());
    await requireSameKey(database, secrets);
    const { newKeys } = await ensureFirstOrganization(database, {
      secret: config.WHENCE_SECRET_KEY,
      publishable: config.WHENCE_PUBLISHABLE_KEY,
    });

    const metrics = openMetrics(database);
    const worker = config.WHENCE_ROLE === 'api' ? undefined : openWorker(workerDatabase, log, metrics);
    if (worker !== undefined) closers.push(() => worker.stop());
    const deliveries =
      config.WHENCE_ROLE === 'api' ? undefined : openDeliveries(config, url, secrets, log, metrics, closers);
    const batches = openBatches(reportDatabase, metrics, worker);
    closers.push(() => batches.drained());
    const address = await listen(config, log, { database, metrics, worker, batches, secrets }, closers);
    announce(address, newKeys, print);
    return { url: address, database, worker, deliveries, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Longer than any statement of ours takes on a busy machine; shorter than a caller waits. */
const QUERY_TIMEOUT_MS = 10_000;
/** Nobody waits for the pipeline, and its batches are long. */
const WORKER_QUERY_TIMEOUT_MS = 60_000;
const WORKER_CONNECTIONS = 2;
/** One makes messages and takes what is due, the other writes down what came of it. */
const DELIVERY_CONNECTIONS = 2;
const REACHABLE_WITHIN_MS = 1_000;

/** A migration takes the time it takes: no limit on its statements. */
async function prepareDatabase(url: string): Promise<void> {
  const database = openDatabase(url, { connections: 1 });
  try {
    await requireDurability(database);
    await migrate(database);
  } finally {
    await database.end();
  }
}

async function startDatabase(
  config: Config,
  log: Logger,
  print: (...lines: readonly string[]) => void,
  closers: (() => Promise<void>)[],
): Promise<string> {
  print(`Starting the embedded PostgreSQL in ${config.WHENCE_DATA_DIR} …`);
  const embedded = await startEmbedded({
    dataDir: config.WHENCE_DATA_DIR,
    log: (message) => log.info({ component: 'postgres' }, message),
    maxConnections: config.DATABASE_CONNECTIONS + 20,
  });
  closers.push(() => embedded.stop());
  return embedded.url;
}

function openWorker(database: Database, log: Logger, metrics: Metrics): Worker {
  return startWorker(database, {
    onFailure: (error) => log.warn({ err: error }, 'the pipeline pauses'),
    onParked: (organizationId, job, error) => {
      metrics.eventsParked.inc();
      log.error({ err: error, organizationId, eventId: job.eventId, type: job.type }, 'an event is parked');
    },
  });
}

async function openSecretBox(config: Config, print: (...lines: readonly string[]) => void): Promise<SecretBox> {
  const { key, path, isNew } = await encryptionKey(config);
  // With a database elsewhere there may be other processes, and the folder may not outlive this one.
  if (isNew && config.DATABASE_URL !== undefined) {
    print(`Made an encryption key: ${path}. Keep it: other processes on this database need the same.`);
  }
  return secretBox(key);
}

/** With connections of their own, so that a receiver never waits for a sale, nor a sale for a receiver. */
function openDeliveries(
  config: Config,
  url: string,
  secrets: SecretBox,
  log: Logger,
  metrics: Metrics,
  closers: (() => Promise<void>)[],
): Deliveries {
  const database = openDatabase(url, {
    connections: DELIVERY_CONNECTIONS,
    steadyPlans: true,
    queryTimeoutMs: WORKER_QUERY_TIMEOUT_MS,
  });
  closers.push(() => database.end());
  const privateAllowed = config.WEBHOOKS_PRIVATE_ADDRESSES === 'true';
  const deliveries = startDeliveries(database, {
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
  closers.push(() => deliveries.stop());
  return deliveries;
}

function openBatches(database: Database, metrics: Metrics, worker: Worker | undefined): ReportBatches {
  return reportBatches({
    reportVisits: visitReporting(database),
    reportSignals: signalReporting(database),
    reportSales: saleReporting(database),
    reportCouponSales: couponSaleReporting(database),
    reportLeads: leadReporting(database),
    reportRenewals: renewalReporting(database),
    reportRefunds: refundReporting(database),
    reportNamedRefunds: namedRefundReporting(database),
    // Where the connection broke, the statement may have been committed: its reports are not written again by us.
    isHarmless: (error) => !isUnavailable(error),
    onWritten: (type, reports) => {
      metrics.reports.inc({ type }, reports);
      metrics.batchSize.observe({ type }, reports);
      if (type !== 'visit' && type !== 'signal') worker?.wake();
    },
  });
}

type Parts = {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly worker: Worker | undefined;
  readonly batches: ReportBatches;
  readonly secrets: SecretBox;
};

async function listen(
  config: Config,
  log: Logger,
  { database, metrics, worker, batches, secrets }: Parts,
  closers: (() => Promise<void>)[],
): Promise<string> {
  const isApi = config.WHENCE_ROLE !== 'worker';
  const { HEADER_PREFIX: headerPrefix, BASE_PATH: basePath } = config;
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const limits = rateLimits({
    limits: { secret: config.RATE_LIMIT_SECRET, publishable: config.RATE_LIMIT_PUBLISHABLE },
    exchange: (process, usage) => exchangeUsage(database, process, usage),
    onFailure: (error) => log.warn({ err: error }, 'rate limits are not levelled'),
  });
  closers.push(() => limits.stop());
  const means = { batches, secrets, privateReceivers: config.WEBHOOKS_PRIVATE_ADDRESSES === 'true' };
  const server = createServer({
    operations: (isApi ? operations : {}) as typeof operations,
    handlers: handlers({ ...means, database }),
    answerChange: changeAnswering(operations, changeMaking(database, secrets), (transaction) =>
      handlers({ ...means, database: transaction }),
    ),
    authentication: authentication((hashes) => recognizeKeys(database, hashes)),
    rateLimits: limits,
    log,
    readiness: async () => ({
      database: await isReachable(database),
      ...(worker === undefined ? {} : { pipeline: worker.isRunning() }),
    }),
    metrics: metrics.registry,
    openapi: () => openapiDocument({ operations, version, headerPrefix, basePath }),
    basePath,
    headerPrefix,
    ...(config.TRUSTED_PROXIES === undefined ? {} : { trustedProxies: config.TRUSTED_PROXIES.split(LIST_COMMA) }),
  });
  await server.listen({ port: config.PORT, host: config.HOST });
  closers.push(() => drain(server));
  const { port } = server.server.address() as AddressInfo;
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST;
  const path = config.BASE_PATH === '/' ? '' : config.BASE_PATH;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
}

async function isReachable(database: Database): Promise<boolean> {
  const answers = database.query('select 1').then(
    () => true,
    () => false,
  );
  const silent = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), REACHABLE_WITHIN_MS).unref();
  });
  return Promise.race([answers, silent]);
}

/** What the person in front of the terminal needs next. */
function announce(url: string, { secret, publishable }: NewKeys, print: (...lines: readonly string[]) => void): void {
  print('', `Whence is ready at ${url}`);
  if (secret !== undefined) print('', `  Secret key (for your server)    ${secret}`);
  if (publishable !== undefined) print(`  Publishable key (for browsers)  ${publishable}`);
  if (secret !== undefined || publishable !== undefined) print('  They are shown this once: keep them.');
  print(
    '',
    'Next: your first sale, by copy and paste from README.md. It begins with',
    '',
    `  export WHENCE=${url} KEY=${secret ?? '<your secret key>'}`,
    `  curl -s $WHENCE/v1/programs -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
    `    -d '{"name": "Affiliates", "reward": {"type": "percent", "percent": 10}, "autoApprove": true}'`,
    '',
  );
}
