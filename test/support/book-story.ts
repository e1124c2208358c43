import { type Book, newProgram } from './book.ts';

/** The ids of example rows, by purpose. The rows cover everything that `verify` checks. */
export type Story = {
  readonly program: number;
  readonly leads: number;
  readonly engagement: number;
  readonly sale: Sold;
  /** A sale that was refunded after its payout was paid. Its commission was clawed back in a review. */
  readonly returned: Sold & { readonly payout: number; readonly clawBack: number };
  /** A sale with a refund of half its amount. */
  readonly halved: Sold;
  /** A sale in an unpaid payout. One of its two pieces was refunded, so the payout is flagged for review. */
  readonly flagged: Sold & { readonly payout: number };
  readonly lead: Sold;
  readonly renewal: Sold;
  /** A sale whose payout is void because the payout run failed. */
  readonly released: Sold & { readonly payout: number };
  readonly visit: number;
};

type Sold = {
  readonly transaction: number;
  readonly event: number;
  readonly conversion: number;
  readonly obligation: number;
};

type Row = Readonly<Record<string, unknown>>;

/** Writes the story's rows into a book and returns their ids. The rows cover everything that `verify` checks. */
export async function tellStory(book: Book): Promise<Story> {
  const { organizationId, ada } = book;
  const put = (table: string, row: Row, returning = 'id'): Promise<number> => {
    const all: Row = { organization_id: organizationId, ...row };
    const names = Object.keys(all);
    const places = names.map((_, n) => `$${n + 1}`).join(', ');
    return firstOf(
      book.database.query<Record<string, number>>(
        `insert into ${table} (${names.join(', ')}) values (${places}) returning ${returning}`,
        Object.values(all),
      ),
    );
  };
  const seq = () => firstOf(book.database.query<Record<string, number>>(`select nextval('event_ids')`));
  const event = async (type: string, transaction: number, refunded?: number) => {
    const id = await seq();
    const named = { source: 's', opportunity_id: 1, config_version: 0, occurred_at: NOW };
    await put('events', {
      id,
      type,
      transaction_id: transaction,
      ...(refunded === undefined ? {} : { refunded }),
      ...named,
    });
    return id;
  };

  const program = await newProgram(book.run, { type: 'percent', ratePpm: 100_000 });
  const leads = await newProgram(book.run, { type: 'per-lead', amount: 2500 });
  const opportunity = await firstOf(book.database.query<Record<string, number>>(`select nextval('opportunity_ids')`));
  await put('opportunities', { id: opportunity, created_at: NOW });
  const visit = await seq();
  const touch = { opportunity_id: opportunity, collaborator_id: ada };
  await put('visits', { id: visit, ...touch, config_version: 0, occurred_at: NOW });
  const span = { first_visit_id: visit, last_visit_id: visit, first_at: NOW, last_at: NOW };
  const engagement = await put('engagements', { program_id: program, score: 1, ...touch, ...span });
  const leadEngagement = await put('engagements', { program_id: leads, score: 1, ...touch, ...span });
  await put(
    'award_counters',
    {
      program_id: program,
      collaborator_id: ada,
      currency: 'USD',
      starts_at: '2026-01-01',
      ends_at: '2027-01-01',
      sum: 0,
      count: 0,
    },
    'sum',
  );

  const earn = async (
    externalId: string,
    of: { type?: string; renews?: number; status?: string } = {},
  ): Promise<Sold> => {
    const { type = 'sale', status = 'pending' } = of;
    const isLead = type === 'lead';
    const transaction = await firstOf(book.database.query<Record<string, number>>(`select nextval('transaction_ids')`));
    const reported = await event(
      { sale: 'SaleTriggered', lead: 'LeadTriggered', renewal: 'RenewalTriggered' }[type] as string,
      transaction,
    );
    await put('transactions', {
      id: transaction,
      type,
      source: 's',
      external_id: externalId,
      event_id: reported,
      opportunity_id: opportunity,
      reported_opportunity_id: opportunity,
      opportunity_state: 'active',
      total: isLead ? 0 : 10_000,
      currency: isLead ? 'XXX' : 'USD',
      content_hash: Buffer.alloc(32),
      occurred_at: NOW,
      renews: of.renews ?? null,
      renewal_number: of.renews === undefined ? null : 1,
    });
    if (!isLead) {
      const line = { transaction_id: transaction, position: 1, name: 'Order', type: 'product' };
      await put('transaction_lines', { ...line, quantity: 2, amount: 5_000 }, 'position');
    }
    const award = {
      program_id: isLead ? leads : program,
      program_version: 1,
      collaborator_id: ada,
      engagement_id: isLead ? leadEngagement : engagement,
    };
    const amount = isLead ? 2_500 : 1_000;
    const candidate = {
      programId: award.program_id,
      programVersion: 1,
      collaboratorId: ada,
      engagementId: award.engagement_id,
      outcome: 'won',
      weight: 1,
      reward: amount,
      share: amount,
      ...(isLead ? { currency: 'USD' } : {}),
    };
    await put(
      'explanations',
      {
        transaction_id: transaction,
        event_id: reported,
        decided_at: NOW,
        base: isLead ? 0 : 10_000,
        currency: isLead ? 'XXX' : 'USD',
        candidates: JSON.stringify([candidate]),
        decided_seq: await seq(),
      },
      'event_id',
    );
    const times = { created_at: NOW, updated_at: NOW };
    const conversion = await put('conversions', {
      type,
      status: status === 'draft' ? 'pending' : 'approved',
      transaction_id: transaction,
      opportunity_id: opportunity,
      ...award,
      awarded: amount,
      amount,
      currency: 'USD',
      decided_seq: await seq(),
      weight: 1,
      ...times,
    });
    const owed = { conversion_id: conversion, collaborator_id: ada, amount, currency: 'USD', status };
    return { transaction, event: reported, conversion, obligation: await put('obligations', { ...owed, ...times }) };
  };

  const sale = await earn('1');
  const returned = await earn('2');
  const halved = await earn('3');
  const flagged = await earn('4');
  const lead = await earn('5', { type: 'lead', status: 'draft' });
  const renewal = await earn('6', { type: 'renewal', renews: sale.transaction });
  const released = await earn('7');
  await book.owe(300, 'pending', { collaboratorId: book.bob, currency: 'EUR' });

  const paid = await book.payOut([returned.obligation]);
  await book.run(`update payouts set status = 'paid', paid_at = now() where organization_id = $1 and id = $2`, paid);
  await event('RefundTriggered', returned.transaction, 10_000);
  await book.run(
    `update transactions set status = 'refunded', refunded_at = now(), refunded_amount = total where organization_id = $1 and id = $2`,
    returned.transaction,
  );
  await book.run(
    `update conversions set status = 'rejected', reason = 'refunded', rejected_seq = nextval('event_ids')
     where organization_id = $1 and id = $2`,
    returned.conversion,
  );
  const flag = {
    conversion_id: returned.conversion,
    transaction_id: returned.transaction,
    obligation_id: returned.obligation,
  };
  const resolved = { resolution: 'claw-back', author: 'key 1', resolved_at: NOW };
  await put('payout_flags', { payout_id: paid, ...flag, amount: 1_000, reason: 'refunded', ...resolved });
  await book.run(`update payouts set review = 'resolved' where organization_id = $1 and id = $2`, paid);
  const clawBack = await put('obligations', {
    conversion_id: returned.conversion,
    collaborator_id: ada,
    amount: -1_000,
    currency: 'USD',
    status: 'pending',
    created_at: NOW,
    updated_at: NOW,
  });

  const refund = async (transaction: number, kind: 'amount' | 'items') => {
    const id = await event('RefundTriggered', transaction, 5_000);
    const said = { refund_id: 'r', kind, amount: 5_000, content_hash: Buffer.alloc(32), occurred_at: NOW };
    await put('refunds', { event_id: id, transaction_id: transaction, ...said }, 'event_id');
    if (kind === 'items') await put('refund_lines', { event_id: id, position: 1, quantity: 1 }, 'event_id');
    await book.run(
      `update transactions set refunded_amount = 5000 where organization_id = $1 and id = $2`,
      transaction,
    );
  };
  await refund(halved.transaction, 'amount');
  await book.run(`update conversions set amount = 500 where organization_id = $1 and id = $2`, halved.conversion);
  await book.run(`update obligations set amount = 500 where organization_id = $1 and id = $2`, halved.obligation);

  const unpaid = await book.payOut([flagged.obligation]);
  await refund(flagged.transaction, 'items');
  await book.run(`update conversions set amount = 500 where organization_id = $1 and id = $2`, flagged.conversion);
  const open = {
    conversion_id: flagged.conversion,
    transaction_id: flagged.transaction,
    obligation_id: flagged.obligation,
  };
  await put('payout_flags', { payout_id: unpaid, ...open, amount: 500, reason: 'partly-refunded' });
  await book.run(`update payouts set review = 'flagged' where organization_id = $1 and id = $2`, unpaid);

  const failed = await book.payOut([released.obligation]);
  await book.run(
    `with freed as (update obligations set status = 'pending', payout_id = null where organization_id = $1 and payout_id = $2),
     failed as (update fulfillments set status = 'failed' where organization_id = $1
       and id = (select fulfillment_id from payouts where organization_id = $1 and id = $2))
     update payouts set status = 'void', amount = 0 where organization_id = $1 and id = $2`,
    failed,
  );
  return {
    program,
    leads,
    engagement,
    sale,
    returned: { ...returned, payout: paid, clawBack },
    halved,
    flagged: { ...flagged, payout: unpaid },
    lead,
    renewal,
    released: { ...released, payout: failed },
    visit,
  };
}

/** A time within the period of the award counter. */
const NOW = '2026-06-01T12:00:00Z';

async function firstOf(answer: Promise<{ rows: Record<string, number>[] }>): Promise<number> {
  const { rows } = await answer;
  return Object.values(rows[0] ?? {})[0] as number;
}
