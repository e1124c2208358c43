import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { type Element, readBankMessage } from '#payouts/domain/bank-message.ts';
import { decideResults, type ResultOutcome, type ResultPayout } from '#payouts/domain/payment-results.ts';
import { failPayout } from '#payouts/domain/payout.ts';
import { parsePayoutReference, type ReportedPayment, shortenReason } from '#payouts/domain/reported-payment.ts';
import { readResultTable } from '#payouts/domain/result-table.ts';
import { readXml } from '#platform/http/read-xml.ts';

const ID = 61 as PayoutId;

function payment(change: Partial<ReportedPayment> = {}): ReportedPayment {
  return {
    payoutId: ID,
    state: 'paid',
    status: 'ACSC',
    amount: 500n as Minor,
    currency: 'EUR',
    reason: null,
    ...change,
  };
}

function payout(change: Partial<ResultPayout> = {}): ResultPayout {
  return {
    status: 'unpaid',
    review: 'none',
    runStatus: 'processing',
    refundWaits: false,
    lacksTaxDetails: false,
    clawedBack: false,
    hasFailed: false,
    amount: 500n as Minor,
    currency: 'EUR',
    ...change,
  };
}

const VOID = { status: 'void', amount: 0n as Minor } as const;

describe('decideResults: the effect of a payment in a result file on its payout', () => {
  const rows: readonly (readonly [string, Partial<ReportedPayment>, Partial<ResultPayout> | null, ResultOutcome])[] = [
    ['pays an unpaid payout', {}, {}, 'paid'],
    ['pays if the file has no amount', { amount: null, currency: null }, {}, 'paid'],
    ['changes nothing if the payout is paid', {}, { status: 'paid' }, 'unchanged'],
    ['fails an unpaid payout', { state: 'failed' }, {}, 'failed'],
    ['fails a paid payout whose money was returned', { state: 'failed' }, { status: 'paid' }, 'failed'],
    ['fails a payout under review', { state: 'failed' }, { review: 'flagged' }, 'failed'],
    [
      'changes nothing if the payment has already failed',
      { state: 'failed' },
      { ...VOID, hasFailed: true },
      'unchanged',
    ],
    ['refuses a failure of a payout that is void for another reason', { state: 'failed' }, VOID, 'void'],
    ['refuses to pay a void payout', {}, { ...VOID, hasFailed: true }, 'void'],
    ['refuses an unknown payout', {}, null, 'not-found'],
    ['refuses an unknown status', { state: 'unknown' }, {}, 'unknown-status'],
    ['changes nothing while the payment is not final', { state: 'pending' }, {}, 'pending'],
    ['refuses another amount', { amount: 499n as Minor }, {}, 'amount-differs'],
    ['refuses another currency', { currency: 'USD' }, {}, 'currency-differs'],
    ['refuses to pay a payout under review', {}, { review: 'flagged' }, 'under-review'],
    ['refuses to pay a payout while a refund is being processed', {}, { refundWaits: true }, 'refund-waits'],
    ['refuses to pay a payout of a closed run', {}, { runStatus: 'failed' }, 'run-closed'],
    [
      'refuses a failure in a complete run',
      { state: 'failed' },
      { status: 'paid', runStatus: 'complete' },
      'run-closed',
    ],
    ['refuses a failure in a failed run', { state: 'failed' }, { runStatus: 'failed' }, 'run-closed'],
    ['refuses a failure after a clawback', { state: 'failed' }, { status: 'paid', clawedBack: true }, 'clawed-back'],
  ];
  for (const [name, reported, facts, outcome] of rows) {
    it(name, () => {
      const payouts = new Map(facts === null ? [] : [[ID, payout(facts)]]);
      assert.equal(decideResults([payment(reported)], payouts)[0]?.outcome, outcome);
    });
  }

  it('gives the outcome superseded to a payment if the file also has its return', () => {
    const lines = [payment({ state: 'failed' }), payment(), payment({ state: 'pending' })];
    for (const order of [lines, lines.toReversed()]) {
      const results = decideResults(order, new Map([[ID, payout()]]));
      assert.deepEqual(
        results.map(({ state, outcome }) => [state, outcome]),
        order.map(({ state }) => [state, state === 'failed' ? 'failed' : 'superseded']),
      );
    }
  });

  it('pays the payout even if the file also has a failed payment of another amount or currency for it', () => {
    for (const foreign of [{ amount: 1n as Minor }, { currency: 'JPY' }]) {
      const lines = [payment(), payment({ state: 'failed', ...foreign })];
      const outcomes = decideResults(lines, new Map([[ID, payout()]])).map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, ['paid', 'amount' in foreign ? 'amount-differs' : 'currency-differs']);
    }
  });
});

it('failPayout: allows the failure of an unpaid payout that a review reduced', () => {
  assert.equal(failPayout(payout({ clawedBack: true })), 'changed');
});

it('parsePayoutReference: accepts only a complete reference', () => {
  assert.equal(parsePayoutReference('PAYOUT-61'), 61);
  assert.equal(parsePayoutReference(' payout-7 '), 7);
  for (const text of [
    '',
    'Mugs: PAYOUT-7, thanks',
    'payout-1@evil.example',
    'payout 61',
    'PAYOUT-0',
    'XPAYOUT-1',
    'PAYOUT-9999999999999999',
    'PAYOUT-12345678901234567',
  ]) {
    assert.equal(parsePayoutReference(text), undefined, text);
  }
});

it('shortenReason: returns null for an empty text, and at most 500 characters', () => {
  assert.equal(shortenReason(''), null);
  assert.equal(shortenReason('x'.repeat(600))?.length, 500);
});

describe('a result file in CSV', () => {
  const read = (text: string, separator = ',') => {
    const records = text.split('\n').map((line) => line.split(separator));
    return readResultTable({ separator, records }, () => undefined);
  };
  const short = async (text: string, separator?: string) => {
    const reading = await read(text, separator);
    assert.equal(reading.kind, 'read');
    return reading.kind === 'read'
      ? [
          ...reading.payments.map(({ payoutId, state, amount, currency, reason }) => [
            payoutId,
            state,
            amount,
            currency,
            reason,
          ]),
          reading.others,
        ]
      : [];
  };

  it('is read with the status that a person filled in', async () => {
    const text =
      'reference,amount,currency,status,reason\nPAYOUT-1,5.00,eur,Paid,\nPAYOUT-2,5.00,EUR,failed,Closed\nPAYOUT-3,5.00,EUR,,';
    assert.deepEqual(await short(text), [[1, 'paid', 500n, 'EUR', null], [2, 'failed', 500n, 'EUR', 'Closed'], 1]);
  });

  it('is read from a PayPal report, whose amounts are negative: other payments are skipped, and unclaimed payments are pending', async () => {
    const text =
      'Transaction Status;Gross;Currency;Customer ID\nCompleted;-5,00;USD;PAYOUT-1\nUnclaimed;-5,00;USD;PAYOUT-2\nCompleted;9,00;USD;other\nMoved;;;PAYOUT-3';
    assert.deepEqual(await short(text, ';'), [
      [1, 'paid', 500n, 'USD', null],
      [2, 'pending', 500n, 'USD', null],
      [3, 'unknown', null, null, null],
      1,
    ]);
  });

  it('is read from a Wise report with the amount in the recipient’s currency', async () => {
    const text =
      'ID,Status,Source amount (after fees),Source currency,Target amount (after fees),Target currency,Reference\n1,OUTGOING_PAYMENT_SENT,6.00,EUR,5.00,USD,PAYOUT-1\n2,FUNDS_REFUNDED,6.00,EUR,5.00,USD,PAYOUT-2';
    assert.deepEqual(await short(text), [[1, 'paid', 500n, 'USD', null], [2, 'failed', 500n, 'USD', null], 0]);
  });

  it('is matched with payouts through the payment reference, even if a name or invoice number looks like a reference', async () => {
    const text =
      'Name,Invoice number,Status,Payment reference,Amount\nPAYOUT-1,PAYOUT-1,cancelled,PAYOUT-2,5\nPAYOUT-1,,paid,,';
    assert.deepEqual(await short(text), [[2, 'failed', 500n, null, null], 1]);
  });

  it('is read with the status unknown for an incoming payment or an unrecognized status, and without rows that have two different references', async () => {
    const text =
      'Status,Direction,Reference,Payment reference,Amount\nCOMPLETED,IN,PAYOUT-1,,5\nCOMPLETED,OUT,PAYOUT-2,PAYOUT-2,5\n0% paid,OUT,PAYOUT-3,,5\npaid,OUT,PAYOUT-4,PAYOUT-5,5';
    assert.deepEqual(await short(text), [
      [1, 'unknown', 500n, null, null],
      [2, 'paid', 500n, null, null],
      [3, 'unknown', 500n, null, null],
      1,
    ]);
  });

  it('is refused without a status, reference or amount column, or with an unreadable amount', async () => {
    assert.deepEqual(await read('reference,amount\nPAYOUT-1,5'), { kind: 'no-status-column' });
    assert.deepEqual(await read('status,amount,reference\npaid,five,PAYOUT-1'), { kind: 'unreadable-amount', row: 2 });
    assert.deepEqual(await read('status,name,amount\npaid,PAYOUT-1,5'), { kind: 'no-reference-column' });
    assert.deepEqual(await readResultTable({ separator: ',', records: [] }, () => undefined), {
      kind: 'no-status-column',
    });
    assert.deepEqual(await read('status,reference\npaid,PAYOUT-1'), { kind: 'no-amount-column' });
    assert.deepEqual(await short('status,reference,amount\npaid,PAYOUT-1\npaid'), [
      [1, 'unknown', null, null, null],
      1,
    ]);
  });

  it('is read with a few steps per row, regardless of the number of reference columns, and with a break at each row', async () => {
    let reads = 0;
    const counted = new Proxy(['paid', '5', 'PAYOUT-1'], {
      get: (cells, key) => {
        reads += 1;
        return Reflect.get(cells, key) as unknown;
      },
    });
    let breaks = 0;
    const header = ['status', 'amount', ...Array<string>(900).fill('reference')];
    const reading = await readResultTable({ separator: ',', records: [header, counted, ['paid', '5']] }, () => {
      breaks += 1;
      return undefined;
    });
    assert.deepEqual([reading.kind, breaks], ['read', 2]);
    assert.ok(reads < 20, `${reads} cells are read`);
  });
});

describe('a bank message', () => {
  const read = async (body: string) => {
    const reading = await readXml(`<?xml version="1.0"?><Document xmlns="urn:x">${body}</Document>`);
    assert.equal(reading.kind, 'document');
    return readBankMessage((reading as { root: Element }).root);
  };
  const short = async (body: string) => {
    const message = await read(body);
    assert.equal(message.kind, 'read');
    return message.kind === 'read'
      ? [
          ...message.payments.map(({ payoutId, state, amount, currency, reason }) => [
            payoutId,
            state,
            amount,
            currency,
            reason,
          ]),
          message.others,
        ]
      : [];
  };
  const status = (id: number, state: string, rest = '') =>
    `<TxInfAndSts><OrgnlEndToEndId>PAYOUT-${id}</OrgnlEndToEndId><TxSts>${state}</TxSts>${rest}</TxInfAndSts>`;

  it('is read from pain.002 with the status of each payment, and the reason for a rejection', async () => {
    const money = '<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">5.00</InstdAmt></Amt></OrgnlTxRef>';
    const reason =
      '<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Account</AddtlInf><AddtlInf>closed</AddtlInf></StsRsnInf>';
    const other = '<TxInfAndSts><OrgnlEndToEndId>INVOICE</OrgnlEndToEndId></TxInfAndSts>';
    const own = '<StsRsnInf><Rsn><Prtry>X1</Prtry></Rsn></StsRsnInf>';
    const groups = `<OrgnlPmtInfAndSts>${status(1, 'ACSC', money)}${status(2, 'RJCT', reason)}${status(3, 'PDNG')}${status(4, 'CANC', own)}${other}</OrgnlPmtInfAndSts>`;
    assert.deepEqual(await short(`<CstmrPmtStsRpt>${groups}</CstmrPmtStsRpt>`), [
      [1, 'paid', 500n, 'EUR', null],
      [2, 'failed', null, null, 'AC04: Account closed'],
      [3, 'pending', null, null, null],
      [4, 'failed', null, null, 'X1'],
      1,
    ]);
  });

  it('is a rejection of the whole file if it is a pain.002 with a rejection and without payments', async () => {
    const reason = '<StsRsnInf><AddtlInf>Duplicate</AddtlInf></StsRsnInf>';
    for (const part of [
      `<OrgnlGrpInfAndSts><GrpSts>RJCT</GrpSts>${reason}</OrgnlGrpInfAndSts>`,
      `<OrgnlPmtInfAndSts><PmtInfSts>RJCT</PmtInfSts>${reason}</OrgnlPmtInfAndSts>`,
    ]) {
      assert.deepEqual(await read(`<CstmrPmtStsRpt>${part}</CstmrPmtStsRpt>`), {
        kind: 'rejected',
        reason: 'Duplicate',
      });
    }
    const accepted = '<OrgnlGrpInfAndSts><GrpSts>ACCP</GrpSts></OrgnlGrpInfAndSts>';
    assert.deepEqual(await short(`<CstmrPmtStsRpt>${accepted}</CstmrPmtStsRpt>`), [0]);
  });

  const refs = (id: number | string) =>
    `<Refs><EndToEndId>${typeof id === 'number' ? `PAYOUT-${id}` : id}</EndToEndId></Refs>`;
  const entry = (head: string, ...transactions: readonly string[]) =>
    `<Ntry>${head}<NtryDtls>${transactions.map((each) => `<TxDtls>${each}</TxDtls>`).join('')}</NtryDtls></Ntry>`;

  it('is read from camt.053 with booked debits and returns, alone or in a batch', async () => {
    const debit = '<Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>';
    const credit = '<Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>';
    const waiting = '<Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts>';
    const reason = '<RtrInf><Rsn><Cd>AC01</Cd></Rsn></RtrInf>';
    const amounts = ['<Amt Ccy="EUR">2.00</Amt>', '<AmtDtls><TxAmt><Amt Ccy="EUR">3.00</Amt></TxAmt></AmtDtls>'];
    const body = [
      entry(debit, refs(1)),
      entry(credit, `${refs(2)}${reason}`),
      entry(credit, refs(3)),
      entry(waiting, refs(4)),
      entry(
        debit,
        `${refs(5)}${amounts[0]}`,
        `${refs(6)}${amounts[1]}`,
        `${refs(7)}<CdtDbtInd>DBIT</CdtDbtInd>`,
        refs('RENT'),
      ),
      `<Ntry>${debit}</Ntry>`,
      entry(debit.replace(/<CdtDbtInd>.*?<.CdtDbtInd>/, ''), refs(8)),
      entry(`${debit}<RvslInd>true</RvslInd>`, refs(9)),
      entry(debit.replace('5.00', '5,00'), refs(10)),
      entry(credit, `${refs(11)}<AmtDtls><InstdAmt><Amt Ccy="EUR">0.01</Amt></InstdAmt></AmtDtls>`, refs(12)),
    ].join('');
    assert.deepEqual(await short(`<BkToCstmrStmt><Stmt>${body}</Stmt></BkToCstmrStmt>`), [
      [1, 'paid', 500n, 'EUR', null],
      [2, 'failed', 500n, 'EUR', 'AC01'],
      [3, 'failed', 500n, 'EUR', 'the money was returned'],
      [4, 'pending', 500n, 'EUR', null],
      [5, 'paid', 200n, 'EUR', null],
      [6, 'paid', 300n, 'EUR', null],
      [7, 'unknown', null, null, null],
      [8, 'unknown', 500n, 'EUR', null],
      [9, 'unknown', 500n, 'EUR', null],
      [10, 'unknown', null, 'EUR', null],
      [11, 'failed', 1n, 'EUR', 'the money was returned'],
      [12, 'unknown', null, null, null],
      2,
    ]);
  });

  it('is read from camt.054 as from camt.053', async () => {
    const head = '<Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>';
    const body = `<BkToCstmrDbtCdtNtfctn><Ntfctn>${entry(head, refs(1))}</Ntfctn></BkToCstmrDbtCdtNtfctn>`;
    assert.deepEqual(await short(body), [[1, 'paid', 500n, 'EUR', null], 0]);
  });

  it('is evaluated in less time than its XML is parsed, even if an entry has thousands of other elements', async () => {
    const transactions = `<TxDtls>${refs(1)}</TxDtls>`.repeat(1_500);
    const entry = `<Ntry><NtryDtls>${transactions}</NtryDtls>${'<a/>'.repeat(30_000)}<Sts>BOOK</Sts></Ntry>`;
    const begun = performance.now();
    const reading = await readXml(`<Document><BkToCstmrStmt><Stmt>${entry}</Stmt></BkToCstmrStmt></Document>`);
    const parsed = performance.now();
    const message = readBankMessage((reading as { root: Element }).root);
    const took = performance.now() - parsed;
    assert.equal(message.kind === 'read' && message.payments.length, 1_500);
    assert.ok(took < parsed - begun, `read in ${took} ms, parsed in ${parsed - begun} ms`);
  });

  it('is refused if it is of another kind', async () => {
    assert.deepEqual(await read('<CstmrCdtTrfInitn/>'), { kind: 'unsupported' });
    assert.deepEqual(await read(''), { kind: 'unsupported' });
    const other = await readXml('<Other><CstmrPmtStsRpt/></Other>');
    assert.deepEqual(readBankMessage((other as { root: Element }).root), { kind: 'unsupported' });
  });
});
