import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Database } from '#store/database.ts';
import { countJobs } from '#store/jobs.ts';

export type Metrics = {
  readonly registry: Registry;
  readonly reports: Counter<'type'>;
  readonly batchSize: Histogram<'type'>;
  readonly eventsParked: Counter;
};

/** How long a count of what waits is good for, so that a scrape is never a burden. */
const COUNT_FRESH_MS = 1_000;

/** The process's metrics. Nothing of a tenant is in them. */
export function openMetrics(database: Database): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let counted: { at: number; jobs: ReturnType<typeof countJobs> } | undefined;
  const jobs = (): ReturnType<typeof countJobs> => {
    const now = performance.now();
    if (counted === undefined || now - counted.at > COUNT_FRESH_MS) counted = { at: now, jobs: countJobs(database) };
    return counted.jobs;
  };
  const gauge = (name: string, help: string, read: (counts: Awaited<ReturnType<typeof jobs>>) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // A scrape while the database is down still answers with the rest.
        this.set(await jobs().then(read, () => Number.NaN));
      },
    });
  };
  gauge('whence_events_pending', 'Events that wait to be decided (counted up to 100,000)', ({ pending }) => pending);
  gauge('whence_events_parked_now', 'Events that are parked with an error', ({ parked }) => parked);
  gauge('whence_event_lag_seconds', 'Age of the oldest event that waits', ({ lagSeconds }) => lagSeconds);
  return {
    registry,
    reports: new Counter({
      name: 'whence_reports_total',
      help: 'Reports written, by type',
      labelNames: ['type'],
      registers: [registry],
    }),
    batchSize: new Histogram({
      name: 'whence_batch_reports',
      help: 'Reports written by one statement',
      labelNames: ['type'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000],
      registers: [registry],
    }),
    eventsParked: new Counter({ name: 'whence_events_parked_total', help: 'Events parked', registers: [registry] }),
  };
}
