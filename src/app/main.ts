import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { announceAddress, announceFirstOwner, announceKeys } from '#access/commands/announcement.ts';
import { type Background, startBackground } from './background.ts';
import { type Config, customDomainsOf, headerPrefixesOf, listOf, publicUrlOf } from './config.ts';
import {
  batchesOfOrganization,
  connectionsOfCalls,
  type Databases,
  exportsAtOnce,
  openDatabases,
  openReplica,
  type ReplicaReads,
} from './databases.ts';
import { encryptionKey, requireSameKey } from './encryption-key.ts';
import { type Metrics, openMetrics } from './metrics.ts';
import { BATCH_FAILURES, openBatches } from './open-batches.ts';
import { VERSION } from '#platform/version.ts';
import { openapiDocument } from './openapi/openapi.ts';
import { operations, served } from './operations.ts';
import { authentication, type Recognition, sessionAuthentication } from '#access/commands/authentication.ts';
import { createChangeAnswerer } from '#access/routes/changes.ts';
import { drain } from '#platform/http/draining.ts';
import { withinAnswerLimit } from '#platform/http/answer-limit.ts';
import { callLimits } from '#platform/http/call-limits.ts';
import { exportLimits } from '#platform/http/export-limits.ts';
import { createHandlers } from './handlers.ts';
import { rateLimits } from '#platform/http/rate-limits.ts';
import { readFromReplica } from '#platform/http/replica-reads.ts';
import type { ReportBatches } from '#sales/routes/report-batches.ts';
import { createServer } from '#platform/http/server.ts';
import { answerMerchantDomains } from './pages/merchant-domains.ts';
import { answerShortLinks } from './pages/short-links.ts';
import { portalAtRoot } from './pages/web-pages.ts';
import { servicePages } from './pages/service-pages.ts';
import { type MerchantDomains, merchantDomains } from '#portal/commands/merchant-domains.ts';
import { findPageOfLink } from '#collaborators/store/aliases.ts';
import { customDomains } from '#organizations/domain/custom-domains.ts';
import { readDomains } from '#organizations/store/domains.ts';
import { shortLinks } from '#portal/routes/short-links.ts';
import { sessionCookies } from '#access/routes/session-cookies.ts';
import { unknownCodes } from '#collaborators/routes/unknown-codes.ts';
import { ensureFirstOrganization } from '#access/commands/found-organization.ts';
import { inviteFirstOwner } from '#access/commands/invite-first-owner.ts';
import { createChangeMaker } from '#access/commands/make-change.ts';
import { recognizeKeys, recognizeSessions } from '#access/commands/recognize-keys.ts';
import { createInboxFinder, createReceiverFinder } from '#connectors/commands/find-inboxes.ts';
import { type InboxBatch, inboxBatch, inboxHandlers } from '#connectors/routes/inbox.ts';
import type { Worker } from './worker/worker.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { requireDurability } from '#platform/postgres/durability.ts';
import type { Embedded } from '#platform/postgres/embedded/embedded.ts';
import { migrate, requireUpgradable } from '#platform/postgres/migrate.ts';
import type { Pooler } from '#platform/postgres/pool.ts';
import { readEmbedOrigins, readLogo } from '#organizations/store/read/portals.ts';
import { findFile, readFileContent } from '#materials/store/materials.ts';
import { emailLinks } from './email-links.ts';
import { type SecretBox, secretBox } from '#platform/crypto/secret-box.ts';
import { grantServicePrivileges, roleOf, serviceUrl } from '#platform/postgres/service-role.ts';
import type { Deliveries } from '#webhooks/reactions/deliver.ts';
import type { AnswerChange } from '#platform/http/handler.ts';

export type Service = {
  readonly url: string;
  /** The database, for tests and tools that don't use HTTP. */
  readonly database: Database;
  readonly worker: Worker | undefined;
  readonly deliveries: Deliveries | undefined;
  /** Stops the service. It finishes accepted requests, and accepts no new requests. */
  readonly stop: () => Promise<void>;
};

/**
 * Starts the service that `config` describes, and resolves once it is ready. This is the only place that connects all
 * parts: settings, database, background work and HTTP. `print` receives lines for the operator, including new keys.
 * `embedded` is the embedded PostgreSQL. It is used if no database is configured, and is stopped with the service.
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

    const metrics = openMetrics(database, VERSION);
    const replica = openReplica(config, databases, log, metrics);
    if (replica !== undefined) closers.push(() => replica.end());
    const background =
      config.WHENCE_ROLE === 'api' ? undefined : startBackground(config, databases, secrets, log, metrics, print);
    if (background !== undefined) closers.push(() => background.stop());
    const worker = background?.worker;
    const share = batchesOfOrganization(config.DATABASE_CONNECTIONS);
    const batches = openBatches(databases.reports, share, log, metrics, worker);
    closers.push(() => batches.drained());
    const inbox = inboxBatch(databases.reports, BATCH_FAILURES, (events) => {
      metrics.connectorEvents.inc(events);
      worker?.wake();
    });
    closers.push(() => inbox.drained());
    const parts = { databases, replica, metrics, background, batches, inbox, secrets };
    const { address, publicUrl } = await listen(config, log, parts, closers);
    announceAddress(address, newKeys, print);
    if (config.WHENCE_ROLE !== 'worker') announceFirstOwner(await inviteFirstOwner(database, publicUrl), print);
    return { url: address, database, worker, deliveries: background?.deliveries, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const REACHABLE_WITHIN_MS = 1_000;

/**
 * Migrates the database as its owner, and returns the URL with which the service connects. With an embedded database or
 * DATABASE_OWNER_URL, the service has its own role, which can only read and write rows. Migration statements have no
 * time limit.
 */
async function prepareDatabase(config: Config, embeddedUrl: string | undefined): Promise<string> {
  const { DATABASE_URL: given, DATABASE_OWNER_URL: ownerUrl = given ?? embeddedUrl, DATABASE_POOLER: pooler } = config;
  if (ownerUrl === undefined)
    throw new Error(
      'There is no database: DATABASE_URL is not set, and no embedded database is running. Set DATABASE_URL.',
    );
  const owner = openDatabase(ownerUrl, { connections: 1, pooler });
  try {
    await requireUpgradable(owner);
    const url = given ?? (await serviceUrl(owner, ownerUrl));
    const role = await withDatabase(url, pooler, async (database) => {
      await requireDurability(database);
      return roleOf(database);
    });
    await migrate(owner);
    if (url !== ownerUrl) await grantServicePrivileges(owner, role);
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
  // An external database may be shared with other processes, and may outlive this data folder. So the key must be
  // stored elsewhere as well.
  if (isNew && config.DATABASE_URL !== undefined) {
    print(
      `Created an encryption key: ${path}. Store it, because all other processes on this database need the same key.`,
    );
  }
  return secretBox(key);
}

type Parts = {
  readonly databases: Databases;
  readonly replica: ReplicaReads | undefined;
  readonly metrics: Metrics;
  readonly background: Background | undefined;
  readonly batches: ReportBatches;
  readonly inbox: InboxBatch;
  readonly secrets: SecretBox;
};

async function listen(
  config: Config,
  log: Logger,
  { databases, replica, metrics, background, batches, inbox, secrets }: Parts,
  closers: (() => Promise<void>)[],
): Promise<{ readonly address: string; readonly publicUrl: string }> {
  const isApi = config.WHENCE_ROLE !== 'worker';
  const database = databases.calls;
  const headerPrefixes = headerPrefixesOf(config);
  const { BASE_PATH: basePath } = config;
  const base = basePath === '/' ? '' : basePath;
  let heardAt = config.PORT;
  const publicUrl = (): string => publicUrlOf(config, heardAt);
  const cookies = sessionCookies(publicUrl);
  const privateReceivers = config.WEBHOOKS_PRIVATE_ADDRESSES === 'true';
  const lateReportDays = config.LATE_REPORT_DAYS;
  const codes = unknownCodes();
  const allowedDomains = customDomains(customDomainsOf(config), new URL(publicUrl()).hostname);
  const domains = merchantDomains(() => withinAnswerLimit(() => readDomains(databases.reports)), allowedDomains);
  const handlers = createHandlers({
    batches,
    unknownCodes: codes,
    secrets,
    customDomains: allowedDomains,
    canBacktest: config.DATABASE_POOLER === 'none',
    lateReportDays,
    privateReceivers,
    cookies,
    publicUrl,
  });
  const answerChange = createChangeAnswerer(operations, createChangeMaker(database, secrets), handlers);
  const keys = authentication((hashes) => withinAnswerLimit(() => recognizeKeys(databases.reports, hashes)));
  const sessions = sessionAuthentication((hashes) =>
    withinAnswerLimit(() => recognizeSessions(databases.calls, hashes)),
  );
  const forgetting = forgetChanges(answerChange, { keys, sessions, domains });
  const answer = background === undefined ? forgetting : notifyWorkersAfter(forgetting, background);
  const findInbox = createInboxFinder(databases.reports, secrets);
  const calls = callLimits({ connections: connectionsOfCalls(config.DATABASE_CONNECTIONS) });
  const countRequest = rateLimits({ secret: config.RATE_LIMIT_SECRET, publishable: config.RATE_LIMIT_PUBLISHABLE });
  const onFailure = (error: unknown): void => log.warn({ err: error }, 'the visit of a short link was not recorded');
  const links = shortLinks({
    batches,
    unknownCodes: codes,
    findPage: (organizationId, code) => findPageOfLink({ connection: databases.reports, organizationId }, code),
    onFailure,
  });
  const reachable = reachability(databases);
  const webPages = {
    embedOriginsOf: (slug: string) => readEmbedOrigins(database, slug),
    sendsMail: config.SMTP_URL !== undefined,
  };
  const server = createServer({
    ...(isApi && {
      answerDomain: answerMerchantDomains(domains, {
        basePath: base,
        publicUrl,
        sendShortLink: answerShortLinks(links, countRequest),
        sendPortal: portalAtRoot(base, { ...webPages, headerPrefix: headerPrefixes[0] }, countRequest),
      }),
    }),
    operations: (isApi ? served : {}) as typeof served,
    handlers: {
      ...(replica === undefined ? handlers : readFromReplica(operations, handlers, replica)),
      ...inboxHandlers(databases.reports, findInbox, inbox),
    },
    database,
    answerChange: answer,
    authentication: keys,
    sessions: { authentication: sessions, cookies },
    countRequest,
    findReceiver: createReceiverFinder(findInbox),
    exports: exportLimits({ atOnce: exportsAtOnce(config.DATABASE_CONNECTIONS) }),
    calls,
    log,
    pages: servicePages({
      readiness: async () => ({
        database: await reachable(),
        ...(background === undefined ? {} : { pipeline: background.worker.isRunning() }),
      }),
      metrics: metrics.registry,
      version: VERSION,
      openapi: () => openapiDocument({ operations, version: VERSION, headerPrefix: headerPrefixes[0], basePath }),
      ...(isApi && {
        webPages,
        portalLogo: (slug) => readLogo(database, slug),
        materialFiles: {
          find: (key) => findFile(database, key),
          read: (key) => readFileContent(database, key),
        },
        countRequest,
        takePlace: calls.visitors,
        ...emailLinks(database, secrets),
      }),
      headerPrefixes,
    }),
    basePath,
    headerPrefixes,
    isSecure: config.PUBLIC_URL?.startsWith('https:') === true,
    ...(config.TRUSTED_PROXIES === undefined ? {} : { trustedProxies: listOf(config.TRUSTED_PROXIES) }),
  });
  await server.listen({ port: config.PORT, host: config.HOST });
  closers.push(() => drain(server));
  const { port } = server.server.address() as AddressInfo;
  heardAt = port;
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}${base}`;
  return { address, publicUrl: publicUrl() };
}

/**
 * Wraps `answerChange`, so that this process discards cached data after successful changes. After a change with the
 * scope `keys:write`, it discards its cached API keys. After a change with the scope `people:write`, `account` or
 * `portal`, it discards its cached sessions. After a change of the portal settings, it discards its cached domains. The
 * change is then effective as soon as the response is sent, and not only when cached values expire. Refused calls
 * discard nothing. Otherwise, a flood of such calls would make every organization's keys be looked up again and again.
 */
function forgetChanges(
  answerChange: AnswerChange,
  {
    keys,
    sessions,
    domains,
  }: Readonly<Record<'keys' | 'sessions', Recognition>> & { readonly domains: MerchantDomains },
): AnswerChange {
  return async (id, ...call) => {
    const answer = await answerChange(id, ...call);
    if (answer.kind === 'problem') return answer;
    const { scope } = operations[id as keyof typeof operations];
    if (scope === 'keys:write') keys.forget();
    if (scope === 'people:write' || scope === 'account' || scope === 'portal') sessions.forget();
    if (id === ('changePortalSettings' satisfies keyof typeof operations)) domains.forget();
    return answer;
  };
}

/**
 * Wraps `answerChange`, so that each change wakes the poller. Follow-up jobs, such as deciding an event again, then
 * start immediately.
 */
function notifyWorkersAfter(answerChange: AnswerChange, background: Background): AnswerChange {
  return async (...call) => {
    const answer = await answerChange(...call);
    background.look();
    return answer;
  };
}

/**
 * Returns a function that checks whether the database responds. Concurrent calls share one query, because anyone can
 * call `/readyz`.
 */
function reachability(databases: Databases): () => Promise<boolean> {
  let checking: Promise<boolean> | undefined;
  return () =>
    (checking ??= isReachable(databases).finally(() => {
      checking = undefined;
    }));
}

async function isReachable({ reports }: Databases): Promise<boolean> {
  const answers = reports.query('select 1').then(
    () => true,
    () => false,
  );
  const timeout = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), REACHABLE_WITHIN_MS).unref();
  });
  return Promise.race([answers, timeout]);
}
