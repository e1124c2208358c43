import { type Minor, parseMajor } from '#core/money.ts';
import {
  parsePayoutReference,
  type ReadResults,
  type ReportedPayment,
  type ReportedState,
  shortenReason,
} from './reported-payment.ts';

/** An element of an XML message. */
export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The child elements by name, so that a lookup doesn't search all of them. */
  readonly children: ReadonlyMap<string, readonly Element[]>;
  readonly text: string;
};

export type MessageReading =
  | ReadResults
  /** The bank has rejected a whole file. */
  | { readonly kind: 'rejected'; readonly reason: string | null }
  | { readonly kind: 'unsupported' };

/**
 * Reads a message from a bank: a status report (pain.002), a statement (camt.053) or a notification (camt.054), in any
 * version of ISO 20022.
 */
export function readBankMessage(root: Element): MessageReading {
  const [message] = [...root.children.values()].flat();
  if (root.name !== 'Document' || message === undefined) return { kind: 'unsupported' };
  switch (message.name) {
    case 'CstmrPmtStsRpt':
      return readStatusReport(message);
    case 'BkToCstmrStmt':
      return readEntries(all(message, 'Stmt'));
    case 'BkToCstmrDbtCdtNtfctn':
      return readEntries(all(message, 'Ntfctn'));
    default:
      return { kind: 'unsupported' };
  }
}

/** The final states of pain.002: the money was sent (SETTLED), or will never be sent (REJECTED). */
const SETTLED: ReadonlySet<string> = new Set(['ACSC', 'ACCC']);
const REJECTED: ReadonlySet<string> = new Set(['RJCT', 'CANC']);

function readStatusReport(report: Element): MessageReading {
  const groups = all(report, 'OrgnlPmtInfAndSts');
  const transactions = groups.flatMap((group) => all(group, 'TxInfAndSts'));
  const rejected = [...all(report, 'OrgnlGrpInfAndSts'), ...groups].find(
    (part) => REJECTED.has(text(part, 'GrpSts') + text(part, 'PmtInfSts')) && all(part, 'TxInfAndSts').length === 0,
  );
  if (transactions.length === 0 && rejected !== undefined) return { kind: 'rejected', reason: reasonIn(rejected) };
  const payments = transactions.flatMap((transaction): ReportedPayment[] => {
    const payoutId = parsePayoutReference(text(transaction, 'OrgnlEndToEndId'));
    if (payoutId === undefined) return [];
    const status = text(transaction, 'TxSts');
    const amount = at(transaction, 'OrgnlTxRef', 'Amt', 'InstdAmt');
    return [withMoney({ payoutId, state: stateOf(status), status, reason: reasonIn(transaction) }, amount)];
  });
  return { kind: 'read', payments, others: transactions.length - payments.length };
}

function stateOf(status: string): ReportedState {
  if (SETTLED.has(status)) return 'paid';
  return REJECTED.has(status) ? 'failed' : 'pending';
}

/**
 * Reads account entries. A booked debit with the reference of a payout is the payment of that payout. A booked credit
 * with the same reference returned the money. Booked reversals, and booked entries without a direction or an amount,
 * get the state `unknown`, so that a person judges them. Entries that are not booked yet are pending.
 */
function readEntries(accounts: readonly Element[]): MessageReading {
  const entries = accounts.flatMap((account) => all(account, 'Ntry'));
  let others = 0;
  const payments: ReportedPayment[] = [];
  for (const entry of entries) {
    const transactions = all(entry, 'NtryDtls').flatMap((details) => all(details, 'TxDtls'));
    const ofPayouts = transactions.flatMap((transaction): ReportedPayment[] => {
      const payoutId = parsePayoutReference(text(transaction, 'Refs', 'EndToEndId'));
      if (payoutId === undefined) return [];
      const isAlone = transactions.length === 1;
      const direction = text(transaction, 'CdtDbtInd') || text(entry, 'CdtDbtInd');
      const booked = text(entry, 'Sts', 'Cd') || text(entry, 'Sts');
      const isReversal = text(entry, 'RvslInd') === 'true';
      const amount =
        at(transaction, 'Amt') ??
        at(transaction, 'AmtDtls', 'TxAmt', 'Amt') ??
        at(transaction, 'AmtDtls', 'InstdAmt', 'Amt') ??
        (isAlone ? at(entry, 'Amt') : undefined);
      // The amount must be known and match the payout, because anyone can send money with the reference of a payout.
      const isUnclear = isReversal || amount === undefined;
      const state = booked !== 'BOOK' ? 'pending' : isUnclear ? 'unknown' : (BOOKED[direction] ?? 'unknown');
      const status = `${direction} ${booked}`;
      const reason = state === 'failed' ? (reasonIn(transaction) ?? 'the money was returned') : null;
      return [withMoney({ payoutId, state, status, reason }, amount)];
    });
    payments.push(...ofPayouts);
    others += Math.max(1, transactions.length) - ofPayouts.length;
  }
  return { kind: 'read', payments, others };
}

/**
 * Returns a payment with its amount and currency. If the message has an amount that can't be parsed, the state becomes
 * `unknown`, so that a person judges the payment.
 */
function withMoney(
  payment: Omit<ReportedPayment, 'amount' | 'currency'>,
  amount: Element | undefined,
): ReportedPayment {
  const minor: Minor | undefined = parseMajor(amount?.text ?? '');
  const state = amount !== undefined && minor === undefined ? 'unknown' : payment.state;
  return { ...payment, state, amount: minor ?? null, currency: amount?.attributes['Ccy'] ?? null };
}

/** The states of booked entries by their direction. */
const BOOKED: Readonly<Record<string, ReportedState>> = { DBIT: 'paid', CRDT: 'failed' };

/**
 * Returns the code and text of the reason for a rejection or return, such as `AC04: Account closed`. Returns null if
 * the message gives no reason.
 */
function reasonIn(part: Element): string | null {
  const given = at(part, 'StsRsnInf') ?? at(part, 'RtrInf');
  if (given === undefined) return null;
  const code = text(given, 'Rsn', 'Cd') || text(given, 'Rsn', 'Prtry');
  const words = all(given, 'AddtlInf').map((each) => each.text);
  return shortenReason([code, words.join(' ')].filter((each) => each !== '').join(': '));
}

function all(parent: Element, name: string): readonly Element[] {
  return parent.children.get(name) ?? [];
}

function at(parent: Element, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>((found, name) => found?.children.get(name)?.[0], parent);
}

function text(parent: Element, ...path: readonly string[]): string {
  return at(parent, ...path)?.text ?? '';
}
