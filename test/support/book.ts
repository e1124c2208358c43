import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import { ensureFirstOrganization, foundOrganization } from '#access/commands/found-organization.ts';
import type { Database } from '#platform/postgres/database.ts';

/**
 * An organization's books, written directly as the rows that the service would write. Tests use them to
 * check the rows themselves, such as ledger entries or the breaches that `verify` finds.
 */
export type Book = {
  readonly database: Database;
  readonly organizationId: OrganizationId;
  readonly ada: CollaboratorId;
  readonly bob: CollaboratorId;
  /**
   * Runs a statement. If the text contains $1, its value is the organization's id, and `values` start at $2. Returns
   * the first column of the first row, or 0 if there is no row.
   */
  readonly run: (text: string, ...values: unknown[]) => Promise<number>;
  readonly rows: <Row extends object>(text: string, ...values: unknown[]) => Promise<Row[]>;
  /**
   * Creates a sale with a manual credit, and returns the obligation's id. A credit is the simplest way to create an
   * obligation, because it needs no engagement.
   */
  readonly owe: (
    amount: number,
    status: 'draft' | 'pending',
    options?: { collaboratorId?: CollaboratorId; currency?: string },
  ) => Promise<number>;
  /** Creates a payout run whose only payout has the given obligations, in one statement. Returns the payout's id. */
  readonly payOut: (obligationIds: readonly number[]) => Promise<number>;
};

export async function openBook(database: Database): Promise<Book> {
  await ensureFirstOrganization(database, {});
  const { organizationId } = await foundOrganization(database, 'Book');
  const rows = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await database.query<Row>(text, text.includes('$1') ? [organizationId, ...values] : values)).rows;
  const run = async (text: string, ...values: unknown[]): Promise<number> => {
    const [row] = await rows<Record<string, number>>(text, ...values);
    return Object.values(row ?? {})[0] ?? 0;
  };
  const collaborator = async (name: string) =>
    (await run(
      `insert into collaborators (organization_id, name, status) values ($1, $2, 'active') returning id`,
      name,
    )) as CollaboratorId;
  const ada = await collaborator('ada');
  const bob = await collaborator('bob');
  const program = await newProgram(run, { type: 'percent', ratePpm: 100_000 });
  let sales = 0;

  const owe: Book['owe'] = async (amount, status, { collaboratorId = ada, currency = 'USD' } = {}) => {
    sales += 1;
    const transaction = await reportUnseen(run, `owed-${sales}`, currency);
    await run(
      `insert into events (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at)
       values ($1, nextval('event_ids'), 'CreditGranted', 's', 1, $2, 0, now())`,
      transaction,
    );
    const conversion = await run(
      `insert into conversions (organization_id, type, status, transaction_id, opportunity_id, program_id, program_version,
         collaborator_id, awarded, amount, currency, created_at, updated_at, decided_seq, weight, author)
       values ($1, 'manual', case $2 when 'draft' then 'pending' else 'approved' end, $3, 1, $4, 1, $5, $6, $6, $7, now(),
         now(), nextval('event_ids'), 1, 'key 1') returning id`,
      status,
      transaction,
      program,
      collaboratorId,
      amount,
      currency,
    );
    return run(
      `insert into obligations (organization_id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, now(), now()) returning id`,
      conversion,
      collaboratorId,
      amount,
      currency,
      status,
    );
  };

  const payOut: Book['payOut'] = (obligationIds) =>
    run(
      `with run as (
         insert into fulfillments (organization_id, currency, author)
         select organization_id, currency, 'key 1' from obligations where organization_id = $1 and id = any ($2::bigint[])
         limit 1 returning id, currency
       ), payout as (
         insert into payouts (organization_id, fulfillment_id, collaborator_id, currency, amount)
         select $1, run.id, min(o.collaborator_id), run.currency, sum(o.amount)
         from run, obligations o where o.organization_id = $1 and o.id = any ($2::bigint[]) group by run.id, run.currency
         returning id
       ), taken as (
         update obligations set status = 'fulfilled', payout_id = (select id from payout)
         where organization_id = $1 and id = any ($2::bigint[])
       )
       select id from payout`,
      obligationIds,
    );

  return { database, organizationId, ada, bob, run, rows, owe, payOut };
}

export function newProgram(run: Book['run'], reward: object): Promise<number> {
  return run(
    `with made as (insert into programs (organization_id, version) values ($1, 1) returning id)
     insert into program_versions (organization_id, program_id, version, config_version, name, status, currency, window_days,
       attribution, reward, counted_lines, triggers, pays, auto_approve, enrollment, credits_per)
     select $1, id, 1, 0, 'Affiliates', 'active', 'USD', 30, 'last-touch', $2, '{product}', '{"site-visit": 1}',
       '{sale,renewal}', true, 'everyone', 'sale' from made returning program_id`,
    JSON.stringify(reward),
  );
}

/**
 * Writes a decided sale of 100.00 that earned no commission. Its opportunity was removed. Returns the transaction's id.
 */
async function reportUnseen(run: Book['run'], externalId: string, currency: string): Promise<number> {
  return run(
    `with sold as (
       insert into transactions (organization_id, id, source, external_id, event_id, opportunity_id,
         reported_opportunity_id, opportunity_state, total, currency, content_hash, occurred_at)
       values ($1, nextval('transaction_ids'), 's', $2, nextval('event_ids'), 1, 1, 'removed', 10000, $3,
         sha256('x'), now()) returning id, event_id
     ), line as (
       insert into transaction_lines (organization_id, transaction_id, position, name, type, quantity, amount)
       select $1, id, 1, 'Order', 'product', 1, 10000 from sold
     ), event as (
       insert into events (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at)
       select $1, event_id, 'SaleTriggered', 's', 1, id, 0, now() from sold
     ), explained as (
       insert into explanations (organization_id, transaction_id, event_id, decided_at, base, currency, reason, candidates,
         decided_seq)
       select $1, id, event_id, now(), 10000, $3, 'opportunity-removed', '[]', nextval('event_ids') from sold
     )
     select id from sold`,
    externalId,
    currency,
  );
}

/**
 * Returns SQL that inserts a connector and one of its events. `deletedAt` is the SQL for the connector's deletion time.
 * `event` is the SQL for the event's state, due time, outcome and time of settlement, separated by commas.
 */
export function eventOfConnector({ organizationId }: Book, deletedAt: string, event: string): string {
  return `with made as (
      insert into connectors (organization_id, id, kind, name, source, deleted_at)
      values (${organizationId}, ${organizationId}, 'stripe', 'Stripe', 'stripe', ${deletedAt}) returning id
    )
    insert into connector_events
      (organization_id, connector_id, external_id, type, occurred_at, state, due_at, outcome, settled_at)
    select ${organizationId}, id, 'evt_1', 'invoice.paid', now(), ${event} from made`;
}
