import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '#platform/postgres/database.ts';
import { countJobs } from '#platform/worker/jobs.ts';
import { webhookLag } from '#webhooks/store/webhook-deliveries.ts';

export type Metrics = {
  readonly registry: Registry;
  readonly reports: Counter<'type'>;
  readonly batchSize: Histogram<'type'>;
  readonly eventsDeadLettered: Counter;
  readonly connectorEvents: Counter;
  readonly connectorEventsDeadLettered: Counter;
  readonly webhookAttempts: Counter<'outcome'>;
  readonly webhooksPaused: Counter<'reason'>;
  readonly emails: Counter<'outcome'>;
  readonly replicaReads: Counter<'from'>;
  /** Adds the gauge that shows whether the replica is in use. */
  readonly watchReplica: (isUsable: () => boolean) => void;
};

/**
 * How long a measurement in the database, such as the number of pending jobs, is cached, in milliseconds. Frequent
 * scrapes then don't load the database.
 */
const COUNT_FRESH_MS = 1_000;

/** Creates the metrics of the process, which contain no tenant data. */
export function openMetrics(database: Database, version: string): Metrics {
  const registry = new Registry();
  new Gauge({
    name: 'whence_build_info',
    help: 'The version of Whence and of Node, as labels; always 1',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.version }, 1);
  addProcessMetrics(registry);
  const gauge = (name: string, help: string, read: () => Promise<number>): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // A scrape while the database is down still returns all other metrics.
        this.set(await read().catch(() => Number.NaN));
      },
    });
  };
  const jobs = cacheCount(() => countJobs(database));
  gauge(
    'whence_events_pending',
    'Events waiting to be decided (counted up to 100,000)',
    async () => (await jobs()).pending,
  );
  gauge('whence_events_dead_lettered_now', 'Dead-lettered events', async () => (await jobs()).deadLettered);
  gauge('whence_event_lag_seconds', 'Age of the oldest waiting event', async () => (await jobs()).lagSeconds);
  const lag = cacheCount(() => webhookLag(database));
  gauge('whence_webhook_lag_seconds', 'Waiting time of the oldest due outbox row or delivery', lag);
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers: [registry] });
  return {
    registry,
    reports: counter('whence_reports_total', 'Reports written, by type', 'type'),
    batchSize: new Histogram({
      name: 'whence_batch_reports',
      help: 'Reports in a batch',
      labelNames: ['type'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000],
      registers: [registry],
    }),
    eventsDeadLettered: counter('whence_events_dead_lettered_total', 'Events dead-lettered'),
    connectorEvents: counter('whence_connector_events_total', 'Signed events of connectors received'),
    connectorEventsDeadLettered: counter(
      'whence_connector_events_dead_lettered_total',
      'Events of connectors dead-lettered',
    ),
    webhookAttempts: counter(
      'whence_webhook_attempts_total',
      'Delivery attempts to webhooks, by the resulting state of the delivery',
      'outcome',
    ),
    webhooksPaused: counter('whence_webhooks_paused_total', 'Webhooks paused by the service, by reason', 'reason'),
    emails: counter(
      'whence_emails_total',
      'Attempts to send emails, by outcome: sent, retried or discarded',
      'outcome',
    ),
    replicaReads: counter(
      'whence_replica_reads_total',
      'Requests for lists and reports that a replica can answer, by the database that answered: replica, primary',
      'from',
    ),
    watchReplica: (isUsable) =>
      gauge('whence_replica_usable', 'Whether the replica is in use (1) or not (0)', async () => Number(isUsable())),
  };
}

/**
 * The interval of the timer that measures the event loop's delay, in milliseconds. With this value, the timer
 * practically never fires. By default, prom-client measures the delay a hundred times a second.
 */
const DELAY_RESOLUTION_MS = 24 * 60 * 60 * 1000;

/**
 * Adds the default metrics of a Node process, except the histogram of the event loop's delay. Its timer would cause
 * most of the CPU use of an idle process. A counter of the loop's utilization replaces it, and needs no timer.
 */
function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: DELAY_RESOLUTION_MS });
  for (const figure of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']) {
    registry.removeSingleMetric(`nodejs_eventloop_lag_${figure}_seconds`);
  }
  new Counter({
    name: 'whence_event_loop_active_seconds_total',
    help: 'Time in which the event loop was busy; the rate of this counter is the used share of a processor',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1_000);
    },
  });
}

/** Returns a function that caches the result of `count` for COUNT_FRESH_MS. */
function cacheCount<Count>(count: () => Promise<Count>): () => Promise<Count> {
  let last: { at: number; count: Promise<Count> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > COUNT_FRESH_MS) last = { at: now, count: count() };
    return last.count;
  };
}
