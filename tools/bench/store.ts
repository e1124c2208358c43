import type { OpportunityId, OrganizationId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { createSaleReporter } from '#sales/commands/report-sales.ts';
import { createVisitReporter } from '#tracking/commands/report-visits.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { COLLABORATORS } from './processes.ts';

type Rates = [name: string, perSecond: number][];

const BATCH = 64;
const CONNECTIONS = 16;
const ORGANIZATION = 1 as OrganizationId;

/**
 * Returns the durable visits and undecided sales per second without HTTP, with 64 reports per statement on one
 * connection.
 */
export async function batchedStore(url: string, seconds: number): Promise<Rates> {
  return measure(url, seconds, { name: 'the database layer alone, 64 a commit', loops: 1, batch: BATCH });
}

/**
 * Returns the durable visits and undecided sales per second without HTTP, with one commit per report on 16 connections.
 */
export async function singleStore(url: string, seconds: number): Promise<Rates> {
  return measure(url, seconds, { name: 'the database layer alone, one a commit', loops: CONNECTIONS, batch: 1 });
}

type Shape = { readonly name: string; readonly loops: number; readonly batch: number };

async function measure(url: string, seconds: number, { name, loops, batch }: Shape): Promise<Rates> {
  const database = openDatabase(url, { connections: loops, steadyPlans: true });
  const opportunities: OpportunityId[] = [];
  try {
    const visits = await repeat(loops, seconds, visitsOf(database, batch, opportunities));
    const sales = await repeat(loops, seconds, salesOf(database, batch, opportunities));
    return [
      [`${name}: visits`, visits],
      [`${name}: sales, undecided`, sales],
    ];
  } finally {
    await database.end();
  }
}

function visitsOf(database: Database, batch: number, opportunities: OpportunityId[]): () => Promise<number> {
  const report = createVisitReporter(database);
  let visits = 0;
  return async () => {
    const outcomes = await report(
      ORGANIZATION,
      Array.from({ length: batch }, () => ({
        collaborator: { kind: 'alias', type: 'tracking', codeKey: `c${(visits += 1) % COLLABORATORS}` },
        presented: null,
        userId: null,
        key: null,
      })),
    );
    for (const outcome of outcomes) if (outcome?.kind === 'recorded') opportunities.push(outcome.opportunityId);
    return outcomes.length;
  };
}

function salesOf(database: Database, batch: number, opportunities: readonly OpportunityId[]): () => Promise<number> {
  const report = createSaleReporter(database);
  const source = `store-${batch}`;
  const total = 4_999n as Minor;
  let sales = 0;
  return async () => {
    const outcomes = await report(
      ORGANIZATION,
      Array.from({ length: batch }, () => ({
        source,
        externalId: `order-${(sales += 1)}`,
        total,
        currency: 'USD',
        opportunityId: opportunities[sales % opportunities.length] as OpportunityId,
        lines: [{ externalId: null, name: 'Order', type: 'product', quantity: 1, amount: total, total }],
      })),
    );
    return outcomes.length;
  };
}

async function repeat(loops: number, seconds: number, work: () => Promise<number>): Promise<number> {
  const started = performance.now();
  const deadline = started + seconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: loops }, async () => {
      while (performance.now() < deadline) {
        const more = await work();
        done += more;
      }
    }),
  );
  return done / ((performance.now() - started) / 1000);
}
