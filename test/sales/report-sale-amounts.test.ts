import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

const SALE = '/v1/event/sale';
const MAX = '90071992547409.91';
const MAX_MINOR = Number.MAX_SAFE_INTEGER;

type Transaction = {
  id: number;
  source: string;
  externalId: string;
  total: number;
  currency: string;
  opportunityId: number;
  lines: { externalId: string | null; name: string; type: string; quantity: number; amount: number; total: number }[];
};

describe('amounts of POST /v1/event/sale', () => {
  let service: TestService;
  let shop: Shop;
  let oid: string;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    oid = await shop.visit('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  let made = 0;
  const newId = () => `sale-${(made += 1)}`;
  /**
   * Returns the JSON text of a sale. The fields are also JSON texts, so that numbers keep their digits. Undefined fields
   * are omitted.
   */
  function text(fields: Record<string, string | undefined> = {}): string {
    const given = { source: '"shop"', externalId: `"${newId()}"`, total: '10', trackingId: oid, ...fields };
    const members = Object.entries(given).flatMap(([name, json]) => (json === undefined ? [] : [`"${name}":${json}`]));
    return `{${members.join(',')}}`;
  }
  const report = (body: unknown, key: string | undefined = service.secretKey) =>
    service.request('POST', SALE, { key, body });

  /** Reports a sale that must be accepted, and returns its stored transaction. */
  async function taken(fields: Record<string, string | undefined>): Promise<Transaction> {
    const id = newId();
    const reply = await report(text({ externalId: JSON.stringify(id), ...fields }));
    assert.equal(reply.status, 200, `${JSON.stringify(fields).slice(0, 200)}: ${reply.text}`);
    const [newest] = await shop.get<Transaction[]>('/v1/transactions?perPage=1');
    assert.ok(newest);
    return newest;
  }
  async function refused(fields: Record<string, string | undefined>, faults: Record<string, string>): Promise<void> {
    const reply = await report(text(fields));
    const shown = JSON.stringify(fields).slice(0, 200);
    assert.equal(reply.status, 422, `taken: ${shown}`);
    assert.deepEqual(faultCodes(reply), faults, shown);
  }

  describe('totalMinor of a sale', () => {
    it('is the total in the smallest unit of the currency according to ISO 4217', async () => {
      const cases = [
        ['1999', 'USD', 1999],
        ['"1999"', 'USD', 1999],
        ['1234', 'JPY', 123_400],
        ['12345', 'KWD', 1235],
        ['12344', 'KWD', 1234],
        ['0', 'EUR', 0],
        [String(MAX_MINOR), 'EUR', MAX_MINOR],
      ] as const;
      for (const [totalMinor, currency, stored] of cases) {
        const { total, lines } = await taken({ total: undefined, totalMinor, currency: `"${currency}"` });
        assert.deepEqual([total, lines[0]?.total], [stored, stored], `${totalMinor} ${currency}`);
      }
    });

    it('is rejected if it is sent with total, has a fraction, is below zero, or exceeds the maximum amount', async () => {
      const alone = (totalMinor: string, currency = '"USD"') => ({ total: undefined, totalMinor, currency });
      await refused({ totalMinor: '1000' }, { '/totalMinor': 'conflicting' });
      await refused(alone('null'), { '/total': 'required' });
      await refused(alone('10.5'), { '/totalMinor': 'wrong-type' });
      await refused(alone('-1'), { '/totalMinor': 'out-of-range' });
      await refused(alone('9007199254740992'), { '/totalMinor': 'out-of-range' });
      await refused(alone('90071992547410', '"JPY"'), { '/totalMinor': 'out-of-range' });
      await refused({ source: undefined, total: undefined }, { '/source': 'required', '/total': 'required' });
    });

    it('matches an equal total when a sale is repeated', async () => {
      const mug = '[{"name": "Mug", "quantity": 2, "amount": 5}]';
      const first = { externalId: '"minor-once"', total: '10', items: mug };
      await taken(first);
      for (const same of [
        { total: undefined, totalMinor: '1000' },
        { items: '[{"name": "Mug", "quantity": 2, "amountMinor": 500}]' },
        { items: '[{"name": "Mug", "quantity": 2, "total": 10}]' },
      ]) {
        assert.equal((await report(text({ ...first, ...same }))).status, 200, JSON.stringify(same));
      }
      for (const other of [
        { total: undefined, totalMinor: '1001' },
        { items: '[{"name": "Mug", "quantity": 2, "total": 10.01}]' },
      ]) {
        assert.equal((await report(text({ ...first, ...other }))).status, 409, JSON.stringify(other));
      }
    });
  });

  describe('items of a sale', () => {
    const items = (...list: Record<string, unknown>[]) => ({ items: JSON.stringify(list) });
    const mug = { name: 'Mug', amount: 1 };

    it('keep their order, up to 1,000 items, and an empty list becomes one Order line', async () => {
      const many = Array.from({ length: 1_000 }, (_, n) => ({ name: `Line ${n}`, amount: 0.01 }));
      const { lines } = await taken(items(...many));
      assert.deepEqual(
        lines.map(({ name }) => name),
        many.map(({ name }) => name),
      );
      await refused(items(...many, mug), { '/items': 'too-many' });
      const [order, ...others] = (await taken({ items: '[]', total: '"12.50"' })).lines;
      assert.deepEqual(
        [order, others],
        [{ externalId: null, name: 'Order', type: 'product', quantity: 1, amount: 1250, total: 1250 }, []],
      );
    });

    it('don’t have to add up to the total', async () => {
      const { total, lines } = await taken({ total: '1', ...items({ name: 'Mug', amount: 5 }) });
      assert.deepEqual([total, lines[0]?.amount], [100, 500]);
    });

    it('have a line total, which is submitted or computed from the unit price', async () => {
      const { lines } = await taken(
        items(
          { name: 'Rounded', quantity: 3, amount: 3.333333 },
          { name: 'Exact', quantity: 3, total: '10.00' },
          { name: 'Off', quantity: 2, total: -0.05, type: 'discount' },
          { name: 'Minor', quantity: 2, amountMinor: 1999 },
        ),
      );
      assert.deepEqual(
        lines.map(({ amount, total }) => [amount, total]),
        [
          [333, 999],
          [333, 1000],
          [-3, -5],
          [1999, 3998],
        ],
      );
      const yen = await taken({ currency: '"JPY"', ...items({ name: 'Mug', quantity: 2, amountMinor: 1234 }) });
      assert.deepEqual([yen.lines[0]?.amount, yen.lines[0]?.total], [123_400, 246_800]);
    });

    it('have names that are truncated to 255 characters', async () => {
      const { lines } = await taken(
        items(
          { ...mug, name: 'n'.repeat(256) },
          { ...mug, name: 'n'.repeat(5_000) },
          { ...mug, name: `${'n'.repeat(254)}😀` },
        ),
      );
      assert.deepEqual(
        lines.map(({ name }) => name),
        ['n'.repeat(255), 'n'.repeat(255), 'n'.repeat(254)],
      );
    });

    it('keep every field up to its limits', async () => {
      const { lines } = await taken(
        items(
          {
            externalId: 'x'.repeat(255),
            name: 'n'.repeat(255),
            quantity: 1_000_000,
            amount: '-0.29',
            type: 'discount',
          },
          { externalId: 7, name: 'n', quantity: '3', amount: '1.005', type: 'shipping' },
          { name: 'Tax\nof many lines', quantity: 1, amount: -0, type: 'tax' },
          { name: 'Fee', amount: -19.99, type: 'fee' },
        ),
      );
      assert.deepEqual(lines, [
        {
          externalId: 'x'.repeat(255),
          name: 'n'.repeat(255),
          type: 'discount',
          quantity: 1_000_000,
          amount: -29,
          total: -29_000_000,
        },
        { externalId: '7', name: 'n', type: 'shipping', quantity: 3, amount: 101, total: 303 },
        { externalId: null, name: 'Tax\nof many lines', type: 'tax', quantity: 1, amount: 0, total: 0 },
        { externalId: null, name: 'Fee', type: 'fee', quantity: 1, amount: -1999, total: -1999 },
      ]);
    });

    it('are rejected if they are not a list of objects', async () => {
      for (const json of ['5', '"[]"', 'true', '{}', '{"0": {"name": "Mug", "amount": 1}}']) {
        await refused({ items: json }, { '/items': 'wrong-type' });
      }
      await refused(
        { items: '[5, "Mug", [], true]' },
        {
          '/items/0': 'wrong-type',
          '/items/1': 'wrong-type',
          '/items/2': 'wrong-type',
          '/items/3': 'wrong-type',
        },
      );
      await refused({ items: '[null]' }, { '/items/0': 'required' });
    });

    it('are rejected with the fault code of each invalid field', async () => {
      const cases: [Record<string, unknown>, string, string][] = [
        [{ name: undefined }, 'name', 'required'],
        [{ name: null }, 'name', 'required'],
        [{ name: '' }, 'name', 'too-short'],
        [{ name: 7 }, 'name', 'wrong-type'],
        [{ name: 'a\u0000' }, 'name', 'invalid-format'],
        [{ amount: undefined }, 'amount', 'required'],
        [{ amount: null }, 'amount', 'required'],
        [{ total: 10 }, 'total', 'conflicting'],
        [{ amountMinor: 1000 }, 'amountMinor', 'conflicting'],
        [{ amount: undefined, amountMinor: 1000, total: 10 }, 'total', 'conflicting'],
        [{ amount: undefined, amountMinor: 10.5 }, 'amountMinor', 'wrong-type'],
        [{ amount: undefined, amountMinor: '9007199254740992' }, 'amountMinor', 'out-of-range'],
        [{ amount: undefined, total: 'free' }, 'total', 'invalid-format'],
        [{ amount: undefined, total: '-90071992547409.92' }, 'total', 'out-of-range'],
        [{ amount: 'free' }, 'amount', 'invalid-format'],
        [{ amount: [] }, 'amount', 'wrong-type'],
        [{ amount: '90071992547409.92' }, 'amount', 'out-of-range'],
        [{ amount: '-90071992547409.92' }, 'amount', 'out-of-range'],
        [{ quantity: 0 }, 'quantity', 'out-of-range'],
        [{ quantity: -1 }, 'quantity', 'out-of-range'],
        [{ quantity: 1_000_001 }, 'quantity', 'out-of-range'],
        [{ quantity: 1.5 }, 'quantity', 'wrong-type'],
        [{ quantity: 'two' }, 'quantity', 'invalid-format'],
        [{ quantity: '1.0' }, 'quantity', 'invalid-format'],
        [{ quantity: true }, 'quantity', 'wrong-type'],
        [{ externalId: '' }, 'externalId', 'too-short'],
        [{ externalId: 'x'.repeat(256) }, 'externalId', 'too-long'],
        [{ externalId: 'a\tb' }, 'externalId', 'invalid-format'],
        [{ externalId: 1.5 }, 'externalId', 'wrong-type'],
        [{ type: 'gift' }, 'type', 'unknown-value'],
        [{ type: 1 }, 'type', 'wrong-type'],
      ];
      for (const [change, field, code] of cases) {
        await refused(items(mug, { ...mug, ...change }), { [`/items/1/${field}`]: code });
      }
    });

    it('are limited to the maximum amount for each line and for their sum, positive or negative', async () => {
      const most = { name: 'Most', amount: MAX };
      const least = { name: 'Least', amount: `-${MAX}` };
      assert.deepEqual(
        (await taken(items(most, least))).lines.map(({ amount }) => amount),
        [MAX_MINOR, -MAX_MINOR],
      );
      const cent = { name: 'Cent', amount: '0.01' };
      const half = { name: 'Half', amount: '90071992547.41', quantity: 1_000 };
      for (const beyond of [
        [{ ...most, quantity: 2 }],
        [{ ...least, quantity: 2 }],
        [most, cent],
        [least, { ...cent, amount: '-0.01' }],
        [half],
      ]) {
        const reply = await report(text(items(...beyond)));
        assert.deepEqual([reply.status, problemCode(reply)], [422, 'invalid-request'], JSON.stringify(beyond));
        for (const pointer of Object.keys(faultCodes(reply))) assert.match(pointer, /^\/items/);
      }
    });
  });
});
