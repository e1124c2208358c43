import {
  type FindLink,
  type JsonObject,
  type Link,
  type LinkKey,
  type Translation,
  type TranslationContext,
  unreadable,
} from '../connector.ts';
import { idIn, integerIn, objectIn, objectsIn, textIn } from '../json.ts';
import type { RefundReport, RefundReversalReport, Report } from '../report.ts';
import { amountIn, convertStripeAmount, currencyIn } from './amounts.ts';
import { orderKey, orderOf, paymentKeys } from './orders.ts';
import type { StripeSettings } from './settings.ts';

/*
 * Refunds, disputes and credit notes reduce the amount of an order. Some of them are reversed later. Their events can
 * arrive in any order, so a link stores the last state of each: `counted`, or `over` once the refund has failed or was
 * canceled, the dispute was won, or the credit note was voided.
 */

/** The data of an event about one refund, dispute or credit note. The amount is in Stripe's smallest unit. */
type Claim = {
  readonly kind: 'refund' | 'dispute' | 'credit-note';
  readonly id: string;
  readonly effect: 'takes' | 'returns';
  readonly amount: number;
  readonly currency: string | undefined;
  readonly occurredAt: Date;
};

export function refundKeys(refund: JsonObject): readonly LinkKey[] {
  return [...orderKeysOf(refund), ...claimKeys('refund', [refund])];
}

export function translateRefund(
  type: string,
  refund: JsonObject,
  find: FindLink,
  context: TranslationContext,
): Translation {
  return settle([refundClaim(type, refund)], orderKeysOf(refund), find, context);
}

export function disputeKeys(dispute: JsonObject): readonly LinkKey[] {
  return [...orderKeysOf(dispute), ...claimKeys('dispute', [dispute])];
}

export function translateDispute(
  type: string,
  dispute: JsonObject,
  find: FindLink,
  { reverseDisputes }: StripeSettings,
  context: TranslationContext,
): Translation {
  const status = textIn(dispute, 'status') ?? '';
  if (status.startsWith('warning_'))
    return { kind: 'ignored', reason: 'This dispute is an inquiry, so no money was withdrawn.' };
  const isWon = status === 'won' || type === 'charge.dispute.funds_reinstated';
  if (!isWon && status !== 'lost' && reverseDisputes === 'lost') {
    return { kind: 'ignored', reason: 'The dispute is open. It counts once it is lost.' };
  }
  const claim: Claim = { ...claimOf('dispute', dispute), effect: isWon ? 'returns' : 'takes' };
  return settle([claim], orderKeysOf(dispute), find, context);
}

export function creditNoteKeys(note: JsonObject): readonly LinkKey[] {
  return [...orderKeysOfNote(note), ...claimKeys('credit-note', [note])];
}

/**
 * Translates a credit note. Only the amount that was paid outside of Stripe is a refund. An amount that was refunded in
 * Stripe has a separate refund. An amount that was credited to the customer's balance reduces a later invoice.
 */
export function translateCreditNote(
  type: string,
  note: JsonObject,
  find: FindLink,
  context: TranslationContext,
): Translation {
  const amount = amountIn(note, 'out_of_band_amount');
  if (amount <= 0) return { kind: 'ignored', reason: 'The credit note refunds nothing outside of Stripe.' };
  const isVoid = type === 'credit_note.voided' || note['status'] === 'void';
  const claim: Claim = { ...claimOf('credit-note', note), amount, effect: isVoid ? 'returns' : 'takes' };
  return settle([claim], orderKeysOfNote(note), find, context);
}

export function refundedChargeKeys(charge: JsonObject): readonly LinkKey[] {
  return [...orderKeysOfCharge(charge), ...claimKeys('refund', refundsOf(charge))];
}

/**
 * Translates the refunds of a charge. A charge lists its refunds before API version 2022-11-15. Since then, refunds
 * have separate events.
 */
export function translateRefundedCharge(charge: JsonObject, find: FindLink, context: TranslationContext): Translation {
  const claims = refundsOf(charge).map((refund) => refundClaim('refund.updated', refund));
  if (claims.length === 0) return { kind: 'ignored', reason: 'The refund is reported by refund.created.' };
  return settle(claims, orderKeysOfCharge(charge), find, context);
}

/** The noun for each kind of claim, used in the `reason` of an event. */
const NOUNS = { refund: 'refund', dispute: 'dispute', 'credit-note': 'credit note' } as const;

function settle(
  claims: readonly Claim[],
  orderKeys: readonly LinkKey[],
  find: FindLink,
  { source }: TranslationContext,
): Translation {
  const noun = NOUNS[(claims[0] as Claim).kind];
  if (claims.some(({ id }) => id === '')) return unreadable(`The ${noun} has no id.`);
  const changes = claims.filter((claim) => isChange(claim, stateOf(find, claim)));
  if (changes.length === 0)
    return { kind: 'ignored', reason: `This or a later state of the ${noun} was already processed.` };
  const order = orderOf(find, orderKeys);
  const isTaken = ({ kind, id }: Claim): boolean => find(kind, id) !== undefined;
  const reported = changes.filter((claim) => claim.effect === 'takes' || isTaken(claim));
  const links: readonly Link[] = changes.map(({ kind, id, effect }) => ({
    kind,
    externalId: id,
    value: { state: effect === 'takes' ? 'counted' : 'over' },
  }));
  if (reported.length === 0)
    return { kind: 'ignored', reason: `The ${noun} is not counted, so there is nothing to reverse.`, links };
  if (order === undefined)
    return { kind: 'waiting', reason: 'The order of this event has not arrived.', waitsFor: orderKeys };
  const reports: Report[] = [];
  for (const claim of reported) {
    const report = reportOf(claim, { source, externalId: order });
    if (report === undefined) return unreadable(`The currency of the ${noun} is missing or unknown.`);
    reports.push(report);
  }
  return { kind: 'translated', reports, links };
}

function reportOf(
  { id: refundId, effect, amount, currency, occurredAt }: Claim,
  order: { readonly source: string; readonly externalId: string },
): RefundReport | RefundReversalReport | undefined {
  if (effect === 'returns') return { verb: 'refund-reversal', ...order, refundId, occurredAt };
  if (currency === undefined) return undefined;
  // Rounded amounts of a currency with three decimals can exceed the order's total, so the refund is limited to the
  // remaining amount.
  const given = { kind: 'amount', amount: convertStripeAmount(amount, currency), isUpTo: true } as const;
  return { verb: 'refund', ...order, refundId, currency, given, occurredAt };
}

/**
 * Returns whether a claim changes the stored state. A claim that is over never counts again, even if an earlier event
 * about it arrives later.
 */
function isChange({ effect }: Claim, state: string | undefined): boolean {
  return effect === 'takes' ? state === undefined : state !== 'over';
}

function stateOf(find: FindLink, { kind, id }: Claim): string | undefined {
  const link = find(kind, id);
  return link && textIn(link, 'state');
}

function refundClaim(type: string, refund: JsonObject): Claim {
  const status = textIn(refund, 'status');
  const isOver = type === 'refund.failed' || status === 'failed' || status === 'canceled';
  return { ...claimOf('refund', refund), effect: isOver ? 'returns' : 'takes' };
}

function claimOf(kind: Claim['kind'], from: JsonObject): Omit<Claim, 'effect'> {
  return {
    kind,
    id: textIn(from, 'id') ?? '',
    amount: amountIn(from, 'amount'),
    currency: currencyIn(from),
    occurredAt: new Date((integerIn(from, 'created') ?? 0) * 1_000),
  };
}

function claimKeys(kind: Claim['kind'], claims: readonly JsonObject[]): readonly LinkKey[] {
  return claims.flatMap((claim) => {
    const externalId = textIn(claim, 'id');
    return externalId === undefined ? [] : [{ kind, externalId }];
  });
}

function refundsOf(charge: JsonObject): readonly JsonObject[] {
  return objectsIn(objectIn(charge, 'refunds'), 'data');
}

function orderKeysOfNote(note: JsonObject): readonly LinkKey[] {
  return [orderKey(idIn(note, 'invoice') ?? '')];
}

function orderKeysOf(claim: JsonObject): readonly LinkKey[] {
  return paymentKeys(idIn(claim, 'payment_intent'), idIn(claim, 'charge'));
}

function orderKeysOfCharge(charge: JsonObject): readonly LinkKey[] {
  const invoice = idIn(charge, 'invoice');
  return [
    ...paymentKeys(idIn(charge, 'payment_intent'), textIn(charge, 'id')),
    ...(invoice === undefined ? [] : [orderKey(invoice)]),
  ];
}
