import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { announce, announceFirstOwner, announceKeys } from './announcement.ts';
import { type Background, startBackground } from './background.ts';
import { type Config, LIST_COMMA, publicUrlOf } from './config.ts';
import { type Databases, openDatabases, openReplica, type ReplicaReads } from './databases.ts';
import { encryptionKey, requireSameKey } from './encryption-key.ts';
import { type Metrics, openMetrics } from './metrics.ts';
import { openapiDocument } from '#contract/openapi.ts';
import { operations } from '#contract/operations.ts';
import { authentication, sessionAuthentication } from '#http/authentication.ts';
import { type AnswerChange, changeAnswering } from '#http/changes.ts';
import { drain } from '#http/draining.ts';
import { handlers } from '#http/handlers.ts';
import { rateLimits } from '#http/rate-limits.ts';
import { readingElsewhere } from '#http/replica-reads.ts';
import { type ReportBatches, reportBatches } from '#http/report-batches.ts';
import { createServer } from '#http/server.ts';
import { sessionCookies } from '#http/session-cookies.ts';
import { answeringWhileHeard } from '#http/while-heard.ts';
import { ensureFirstOrganization } from '#operations/found-organization.ts';
import { inviteFirstOwner } from '#operations/invite-first-owner.ts';
import { changeMaking } from '#operations/make-change.ts';
import { recognizeKeys, recognizeSessions } from '#operations/recognize-keys.ts';
import { namedRefundReporting, refundReporting } from '#operations/report-refunds.ts';
import { couponSaleReporting } from '#operations/report-coupon-sales.ts';
import { leadReporting } from '#operations/report-leads.ts';
import { renewalReporting } from '#operations/report-renewals.ts';
import { saleReporting } from '#operations/report-sales.ts';
import { signalReporting } from '#operations/report-signals.ts';
import { visitReporting } from '#operations/report-visits.ts';
import type { Worker } from '#pipeline/worker.ts';
import { type Database, isUnavailable, openDatabase } from '#store/database.ts';
import { requireDurability } from '#store/durability.ts';
import type { Embedded } from '#store/embedded.ts';
import { migrate } from '#store/migrate.ts';
import type { Pooler } from '#store/pooler.ts';
import { exchangeUsage } from '#store/rate-usage.ts';
import { readEmbedOrigins, readLogo } from '#store/read/portals.ts';
import { type SecretBox, secretBox } from '#store/secret-box.ts';
import { letServe, roleOf, serviceUrl } from '#store/service-role.ts';
import type { Deliveries } from '#webhooks/deliver.ts';

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
 * → store → pipeline and http. `print` gets what the person who starts it has to know, keys among it. `embedded` is the
 * database where the settings name none: it ends with the service.
 */
export async function startService(
  config: Config,
  log: Logger,
  print: (...lines: readonly string[]) => void,
  embedded?: Promise<Embedded>,
): Promise<Service> {
  const closers: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    if (embedded !== undefined) closers.push(async () => (await embedded).stop());
    const secrets = await openSecretBox(config, print);
    const url = await prepareDatabase(config, (await embedded)?.url);
    const databases = openDatabases(url, config.DATABASE_CONNECTIONS, config.DATABASE_POOLER);
    closers.push(() => databases.end());
    const database = databases.calls;
    await requireSameKey(database, secrets);
    const { newKeys } = await ensureFirstOrganization(database, {
      secret: config.WHENCE_SECRET_KEY,
      publishable: config.WHENCE_PUBLISHABLE_KEY,
    });
    announceKeys(newKeys, print);

    const metrics = openMetrics(database);
    const replica = openReplica(config, databases, log, metrics);
    if (replica !== undefined) closers.push(() => replica.end());
    const background =
      config.WHENCE_ROLE === 'api' ? undefined : startBackground(config, databases, secrets, log, metrics, print);
    if (background !== undefined) closers.push(() => background.stop());
    const worker = background?.worker;
    const batches = openBatches(databases.reports, log, metrics, worker);
    closers.push(() => batches.drained());
    const parts = { databases, replica, metrics, background, batches, secrets };
    const { address, publicUrl } = await listen(config, log, parts, closers);
    announce(address, newKeys, print);
    if (config.WHENCE_ROLE !== 'worker') announceFirstOwner(await inviteFirstOwner(database, publicUrl), print);
    return { url: address, database, worker, deliveries: background?.deliveries, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const REACHABLE_WITHIN_MS = 1_000;

/**
 * Brings the database to the newest version as its owner, and answers the URL by which the service reads and writes rows. A
 * migration takes the time it takes: no limit on its statements.
 */
async function prepareDatabase(config: Config, embeddedUrl: string | undefined): Promise<string> {
  const { DATABASE_URL: given, DATABASE_OWNER_URL: ownerUrl = given ?? embeddedUrl, DATABASE_POOLER: pooler } = config;
  if (ownerUrl === undefined) throw new Error('There is no database to start on.');
  const owner = openDatabase(ownerUrl, { connections: 1, pooler });
  try {
    const url = given ?? (await serviceUrl(owner, ownerUrl));
    const role = await withDatabase(url, pooler, async (database) => {
      await requireDurability(database);
      return roleOf(database);
    });
    await migrate(owner);
    if (url !== ownerUrl) await letServe(owner, role);
    return url;
  } finally {
    await owner.end();
  }
}

async function withDatabase<Result>(
  url: string,
  pooler: Pooler,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(url, { connections: 1, pooler });
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}

async function openSecretBox(config: Config, print: (...lines: readonly string[]) => void): Promise<SecretBox> {
  const { key, path, isNew } = await encryptionKey(config);
  // With a database elsewhere there may be other processes, and the folder may not outlive this one.
  if (isNew && config.DATABASE_URL !== undefined) {
    print(`Made an encryption key: ${path}. Keep it: other processes on this database need the same.`);
  }
  return secretBox(key);
}

function openBatches(database: Database, log: Logger, metrics: Metrics, worker: Worker | undefined): ReportBatches {
  const onFailure = (error: unknown): void => log.warn({ err: error }, 'a part of a batch was not written');
  return reportBatches({
    reportVisits: visitReporting(database, onFailure),
    reportSignals: signalReporting(database, onFailure),
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
  readonly databases: Databases;
  readonly replica: ReplicaReads | undefined;
  readonly metrics: Metrics;
  readonly background: Background | undefined;
  readonly batches: ReportBatches;
  readonly secrets: SecretBox;
};

async function listen(
  config: Config,
  log: Logger,
  { databases, replica, metrics, background, batches, secrets }: Parts,
  closers: (() => Promise<void>)[],
): Promise<{ readonly address: string; readonly publicUrl: string }> {
  const isApi = config.WHENCE_ROLE !== 'worker';
  const database = databases.calls;
  const { HEADER_PREFIX: headerPrefix, BASE_PATH: basePath } = config;
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const limits = rateLimits({
    limits: { secret: config.RATE_LIMIT_SECRET, publishable: config.RATE_LIMIT_PUBLISHABLE },
    hashKey: secrets.hashKey,
    exchange: (process, usage) => exchangeUsage(databases.reports, process, usage),
    onFailure: (error) => log.warn({ err: error }, 'rate limits are not levelled'),
  });
  closers.push(() => limits.stop());
  let heardAt = config.PORT;
  const publicUrl = (): string => publicUrlOf(config, heardAt);
  const cookies = sessionCookies(publicUrl);
  const privateReceivers = config.WEBHOOKS_PRIVATE_ADDRESSES === 'true';
  const means = { batches, secrets, privateReceivers, cookies, publicUrl };
  const answerChange = changeAnswering(operations, changeMaking(database, secrets), (transaction) =>
    handlers({ ...means, database: transaction }),
  );
  const { whileHeard } = databases;
  const here = answeringWhileHeard(handlers({ ...means, database }), whileHeard);
  const answer = background === undefined ? answerChange : telling(answerChange, background);
  const server = createServer({
    operations: (isApi ? operations : {}) as typeof operations,
    handlers:
      replica === undefined
        ? here
        : readingElsewhere(operations, here, handlers({ ...means, database: replica.database }), replica.read),
    answerChange: (...call) => whileHeard(() => answer(...call)),
    authentication: authentication((hashes) => whileHeard(() => recognizeKeys(databases.reports, hashes))),
    sessions: {
      authentication: sessionAuthentication((hashes) => whileHeard(() => recognizeSessions(databases.calls, hashes))),
      cookies,
    },
    rateLimits: limits,
    log,
    readiness: async () => ({
      database: await isReachable(databases),
      ...(background === undefined ? {} : { pipeline: background.worker.isRunning() }),
    }),
    metrics: metrics.registry,
    openapi: () => openapiDocument({ operations, version, headerPrefix, basePath }),
    ...(isApi && {
      webPages: { embedOriginsOf: (slug) => whileHeard(() => readEmbedOrigins(database, slug)) },
      portalLogo: (slug) => whileHeard(() => readLogo(database, slug)),
    }),
    basePath,
    headerPrefix,
    isSecure: config.PUBLIC_URL?.startsWith('https:') === true,
    ...(config.TRUSTED_PROXIES === undefined ? {} : { trustedProxies: config.TRUSTED_PROXIES.split(LIST_COMMA) }),
  });
  await server.listen({ port: config.PORT, host: config.HOST });
  closers.push(() => drain(server));
  const { port } = server.server.address() as AddressInfo;
  heardAt = port;
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST;
  const path = config.BASE_PATH === '/' ? '' : config.BASE_PATH;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  return { address, publicUrl: publicUrl() };
}

/** What a change leaves to be done (an event to be decided again, a message to be sent) begins at once. */
function telling(answerChange: AnswerChange, background: Background): AnswerChange {
  return async (...call) => {
    const answer = await answerChange(...call);
    background.look();
    return answer;
  };
}

async function isReachable({ reports, whileHeard }: Databases): Promise<boolean> {
  const answers = whileHeard(() => reports.query('select 1')).then(
    () => true,
    () => false,
  );
  const silent = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), REACHABLE_WITHIN_MS).unref();
  });
  return Promise.race([answers, silent]);
}
