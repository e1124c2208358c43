import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createDatabase } from '../../support/database.ts';
import { PLAIN_TERMS } from '../../support/plain-terms.ts';
import type { CollaboratorId, OpportunityId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { hashReportKey } from '#core/report-key.ts';
import { ensureFirstOrganization } from '#access/commands/found-organization.ts';
import { createCollaborator } from '#collaborators/commands/create-collaborator.ts';
import { createConnector } from '#connectors/commands/change-connector.ts';
import { insertEvents } from '#connectors/store/connector-events.ts';
import { invoicePaid, type StripeEvent } from '../../support/stripe.ts';
import { createProgram } from '#programs/commands/create-program.ts';
import { createSaleReporter } from '#sales/commands/report-sales.ts';
import { createVisitReporter } from '#tracking/commands/report-visits.ts';
import { startWorker } from '#app/worker/worker.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

const PROGRAM = { name: 'Affiliates', description: null, ...PLAIN_TERMS, autoApprove: true };
const BATCHES = 60;
const BATCH = 100;
/** The number of connector events that are due at once. */
const BACKLOG = 4000;

describe('a database with `steadyPlans` that was empty at the start', () => {
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url, { steadyPlans: true });
  });
  after(async () => {
    await database.end();
    await drop();
  });

  it('recording and deciding a visit with a sale reads a bounded number of rows, regardless of table size', async () => {
    const { organizationId } = await ensureFirstOrganization(database, {});
    const tenant = { connection: database, organizationId };
    const collaboratorId = await collaborator(tenant);
    await createProgram(tenant, PROGRAM);
    const reportVisits = createVisitReporter(database);
    const reportSales = createSaleReporter(database);
    const worker = startWorker(database, {});
    const total = 1000n as Minor;
    const lines = [{ externalId: null, name: 'Order', type: 'product', quantity: 1, amount: total, total }] as const;
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const visits = Array.from({ length: BATCH }, () => ({
        collaborator: { kind: 'id', id: collaboratorId } as const,
        presented: null,
        userId: null,
        key: hashReportKey('secret', randomUUID(), 'site-visited', {}),
      }));
      const outcomes = await reportVisits(organizationId, visits);
      const sales = outcomes.flatMap((outcome, n) =>
        outcome?.kind === 'recorded'
          ? [
              {
                source: 's',
                externalId: `${batch}-${n}`,
                total,
                currency: 'USD',
                opportunityId: outcome.opportunityId,
                lines,
              },
            ]
          : [],
      );
      assert.equal(sales.length, BATCH);
      await reportSales(organizationId, sales);
      await worker.idle();
    }
    await worker.stop();
    const perReport = (await rowsRead(database, 'conversions', 'ins', BATCHES * BATCH)) / (BATCHES * BATCH);
    // Recording and deciding a visit with a sale reads about 110 rows. A plan that scans all rows of the organization
    // reads thousands.
    assert.ok(perReport < 200, `${perReport} rows are read for a visit with a sale`);
  });

  it('recording visits of known visitors reads a bounded number of rows, regardless of table size', async () => {
    const created = await createDatabase();
    const database = openDatabase(created.url, { steadyPlans: true });
    const { organizationId } = await ensureFirstOrganization(database, {});
    const tenant = { connection: database, organizationId };
    const collaboratorId = await collaborator(tenant);
    await createProgram(tenant, PROGRAM);
    const reportVisits = createVisitReporter(database);
    const visit = (presented: OpportunityId | null) => ({
      collaborator: { kind: 'id', id: collaboratorId } as const,
      presented,
      userId: null,
      key: hashReportKey('secret', randomUUID(), 'site-visited', {}),
    });
    const known: OpportunityId[] = [];
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const outcomes = await reportVisits(
        organizationId,
        Array.from({ length: BATCH }, () => visit(null)),
      );
      known.push(...outcomes.flatMap((outcome) => (outcome?.kind === 'recorded' ? outcome.opportunityId : [])));
    }
    assert.equal(known.length, BATCHES * BATCH);
    const before = await rowsRead(database, 'engagements', 'ins', known.length);
    for (let batch = 0; batch < 5; batch += 1)
      await reportVisits(
        organizationId,
        known.slice(batch * BATCH, (batch + 1) * BATCH).map((id) => visit(id)),
      );
    const perVisit = ((await rowsRead(database, 'engagements', 'upd', 5 * BATCH)) - before) / (5 * BATCH);
    assert.ok(perVisit < 50, `${perVisit} rows are read for a visit`);
    await database.end();
    await created.drop();
  });
});

describe('a connector without events at the start, on a database with `steadyPlans`', () => {
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url, { steadyPlans: true });
  });
  after(async () => {
    await database.end();
    await drop();
  });

  it('processing a connector event reads a bounded number of rows, regardless of table size', async () => {
    const { organizationId } = await ensureFirstOrganization(database, {});
    const tenant = { connection: database, organizationId };
    const fields = { kind: 'stripe', source: 'stripe', name: 'Stripe' } as const;
    const connector = await createConnector(tenant, { ...fields, settings: { awaitCheckoutHours: 0 } }, null);
    assert.ok(connector.kind === 'created');
    const connectorId = connector.id;
    const worker = startWorker(database, {});
    await processEvents(BATCHES, BATCH);
    await processEvents(1, BACKLOG);
    await worker.stop();
    const events = BATCHES * BATCH + BACKLOG;
    // Processing an event reads about 30 rows. A plan that scans all due events reads up to 4,000.
    const perEvent = (await rowsRead(database, 'connector_events', 'upd', events)) / events;
    assert.ok(perEvent < 60, `${perEvent} rows are read for an event`);

    async function processEvents(batches: number, size: number): Promise<void> {
      for (let batch = 0; batch < batches; batch += 1) {
        const events = Array.from({ length: size }, (_, n) => {
          const id = `${size}-${batch}-${n}`;
          const [invoice] = invoicePaid({ id, customer: `cus_${id}`, amount: 1_000, reason: 'manual' });
          const { type } = invoice as StripeEvent;
          const payload = JSON.stringify(invoice);
          return { connectorId, id, type, payload, occurredAt: new Date(), subject: null, refusal: null };
        });
        await insertEvents(tenant, events);
        await worker.idle();
      }
    }
  });
});

async function collaborator(tenant: Tenant<Database>): Promise<CollaboratorId> {
  const fields = {
    name: 'Ada',
    email: null,
    nickname: null,
    status: 'active',
    userId: null,
    tags: [],
    fraudReview: 'signals',
  } as const;
  const creation = await createCollaborator(tenant, fields, []);
  assert.ok(creation.kind === 'created');
  return creation.collaborator.id;
}

/**
 * Returns the number of read rows in PostgreSQL's statistics. The statistics lag, so the function first waits until
 * they include `rows` inserted or updated rows of the table.
 */
async function rowsRead(database: Database, table: string, kind: 'ins' | 'upd', rows: number): Promise<number> {
  for (;;) {
    const { rows: counts } = await database.query<{ written: number; read: number }>(
      `select sum(n_tup_${kind}) filter (where relname = $1) as written,
         sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as read
       from pg_stat_user_tables`,
      [table],
    );
    if (Number(counts[0]?.written) >= rows) return Number(counts[0]?.read);
  }
}
