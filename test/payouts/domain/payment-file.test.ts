import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PayoutDetails, PayoutMethod } from '#collaborators/domain/payout-details.ts';
import type { CollaboratorId, FulfillmentId, PayoutId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { changedPayer, checkedPayer, maskedIban } from '#payouts/domain/payer-account.ts';
import {
  filesOf,
  type LeftOutReason,
  type PayableTo,
  type Payee,
  paymentAmount,
  placeOf,
  type PlacedPayout,
  referenceOf,
  ROWS_OF_FILE,
} from '#payouts/domain/payment-file.ts';
import { type CsvFormat, PAYMENT_ROWS } from '#payouts/domain/payment-rows.ts';
import { sepaFile } from '#payouts/domain/sepa-file.ts';
import { sepaText } from '#payouts/domain/sepa-text.ts';
import { paymentText } from '#payouts/wording/payment-text.ts';

const IBAN = 'DE89370400440532013000';

function details(method: PayoutMethod, change: Partial<PayoutDetails> = {}): PayoutDetails {
  const account = method === 'iban' ? IBAN : 'ada@example.com';
  return { method, holder: 'Ada Lovelace', account, bankCode: null, accountType: null, ...change };
}

function payee(change: Partial<Payee> = {}): Payee {
  return {
    payoutId: 61 as PayoutId,
    collaboratorId: 7 as CollaboratorId,
    amount: 500n as Minor,
    currency: 'EUR',
    needsReview: false,
    lacksTaxDetails: false,
    name: 'Ada',
    details: details('iban'),
    downloadedAs: null,
    ...change,
  };
}

describe('the file of a payout', () => {
  const rows: readonly (readonly [
    name: string,
    change: Partial<Payee>,
    format: string | null,
    LeftOutReason | null,
  ])[] = [
    ['an IBAN in EUR', {}, 'sepa', null],
    ['an IBAN of a payee without a holder', { details: details('iban', { holder: null }) }, 'sepa', null],
    ['an IBAN in USD', { currency: 'USD' }, 'other', 'unsupported-currency'],
    [
      'an IBAN of Brazil',
      { details: details('iban', { account: 'BR1500000000000010932840814P2' }) },
      'other',
      'unsupported-account',
    ],
    ['a holder in Greek letters', { details: details('iban', { holder: 'Ελένη' }) }, 'other', 'unsupported-name'],
    ['a billion euros', { amount: 100_000_000_000n as Minor }, 'other', 'unsupported-amount'],
    ['PayPal', { details: details('paypal') }, 'paypal', null],
    ['PayPal in KWD', { details: details('paypal'), currency: 'KWD' }, 'other', 'unsupported-currency'],
    ['Wise', { details: details('wise'), currency: 'KWD' }, 'wise', null],
    ['a UK account', { details: details('uk') }, 'other', 'other-method'],
    ['a US account', { details: details('us') }, 'other', 'other-method'],
    ['another method', { details: details('other') }, 'other', 'other-method'],
    ['a payout in a downloaded file', { downloadedAs: 'sepa' }, 'sepa', null],
    ['a payout in a downloaded file of another format', { downloadedAs: 'paypal' }, null, 'in-another-file'],
    [
      'a downloaded payout whose payout details were removed',
      { details: undefined, downloadedAs: 'sepa' },
      null,
      'no-details',
    ],
    ['a payee without payout details', { details: undefined }, null, 'no-details'],
    ['a payout under review', { needsReview: true }, null, 'under-review'],
    ['a payee without required tax details', { lacksTaxDetails: true }, null, 'no-tax-details'],
  ];
  for (const [name, change, format, reason] of rows) {
    it(`is ${format ?? 'none'} for ${name}`, () => assert.deepEqual(placeOf(payee(change)), { format, reason }));
  }
});

describe('the files of a run', () => {
  const placed = (id: number, format: PlacedPayout['format'], reason: LeftOutReason | null = null): PlacedPayout => ({
    payoutId: id as PayoutId,
    collaboratorId: id as CollaboratorId,
    amount: 100n as Minor,
    downloadedAs: null,
    format,
    reason,
  });

  it('contain the payouts of their format, and the file `all` contains every payable payout', () => {
    const downloaded = { ...placed(4, 'sepa'), downloadedAs: 'sepa' } as const;
    const files = filesOf([placed(1, 'sepa'), placed(2, null, 'no-details'), placed(3, 'paypal'), downloaded]);
    assert.deepEqual(files, [
      { format: 'sepa', first: 1, last: 4, payouts: 2, amount: 200n, notDownloaded: 1 },
      { format: 'paypal', first: 3, last: 3, payouts: 1, amount: 100n, notDownloaded: 1 },
      { format: 'all', first: 1, last: 4, payouts: 3, amount: 300n, notDownloaded: 2 },
    ]);
  });

  it('are split at the limit of the payment service', () => {
    const many = Array.from({ length: 2_001 }, (_, at) => placed(at + 1, 'wise'));
    const wise = filesOf(many).filter(({ format }) => format === 'wise');
    assert.deepEqual(
      wise.map(({ first, last, payouts }) => [first, last, payouts]),
      [
        [1, 1_000, 1_000],
        [1_001, 2_000, 1_000],
        [2_001, 2_001, 1],
      ],
    );
    assert.deepEqual([ROWS_OF_FILE.paypal, ROWS_OF_FILE.wise], [5_000, 1_000]);
  });
});

describe('the rows of a CSV payment file', () => {
  const cells = (format: CsvFormat, change: Partial<PayableTo>) => {
    const { columns, row } = PAYMENT_ROWS[format];
    return [columns, row({ ...payee(), ...change } as PayableTo, 'Mugs: payout 61')];
  };

  it('have no header for PayPal, and have the reference as the customer id', () => {
    assert.deepEqual(cells('paypal', { details: details('paypal', { holder: null }), currency: 'USD' }), [
      null,
      ['ada@example.com', '5.00', 'USD', 'PAYOUT-61', 'Mugs: payout 61', 'PAYPAL'],
    ]);
  });

  it('name the recipient for Wise, and pay the exact amount in the currency of the run', () => {
    const columns = 'name,recipientEmail,sourceCurrency,targetCurrency,amount,amountCurrency,paymentReference';
    const tail = ['ada@example.com', 'EUR', 'EUR', '5.00', 'target', 'PAYOUT-61'];
    assert.deepEqual(cells('wise', { details: details('wise') }), [columns.split(','), ['Ada Lovelace', ...tail]]);
    assert.deepEqual(cells('wise', { details: details('wise', { holder: null }) })[1], ['Ada', ...tail]);
  });

  it('contain the whole account and empty cells for the result in files for people', () => {
    const us = details('us', { account: '0012345', bankCode: '021000021', accountType: 'checking' });
    const [columns, row] = cells('other', { details: us, currency: 'USD' });
    assert.deepEqual(columns?.slice(0, 3), ['reference', 'method', 'holder']);
    const account = ['Ada Lovelace', '0012345', '021000021', 'checking', '5.00', 'USD'];
    assert.deepEqual(row, ['PAYOUT-61', 'us', ...account, 7, 'Ada', null, null]);
    assert.equal(cells('all', { details: details('other', { holder: null }) })[1]?.[2], 'Ada');
  });

  it('have a reference of at most 23 characters', () => {
    assert.equal(referenceOf(9_007_199_254_740_991 as PayoutId).length, 23);
  });

  it('have payment texts that name the merchant and the payout, and that say so if the payment is a test', () => {
    const texts = (['live', 'test'] as const).map((mode) => paymentText('Mugs', mode, 61 as PayoutId));
    assert.deepEqual(texts, ['Mugs: payout 61', 'TEST, NOT FOR A BANK. Mugs: payout 61']);
  });

  it('have amounts without decimals in currencies without decimals', () => {
    assert.equal(paymentAmount(123_400n as Minor, 'JPY'), '1234');
    assert.equal(paymentAmount(123_456n as Minor, 'EUR'), '1234.56');
  });
});

describe('a text in a SEPA file', () => {
  for (const [text, written] of [
    ['Zoë Müller', 'Zoe Muller'],
    ['Straße & Søn', 'Strasse + Son'],
    ['O’Brien “Bo” <b>/x', "O'Brien Bo b x"],
    ['  Łukasz \n Çelik_1 ', 'Lukasz Celik-1'],
  ] as const) {
    it(`is “${written}” for ${JSON.stringify(text)}`, () => assert.equal(sepaText(text), written));
  }
  it('is undefined if a letter is of another script, or if no character is left', () => {
    assert.equal(sepaText('Иван'), undefined);
    assert.equal(sepaText('山田'), undefined);
    assert.equal(sepaText('★ ★'), undefined);
  });
});

describe('a SEPA file', () => {
  const file = (payees: readonly Payee[], bic: string | null = null) =>
    [
      ...sepaFile({
        executeOn: '2026-12-01',
        runId: 71 as FulfillmentId,
        payer: { holder: 'Ada’s Mugs', iban: IBAN, bic },
        createdAt: new Date('2026-11-30T12:00:00.123Z'),
        payees: payees as readonly PayableTo[],
        describe: ({ payoutId }) =>
          payoutId === 61 ? 'Κούπες: payout 61' : paymentText('Mugs', 'live', payoutId).repeat(20),
      }),
    ].join('');

  it('has the totals, the payer, and each payee with the reference', () => {
    const other = { payoutId: 62 as PayoutId, details: details('iban', { holder: null, bankCode: 'COBADEFFXXX' }) };
    const text = file([payee(), payee(other)], 'COBADEFFXXX');
    assert.equal(text.match(/<NbOfTxs>2<\/NbOfTxs><CtrlSum>10.00<\/CtrlSum>/g)?.length, 2);
    assert.match(text, /<MsgId>R71-P61<\/MsgId><CreDtTm>2026-11-30T12:00:00Z<\/CreDtTm>/);
    assert.match(text, /<Dbtr><Nm>Ada's Mugs<\/Nm><\/Dbtr>/);
    assert.match(text, /<DbtrAgt><FinInstnId><BICFI>COBADEFFXXX</);
    assert.match(text, /<EndToEndId>PAYOUT-61<\/EndToEndId>/);
    assert.match(text, /<Cdtr><Nm>Ada Lovelace<\/Nm><\/Cdtr>/);
    assert.match(text, /<CdtrAgt><FinInstnId><BICFI>COBADEFFXXX<\/BICFI><\/FinInstnId><\/CdtrAgt><Cdtr><Nm>Ada</);
    assert.match(text, /<Ustrd>PAYOUT-61<\/Ustrd>/);
    assert.match(text, /<Ustrd>.{140}<\/Ustrd>/);
  });

  it('has no bank of the payer if the BIC is unknown', () => {
    assert.match(file([payee()]), /<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</);
  });
});

describe('the bank account of the merchant', () => {
  const account = { holder: 'Mugs', iban: 'de89 3704 0044 0532 0130 00', bic: 'cobadeffxxx' };
  it('is stored with its IBAN and BIC in capitals and without spaces', () => {
    assert.deepEqual(checkedPayer(account), {
      kind: 'valid',
      account: { holder: 'Mugs', iban: IBAN, bic: 'COBADEFFXXX' },
    });
    assert.equal(checkedPayer({ ...account, bic: null }).kind, 'valid');
    assert.equal(maskedIban(IBAN), 'DE••••3000');
  });
  it('is refused with an error for each invalid field', () => {
    const fields = (change: Partial<typeof account>) => {
      const checked = checkedPayer({ ...account, ...change });
      return checked.kind === 'faulty' ? checked.faults.map(({ field, code }) => [field, code]) : [];
    };
    assert.deepEqual(fields({ holder: 'Кружки', bic: 'X' }), [
      ['holder', 'invalid-format'],
      ['bic', 'invalid-format'],
    ]);
    assert.deepEqual(fields({ iban: 'DE00 1' }), [['iban', 'invalid-format']]);
    assert.deepEqual(fields({ iban: 'BR1500000000000010932840814P2' }), [['iban', 'not-applicable']]);
    assert.deepEqual(fields({ iban: '' }), [['iban', 'invalid-format']]);
  });
});

describe('changedPayer: a change of the merchant’s account', () => {
  const before = { holder: 'Mugs', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };

  it('keeps omitted fields, and keeps the IBAN if it is sent back masked', () => {
    assert.deepEqual(changedPayer({ holder: 'Cups' }, before), {
      kind: 'valid',
      account: { ...before, holder: 'Cups' },
    });
    assert.deepEqual(changedPayer({ iban: 'DE••••3000' }, before), { kind: 'valid', account: before });
  });

  it('removes the BIC if the IBAN changes, unless the request has a BIC', () => {
    const iban = 'FR1420041010050500013M02606';
    assert.deepEqual(changedPayer({ iban }, before), { kind: 'valid', account: { holder: 'Mugs', iban, bic: null } });
    const bic = 'BNPAFRPP';
    assert.deepEqual(changedPayer({ iban, bic }, before), { kind: 'valid', account: { holder: 'Mugs', iban, bic } });
  });

  it('requires a holder and an IBAN if there is no account yet', () => {
    const missing = (given: object) => {
      const changed = changedPayer(given, undefined);
      return changed.kind === 'faulty' && changed.faults.map(({ field, code }) => `${field} ${code}`);
    };
    assert.deepEqual(missing({ bic: 'COBADEFFXXX' }), ['holder required', 'iban required']);
    assert.deepEqual(missing({ holder: 'Mugs' }), ['iban required']);
    assert.deepEqual(missing({ iban: before.iban }), ['holder required']);
  });
});
