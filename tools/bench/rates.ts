import type { Database } from '#platform/postgres/database.ts';
import { waitForSums, drain } from './backlog.ts';
import type { Figures } from './figures.ts';
import { runLoad } from './load.ts';
import { type Bench, end, READY, withBench } from './processes.ts';
import { type Workload, workload } from './workload.ts';

export type RatesOptions = { readonly callers: number; readonly seconds: number };

/** The tables that a visit adds rows to, and the tables that a decided sale adds rows to. */
const TABLES = {
  visit: ['opportunities', 'visits', 'engagements'],
  sale: [
    'transactions',
    'transaction_lines',
    'events',
    'explanations',
    'conversions',
    'obligations',
    'ledger_entries',
    'ledger_blocks',
    'ledger_sums',
  ],
};
const WARM_SECONDS = 1;

/**
 * Measures the rates of the service on the database of BENCH_DATABASE_URL, and the growth of the database. Adds the
 * results to `figures`, with `name` as their prefix.
 *
 * The worker first runs in the process of the API, and then a separate worker decides a backlog. All old facts are
 * added to the sums of figures before the measurement.
 */
export async function measureRates(name: string, figures: Figures, options: RatesOptions): Promise<void> {
  await withBench(async (whole, database) => {
    await deactivateOtherPrograms(database);
    await waitForSums(database);
    const load = createLoader(whole, options);
    await load('newVisit', WARM_SECONDS);
    const visited = await measureGrowth(database, 'visit', () => load('newVisit'));
    figures.add(`${name}: new visits a second`, visited.requestsPerSecond, '');
    figures.add(`${name}: bytes a visit`, visited.bytes / visited.total, '');
    figures.add(`${name}: continuing visits a second`, (await load('continuingVisit')).requestsPerSecond, '');
    await load('sale', WARM_SECONDS);
    await drain(database);
    const started = performance.now();
    const sold = await measureGrowth(database, 'sale', async () => {
      const result = await load('sale');
      await drain(database);
      return result;
    });
    figures.add(`${name}: sales a second, while the pipeline runs`, sold.requestsPerSecond, '');
    figures.add(
      `${name}: sales a second, until all are decided`,
      sold.total / ((performance.now() - started) / 1000),
      '',
    );
    figures.add(`${name}: bytes a sale`, sold.bytes / sold.total, '');
  });
  await withBench(
    async (api, database) => {
      await deactivateOtherPrograms(database);
      const load = createLoader(api, options);
      await load('newVisit');
      const { total } = await load('sale');
      const worker = await api.start(['src/cli.js', 'start'], READY, { WHENCE_ROLE: 'worker' });
      const { backlog, seconds } = await drain(database);
      figures.add(`${name}: a backlog, sales decided a second`, backlog / seconds, '');
      figures.add(`${name}: a backlog, size`, total, ' sales');
      await end(worker.child);
    },
    { WHENCE_ROLE: 'api' },
  );
}

type Kind = 'newVisit' | 'continuingVisit' | 'sale';

function createLoader({ port, key }: Bench, { callers, seconds }: RatesOptions) {
  // Order ids must differ from the order ids of earlier measurements.
  const shop: Workload = workload(key, `growth-${Date.now()}`);
  return (kind: Kind, time = seconds) =>
    runLoad({ port, callers, seconds: time, next: shop[kind], onAnswer: shop.keep });
}

async function measureGrowth<Result>(
  database: Database,
  kind: keyof typeof TABLES,
  work: () => Promise<Result>,
): Promise<Result & { readonly bytes: number }> {
  const before = await sizeOf(database, TABLES[kind]);
  const result = await work();
  return { ...result, bytes: (await sizeOf(database, TABLES[kind])) - before };
}

/** Returns the size of tables with all indexes and partitions, in bytes. */
async function sizeOf(database: Database, tables: readonly string[]): Promise<number> {
  const { rows } = await database.query<{ size: number }>(
    `select sum(pg_total_relation_size(coalesce(i.inhrelid, t.oid)))::bigint as size
     from unnest($1::regclass[]) as t (oid) left join pg_inherits i on i.inhparent = t.oid`,
    [tables],
  );
  return rows[0]?.size ?? 0;
}

/**
 * Deactivates every program of the first organization except the newest program of the bench. A visit then creates an
 * engagement in only one program, even on a reused database.
 */
export async function deactivateOtherPrograms(database: Database): Promise<void> {
  await database.query(
    `with first as (
       select min(id) as id from organizations
     ), resting as (
       select v.* from program_versions v join programs p
         on p.organization_id = v.organization_id and p.id = v.program_id and p.version = v.version
       where v.organization_id = (select id from first) and v.status = 'active' and p.id <> (
         select max(program_id) from program_versions where organization_id = (select id from first) and name = 'Bench')
     ), changed as (
       update organizations set config_version = config_version + 1 where id = (select id from first)
       returning config_version
     ), raised as (
       update programs p set version = p.version + 1 from resting r
       where p.organization_id = r.organization_id and p.id = r.program_id
     )
     insert into program_versions
       (organization_id, program_id, version, config_version, name, status, currency, window_days, attribution, reward,
        counted_lines, triggers, pays, auto_approve, enrollment, credits_per, collaborator_rewards)
     select organization_id, program_id, version + 1, c.config_version, name, 'inactive', currency, window_days, attribution,
       reward, counted_lines, triggers, pays, auto_approve, enrollment, credits_per, collaborator_rewards
     from resting cross join changed c`,
  );
}
