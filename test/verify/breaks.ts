import { type Book, eventOfConnector } from '../support/book.ts';
import { type Story } from '../support/book-story.ts';

export type Break = (story: Story, book: Book) => string;

/** Functions that return SQL to break an invariant, by the name of the invariant that verify reports. */
export const BREAKS: Readonly<Record<string, readonly Break[]>> = {
  'a lead has no lines and a total of 0, and every other transaction has lines': [
    ({ sale }) => `delete from transaction_lines where transaction_id = ${sale.transaction}`,
    ({ lead }) => `update transactions set total = 1 where id = ${lead.transaction}`,
    ({ lead }) => `update transactions set currency = 'USD' where id = ${lead.transaction}`,
  ],
  'every transaction has one report of its type': [
    ({ sale }) => `delete from events where id = ${sale.event}`,
    ({ sale }) => `update events set type = 'LeadTriggered' where id = ${sale.event}`,
  ],
  'a transaction is marked as refunded exactly while nothing of it is left, and has at most one full refund': [
    ({ returned }) => `delete from events where transaction_id = ${returned.transaction} and type = 'RefundTriggered'`,
    ({ returned }) =>
      `insert into events select organization_id, nextval('event_ids'), type, source, opportunity_id, transaction_id,
         config_version, 0, null, occurred_at from events
       where transaction_id = ${returned.transaction} and type = 'RefundTriggered'`,
    ({ halved }) => `update refunds set kind = 'full' where transaction_id = ${halved.transaction}`,
  ],
  'the refunded amount of a transaction is the sum of its refunds, or its total if it is refunded in full': [
    ({ returned }) => `update transactions set refunded_amount = 9999 where id = ${returned.transaction}`,
    ({ halved }) => `update transactions set refunded_amount = 5001 where id = ${halved.transaction}`,
    ({ flagged }) => `update refunds set amount = 4999 where transaction_id = ${flagged.transaction}`,
  ],
  'the refunded amount of a transaction is the sum of the changes by its refunds, reversals and corrections': [
    ({ halved }) =>
      `update events set refunded = 4999 where transaction_id = ${halved.transaction} and refunded = 5000`,
  ],
  'a transaction has the total of its last correction, and the corrections add up from the reported total': [
    ({ sale }) => `update transactions set corrections = 1, reported_total = total where id = ${sale.transaction}`,
    ({ sale }) => corrected(sale.transaction, { total: 'total - 1', reported: 'total - 1', by: 1 }),
    ({ sale }) => corrected(sale.transaction, { total: 'total', reported: 'total', by: 1 }),
  ],
  'each reversal refers to one earlier refund of its transaction': [
    ({ halved, sale }) => `update refunds set reversed_by = ${sale.event} where transaction_id = ${halved.transaction}`,
    ({ halved }) =>
      `insert into events select organization_id, nextval('event_ids'), 'RefundReversed', source, opportunity_id,
         transaction_id, config_version, 0, null, occurred_at from events
       where transaction_id = ${halved.transaction} and type = 'RefundTriggered'`,
  ],
  'each refundId of a transaction has one RefundTriggered event, or none if nothing was left': [
    ({ halved, sale }) =>
      `update refunds set transaction_id = ${sale.transaction} where transaction_id = ${halved.transaction}`,
    ({ halved }) => `delete from events where transaction_id = ${halved.transaction} and type = 'RefundTriggered'`,
  ],
  'a refund of items refers to lines of its transaction, and never to more pieces than were sold': [
    (_, { organizationId }) => `update refund_lines set quantity = 3 where organization_id = ${organizationId}`,
    (_, { organizationId }) => `update refund_lines set position = 2 where organization_id = ${organizationId}`,
    ({ flagged }) => `update refunds set kind = 'amount' where transaction_id = ${flagged.transaction}`,
  ],
  'renewals refer to a sale and are numbered 1, 2, 3, …': [
    ({ renewal }) => `update transactions set renewal_number = 2 where id = ${renewal.transaction}`,
    ({ renewal, lead }) => `update transactions set renews = ${lead.transaction} where id = ${renewal.transaction}`,
    ({ renewal }) => `update transactions set renews = 8999999 where id = ${renewal.transaction}`,
  ],
  'every event is decided, waiting, or dead-lettered with an error': [
    ({ renewal }) => `delete from explanations where transaction_id = ${renewal.transaction}`,
    ({ sale }) =>
      `insert into jobs (organization_id, event_id, transaction_id, type, dead_lettered_at)
       select organization_id, id, transaction_id, type, now() from events where id = ${sale.event}`,
  ],
  'a job and an explanation refer to an event and to the transaction of that event': [
    ({ sale, halved }) =>
      `update explanations set event_id = ${halved.event} where transaction_id = ${sale.transaction}`,
  ],
  'the awards of a program for a transaction match the explanation': [
    ({ sale }) => `update conversions set awarded = 1001 where id = ${sale.conversion}`,
    ({ sale }) =>
      `update explanations set candidates = jsonb_set(candidates, '{0,cut}', '1') where transaction_id = ${sale.transaction}`,
    ({ sale }) =>
      `update explanations set candidates = jsonb_set(candidates, '{0,reward}', '999') where transaction_id = ${sale.transaction}`,
    ({ lead }) => `delete from conversions where id = ${lead.conversion}`,
  ],
  'each collaborator was awarded their share, in the currency of the explanation': [
    ({ sale }, { bob }) => `update conversions set collaborator_id = ${bob} where id = ${sale.conversion}`,
    ({ lead }) => `update conversions set currency = 'EUR' where id = ${lead.conversion}`,
  ],
  'the fraud signals of a conversion match its explanation': [
    ({ sale }) => `update conversions set hold_reasons = '{quick-sale}' where transaction_id = ${sale.transaction}`,
    ({ sale }) =>
      `update explanations set candidates = jsonb_set(candidates, '{0,hold}', '{"reasons":["own-coupon"]}')
       where transaction_id = ${sale.transaction}`,
  ],
  'amounts that were rounded to whole units of a currency without decimals are whole units': [
    ({ sale }) => `update conversions set currency = 'JPY', in_payable_units = true, awarded = 12300, amount = 6150
       where id = ${sale.conversion}`,
    ({ sale }) => `update conversions set currency = 'JPY', in_payable_units = true, awarded = 12340, amount = 6100
       where id = ${sale.conversion}`,
  ],
  'no conversion in fraud review is approved, or will be approved without a review': [
    ({ sale }) =>
      `update conversions set hold_reasons = '{quick-sale}', status = 'pending', approve_at = now()
       where transaction_id = ${sale.transaction}`,
  ],
  'a conversion has the type of its transaction, or is a manual credit with an author': [
    ({ sale }) => `update conversions set type = 'lead' where id = ${sale.conversion}`,
    (_, { organizationId }) =>
      `delete from events where organization_id = ${organizationId} and type = 'CreditGranted'`,
  ],
  'a conversion has the program and the collaborator of its engagement': [
    ({ leads, engagement }) =>
      `update engagements set program_id = ${leads}, closed_by = 1, closed_seq = 1, status = 'complete' where id = ${engagement}`,
  ],
  'caps and tiers count the awards of the period that were not rejected since': [
    (_, { organizationId }) => `update award_counters set sum = sum + 1 where organization_id = ${organizationId}`,
    (_, { organizationId }) => `update award_counters set count = count - 1 where organization_id = ${organizationId}`,
    ({ sale }) => `update transactions set occurred_at = '2027-01-01' where id = ${sale.transaction}`,
  ],
  'the obligations of a conversion add up to its worth and the amounts that a review has kept or has yet to decide': [
    ({ halved }) => `update obligations set amount = 501 where id = ${halved.obligation}`,
    ({ returned }) => `update obligations set status = 'rejected' where id = ${returned.clawBack}`,
    ({ flagged }) =>
      `update payout_flags set resolution = 'void', resolved_at = now() where obligation_id = ${flagged.obligation}`,
    ({ flagged }) => `update payout_flags set amount = 501 where obligation_id = ${flagged.obligation}`,
  ],
  'a conversion has an obligation in its own state, at most one further obligation for each reversal or correction, and clawbacks':
    [
      ({ sale }) => `update obligations set status = 'draft' where id = ${sale.obligation}`,
      ({ lead }) => `update obligations set status = 'pending' where id = ${lead.obligation}`,
      ({ sale }) => `update obligations set status = 'rejected' where id = ${sale.obligation}`,
      ({ sale }) => `delete from obligations where id = ${sale.obligation}`,
      ({ returned }) => `update obligations set status = 'draft' where id = ${returned.clawBack}`,
    ],
  'an obligation has the collaborator and the currency of its conversion': [
    ({ sale }, { bob }) => `update obligations set collaborator_id = ${bob} where id = ${sale.obligation}`,
    ({ sale }) => `update obligations set currency = 'EUR' where id = ${sale.obligation}`,
  ],
  'no amount of a refunded transaction is payable or can become payable once its refund is processed': [
    ({ sale }) => `update transactions set status = 'refunded', refunded_at = now() where id = ${sale.transaction}`,
    ({ returned }) => `update obligations set status = 'pending', payout_id = null where id = ${returned.obligation}`,
  ],
  'a payout is the sum of its obligations, has one collaborator and currency, and is above zero unless it is void': [
    ({ flagged }) => `update payouts set amount = 999 where id = ${flagged.payout}`,
    ({ flagged }, { bob }) => `update payouts set collaborator_id = ${bob} where id = ${flagged.payout}`,
    ({ flagged }) => `update payouts set currency = 'EUR' where id = ${flagged.payout}`,
    ({ released }) => `update payouts set status = 'unpaid' where id = ${released.payout}`,
    ({ released, sale }) =>
      `update obligations set status = 'fulfilled', payout_id = ${released.payout} where id = ${sale.obligation}`,
  ],
  'an obligation is fulfilled exactly when it is in a payout of its organization that is not void': [
    ({ released, sale }) =>
      `update obligations set status = 'fulfilled', payout_id = ${released.payout} where id = ${sale.obligation}`,
    ({ sale }) => `update obligations set status = 'fulfilled', payout_id = 8999999 where id = ${sale.obligation}`,
  ],
  'payouts have the currency of their run, are void if it failed, and are paid or void if it is complete': [
    ({ flagged }) =>
      `update fulfillments set status = 'complete' where id = (select fulfillment_id from payouts where id = ${flagged.payout})`,
    ({ flagged }) =>
      `update fulfillments set status = 'failed' where id = (select fulfillment_id from payouts where id = ${flagged.payout})`,
    ({ flagged }) =>
      `update fulfillments set currency = 'EUR' where id = (select fulfillment_id from payouts where id = ${flagged.payout})`,
  ],
  'a payout is flagged exactly while one of its flags is open': [
    ({ flagged }) => `update payouts set review = 'resolved' where id = ${flagged.payout}`,
    ({ returned }) => `update payouts set review = 'flagged' where id = ${returned.payout}`,
    ({ returned }) => `update payouts set review = 'none' where id = ${returned.payout}`,
  ],
  'a flag refers to an obligation, its conversion and its transaction, and an open flag to their payout': [
    ({ flagged, returned }) =>
      `update payout_flags set payout_id = ${returned.payout} where obligation_id = ${flagged.obligation}`,
    ({ flagged, sale }) =>
      `update payout_flags set transaction_id = ${sale.transaction} where obligation_id = ${flagged.obligation}`,
    ({ flagged, sale }) =>
      `update payout_flags set conversion_id = ${sale.conversion} where obligation_id = ${flagged.obligation}`,
    ({ returned }) => `update payout_flags set author = null where obligation_id = ${returned.obligation}`,
  ],
  'a ledger entry has the collaborator and the currency of its obligation or payout': [
    ({ sale }, { bob }) =>
      `update ledger_entries set collaborator_id = ${bob} where obligation_id = ${sale.obligation}`,
    ({ returned }) =>
      `update ledger_entries set currency = 'EUR' where payout_id = ${returned.payout} and kind = 'pay'`,
  ],
  'the ledger entries of an obligation add up to its amount in the account of its status': [
    ({ sale }) => `delete from ledger_entries where obligation_id = ${sale.obligation}`,
    ({ sale }) => `update ledger_entries set amount = 999 where obligation_id = ${sale.obligation}`,
    ({ halved }) => `delete from ledger_entries where obligation_id = ${halved.obligation} and kind = 'reduce'`,
    ({ sale }) => `update ledger_entries set credit = 'draft' where obligation_id = ${sale.obligation}`,
  ],
  'the ledger entries of a payout match its paid status': [
    ({ returned }) => `delete from ledger_entries where payout_id = ${returned.payout} and kind = 'pay'`,
    ({ flagged }) => `update payouts set status = 'paid', paid_at = now() where id = ${flagged.payout}`,
  ],
  'each balance equals its ledger entries, and the amounts owed and in payouts': [
    ({ sale }) => `update ledger_entries set amount = 1001 where obligation_id = ${sale.obligation}`,
    ({ sale }) =>
      `insert into ledger_entries (organization_id, kind, collaborator_id, currency, amount, debit, credit, obligation_id)
       select organization_id, kind, collaborator_id, currency, 1, debit, credit, obligation_id from ledger_entries
       where obligation_id = ${sale.obligation}`,
  ],
  'the sums of the ledger equal the entries in its chains': [
    (_, book) => `update ledger_sums set amount = amount + 1 where organization_id = ${book.organizationId}`,
    (_, book) => `delete from ledger_sums where organization_id = ${book.organizationId}`,
  ],
  'the stored balances equal the sums of the ledger': [
    (_, book) => `update ledger_balances set pending = pending + 1 where organization_id = ${book.organizationId}`,
    (_, book) => `delete from ledger_balances where organization_id = ${book.organizationId}`,
  ],
  'the sums of visits by day, month, collaborator, link and programs equal the visits': [
    (_, book) => `update visit_sums set visits = visits + 1 where organization_id = ${book.organizationId}`,
    (_, book) => `delete from visit_sums where organization_id = ${book.organizationId} and per = 'month'`,
    ({ visit }) => `delete from visits where id = ${visit}`,
  ],
  'the sums of sales, refunds, conversions and earnings by day, month and owner equal the facts': [
    (_, book) => `update sale_sums set earned = earned + 1 where organization_id = ${book.organizationId}`,
    (_, book) => `delete from sale_sums where organization_id = ${book.organizationId} and collaborator_id > 0`,
    ({ sale }) => `update transactions set total = total + 1 where id = ${sale.transaction}`,
    ({ sale }) => `delete from ledger_entries where obligation_id = ${sale.obligation}`,
  ],
  'no ledger entry in a chain has been changed or removed': [
    ({ sale }) => `update ledger_entries set amount = amount + 1 where obligation_id = ${sale.obligation}`,
    ({ sale }) =>
      `update ledger_entries set occurred_at = occurred_at + interval '1 microsecond' where obligation_id = ${sale.obligation}`,
    ({ sale }) => `delete from ledger_entries where obligation_id = ${sale.obligation}`,
    (_, { organizationId }) => `delete from ledger_blocks where organization_id = ${organizationId} and number = 1`,
    (_, { organizationId }) =>
      `update ledger_blocks set hash = sha256('x') where organization_id = ${organizationId} and number = 2`,
    (_, { organizationId }) =>
      `update ledger_blocks set entries = entries + 1 where organization_id = ${organizationId} and number = 2`,
    (_, { organizationId }) =>
      `update ledger_blocks set entry_ids = entry_ids[2:], marks = substring(marks from 5)
       where organization_id = ${organizationId} and number = 1`,
  ],
  'every ledger entry in a chain is in exactly one block': [
    ({ sale }) =>
      `insert into ledger_entries (organization_id, id, kind, collaborator_id, currency, amount, debit, credit, obligation_id, xid)
       select organization_id, 8999999, kind, collaborator_id, currency, 1, debit, credit, obligation_id, xid from ledger_entries
       where obligation_id = ${sale.obligation}`,
    (_, { organizationId }) => `delete from ledger_blocks where organization_id = ${organizationId} and number = 2`,
    (
      _,
      { organizationId },
    ) => `update ledger_blocks set entry_ids = entry_ids || entry_ids[1], marks = marks || '\\x00000000'::bytea
       where organization_id = ${organizationId} and number = 2`,
  ],
  'an engagement is the sum of its visits': [
    ({ visit }) => `delete from visits where id = ${visit}`,
    ({ engagement }) => `update engagements set score = 2 where id = ${engagement}`,
  ],
  'a merged opportunity refers to an opportunity of its own organization': [
    (_, { organizationId }) =>
      `insert into opportunities (organization_id, id, merged_into, merged_by, created_at)
       values (${organizationId}, nextval('opportunity_ids'), 0, 1, now())`,
  ],
  'every order reported by a connector’s event exists': [
    (_, book) =>
      eventOfConnector(book, 'null', `'processed', null, '[{"verb":"sale","source":"s","externalId":"x"}]', now()`),
  ],
  'no event of a deleted connector is pending or waiting': [
    (_, book) => eventOfConnector(book, 'now()', `'pending', now(), '[]', null`),
  ],
  'every transaction_id of events refers to a row of transactions in the same organization': [
    ({ sale }) => `delete from transactions where id = ${sale.transaction}`,
    ({ sale }) => `update transactions set organization_id = 1 where id = ${sale.transaction}`,
  ],
  'every conversion_id of obligations refers to a row of conversions in the same organization': [
    ({ sale }) => `update conversions set organization_id = 1 where id = ${sale.conversion}`,
  ],
  'every obligation_id of ledger_entries refers to a row of obligations in the same organization': [
    ({ sale }) => `update obligations set organization_id = 1 where id = ${sale.obligation}`,
  ],
};

/** Returns SQL that records a correction of a transaction with the given amounts, which can be wrong. */
function corrected(
  transaction: number,
  { total, reported, by }: { total: string; reported: string; by: number },
): string {
  return `with logged as (
      insert into events (organization_id, id, type, source, transaction_id, config_version, refunded, corrected, occurred_at)
      select organization_id, nextval('event_ids'), 'SaleCorrected', source, id, 1, 0, ${by}, now()
      from transactions where id = ${transaction}
      returning *
    ), kept as (
      insert into sale_corrections
      select t.organization_id, l.id, t.id, 'edit', t.content_hash, ${total}, t.total, '[]', '[]', now()
      from transactions t, logged l where t.id = ${transaction}
    )
    update transactions set corrections = 1, reported_total = ${reported} where id = ${transaction}`;
}
