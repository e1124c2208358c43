import { parseArgs } from 'node:util';
import { runBacktest } from '#backtest/reactions/run-backtest.ts';
import type { OpportunityId, OrganizationId, ProgramId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { inTenantTransaction } from '#platform/postgres/tenant.ts';
import { findCurrentProgram, type ProgramFields } from '#programs/store/programs.ts';
import { createSaleReporter } from '#sales/commands/report-sales.ts';
import { createVisitReporter } from '#tracking/commands/report-visits.ts';
import { drain } from './backlog.ts';
import { numeral } from './figures.ts';
import { COLLABORATORS, READY, startBench } from './processes.ts';

/*
 * `npm run bench:backtest`: measures how long a worker takes to decide a backlog of sales, and how long a backtest of
 * the same sales takes. With `--capped`, the program has a cap per period, so events are decided in order.
 */

const { values: options } = parseArgs({
  options: {
    sales: { type: 'string', default: '20000' },
    capped: { type: 'boolean', default: false },
  },
});
const SALES = Number(options.sales);
const BATCH = 64;
const ORGANIZATION = 1 as OrganizationId;
const PERIOD = { from: 0 as Instant, until: (Date.UTC(2200, 0, 1) * 1_000) as Instant };
const CAP = { period: 'month', amount: 900_000_000n as Minor } as const;

const bench = await startBench({ WHENCE_ROLE: 'api' });
const database = openDatabase(bench.databaseUrl, { connections: 4, steadyPlans: true });
try {
  const { id, fields } = await findProgram(database);
  if (options.capped) {
    const response = await fetch(`http://127.0.0.1:${bench.port}/v1/programs/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ capPerPeriod: { period: CAP.period, amount: Number(CAP.amount) } }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
  await fill(database);
  const worker = await bench.start(['src/cli.js', 'start'], READY, {
    DATABASE_URL: bench.databaseUrl,
    WHENCE_ROLE: 'worker',
  });
  const { backlog, seconds } = await drain(database);
  show('a worker decides the backlog', seconds, backlog);
  worker.child.kill();
  for (const percent of [10, 20, 30]) {
    const terms: ProgramFields = {
      ...fields,
      reward: { type: 'percent', ratePpm: percent * 10_000 },
      capPerPeriod: options.capped ? CAP : null,
    };
    const began = performance.now();
    let copied: number | undefined;
    const connection = await database.connect();
    const outcome = await runBacktest(
      { connection, organizationId: ORGANIZATION },
      { period: PERIOD, drafts: [{ name: 'draft', programs: [{ programId: id, terms, enrolled: null }] }] },
      { onProgress: () => (copied ??= performance.now()) },
    );
    connection.release(true);
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    const took = (performance.now() - began) / 1000;
    show(`a backtest of ${percent}%`, took, outcome.decided);
    show('  until the first batch', ((copied ?? began) - began) / 1000, outcome.decided);
    process.stdout.write(`  share of the worker's time: ${numeral(took / seconds, 2)}\n`);
  }
} finally {
  await database.end();
  await bench.stop();
}

async function findProgram(database: Database): Promise<{ id: ProgramId; fields: ProgramFields }> {
  const { rows } = await database.query<{ id: ProgramId }>('select min(id) as id from programs');
  const id = (rows[0] as { id: ProgramId }).id;
  const found = await inTenantTransaction({ connection: database, organizationId: ORGANIZATION }, (tenant) =>
    findCurrentProgram(tenant, id),
  );
  if (found === undefined) throw new Error('The bench has no program.');
  return { id, fields: found.fields };
}

async function fill(database: Database): Promise<void> {
  const reportVisits = createVisitReporter(database);
  const reportSales = createSaleReporter(database);
  const total = 4_999n as Minor;
  for (let done = 0; done < SALES; done += BATCH) {
    const visits = await reportVisits(
      ORGANIZATION,
      Array.from({ length: BATCH }, (_, n) => ({
        collaborator: { kind: 'alias', type: 'tracking', codeKey: `c${(done + n) % COLLABORATORS}` },
        presented: null,
        userId: null,
        key: null,
      })),
    );
    const opportunities = visits.flatMap((visit): OpportunityId[] =>
      visit?.kind === 'recorded' ? [visit.opportunityId] : [],
    );
    await reportSales(
      ORGANIZATION,
      opportunities.map((opportunityId, n) => ({
        source: 'bench',
        externalId: `order-${done + n}`,
        total,
        currency: 'USD',
        opportunityId,
        lines: [{ externalId: null, name: `Article ${n}`, type: 'product', quantity: 1, amount: total, total }],
      })),
    );
  }
}

function show(name: string, seconds: number, sales: number): void {
  process.stdout.write(`${name.padEnd(36)} ${numeral(seconds, 2)} s, ${numeral(sales / seconds)} sales a second\n`);
}
