import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode, problemDetail } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { oidOf, openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#store/verify.ts';

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
  lines: { externalId: string | null; name: string; type: string; quantity: number; amount: number }[];
};

describe('POST /v1/event/sale', () => {
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
  /** The JSON text of a sale. Each field is JSON text too, so that a number keeps its digits; undefined leaves it out. */
  function text(fields: Record<string, string | undefined> = {}): string {
    const given = { source: '"shop"', externalId: `"${newId()}"`, total: '10', trackingId: oid, ...fields };
    const members = Object.entries(given).flatMap(([name, json]) => (json === undefined ? [] : [`"${name}":${json}`]));
    return `{${members.join(',')}}`;
  }
  const report = (body: unknown, key: string | undefined = service.secretKey) =>
    service.request('POST', SALE, { key, body });

  /** What is stored of a sale that must be taken. */
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

  describe('200', () => {
    it('has an empty body and both headers, with an Origin and without', async () => {
      for (const headers of [{}, { origin: 'https://shop.example' }]) {
        const reply = await service.request('POST', SALE, { key: service.secretKey, body: text(), headers });
        assert.deepEqual([reply.status, reply.text], [200, '']);
        assert.equal(reply.headers.get('content-length'), '0');
        assert.equal(reply.headers.get('X-Service-OID'), oid);
        assert.equal(reply.headers.get('access-control-expose-headers'), 'X-Service-OID');
        assert.equal(reply.headers.get('content-type'), null);
      }
    });

    it('keeps what was reported, under its source and externalId', async () => {
      const sale = await taken({ source: '"headless"', externalId: '"A-1"', total: '49.99' });
      assert.deepEqual(
        [sale.source, sale.externalId, sale.total, sale.currency, sale.opportunityId],
        ['headless', 'A-1', 4999, 'USD', Number(oid)],
      );
    });

    it('comes again for a repeat, also when the sale was refunded meanwhile, with the opportunity', async () => {
      const body = text();
      await report(body);
      const { externalId } = JSON.parse(body) as { externalId: string };
      await shop.refund(externalId);
      assert.equal(oidOf(await report(body)), oid);
    });

    it('is for fields that nobody knows, whatever is in them', async () => {
      const { lines } = await taken({
        id: '1',
        opportunityId: '7',
        Total: '"x"',
        nothing: '"\\u0000"',
        items: '[{"name": "Mug", "amount": 1, "sku": "\\ud800", "price": {}}]',
      });
      assert.equal(lines.length, 1);
    });

    it('is for optional fields that are null, as if they were absent', async () => {
      const { currency, lines } = await taken({ currency: 'null', items: 'null' });
      assert.deepEqual([currency, lines.map(({ name }) => name)], ['USD', ['Order']]);
      const item = '{"name": "Mug", "amount": 1, "externalId": null, "quantity": null, "type": null}';
      assert.deepEqual((await taken({ items: `[${item}]` })).lines, [
        { externalId: null, name: 'Mug', type: 'product', quantity: 1, amount: 100 },
      ]);
    });
  });

  describe('source and externalId', () => {
    it('are kept as they are, up to 64 and 255 characters; an integer is read as its digits', async () => {
      const cases = [
        ['"s"', '"1"', 's', '1'],
        [`"${'s'.repeat(64)}"`, `"${'x'.repeat(255)}"`, 's'.repeat(64), 'x'.repeat(255)],
        ['" shop "', '" "', ' shop ', ' '],
        ['"SHOP"', '1001', 'SHOP', '1001'],
        ['"n1"', '1.001e3', 'n1', '1001'],
        ['"n2"', '-7', 'n2', '-7'],
        ['"n3"', '9007199254740993', 'n3', '9007199254740993'],
        ['"n4"', '9'.repeat(255), 'n4', '9'.repeat(255)],
        ['"n5"', '"007"', 'n5', '007'],
      ] as const;
      for (const [source, externalId, keptSource, keptId] of cases) {
        const sale = await taken({ source, externalId });
        assert.deepEqual([sale.source, sale.externalId], [keptSource, keptId]);
      }
    });

    it('are required, and refused where they are empty, too long, of another type or with control characters', async () => {
      const cases = [
        [undefined, 'required', 'required'],
        ['null', 'required', 'required'],
        ['""', 'too-short', 'too-short'],
        [`"${'x'.repeat(256)}"`, 'too-long', 'too-long'],
        ['true', 'wrong-type', 'wrong-type'],
        ['["a"]', 'wrong-type', 'wrong-type'],
        ['{}', 'wrong-type', 'wrong-type'],
        ['"a\\nb"', 'invalid-format', 'invalid-format'],
        ['"\\u007f"', 'invalid-format', 'invalid-format'],
        ['"\\u0085"', 'invalid-format', 'invalid-format'],
        ['"a\\u0000"', 'invalid-format', 'invalid-format'],
        ['"\\ud800"', 'invalid-format', 'invalid-format'],
      ] as const;
      for (const [json, source, externalId] of cases) {
        await refused({ source: json, externalId: json }, { '/source': source, '/externalId': externalId });
      }
      await refused({ source: `"${'s'.repeat(65)}"` }, { '/source': 'too-long' });
      await refused({ source: '1' }, { '/source': 'wrong-type' });
      await refused({ externalId: '1.5' }, { '/externalId': 'wrong-type' });
      await refused({ externalId: '9'.repeat(256) }, { '/externalId': 'out-of-range' });
    });
  });

  describe('total', () => {
    it('is a number or numeric text, exact, from zero to the largest amount', async () => {
      const cases = [
        ['19.99', 1999],
        ['"19.99"', 1999],
        ['0.29', 29],
        ['1.005', 101],
        ['"4.35e1"', 4350],
        ['0', 0],
        ['-0', 0],
        ['"-0.00"', 0],
        ['1e-400', 0],
        ['0.005', 1],
        ['19.989999999999998', 1999],
        [MAX, MAX_MINOR],
        [`"${MAX}"`, MAX_MINOR],
        [`"${'1.'.padEnd(64, '0')}"`, 100],
      ] as const;
      for (const [total, stored] of cases) assert.equal((await taken({ total })).total, stored, total);
    });

    it('of zero is a sale of one line, Order', async () => {
      const { total, lines } = await taken({ total: '0' });
      assert.deepEqual([total, lines.length, lines[0]?.name, lines[0]?.amount], [0, 1, 'Order', 0]);
    });

    it('is refused where it is no number, below zero, or beyond the largest amount', async () => {
      const cases = [
        [undefined, 'required'],
        ['null', 'required'],
        ['true', 'wrong-type'],
        ['[10]', 'wrong-type'],
        ['{}', 'wrong-type'],
        ['"NaN"', 'invalid-format'],
        ['"Infinity"', 'invalid-format'],
        ['"0x10"', 'invalid-format'],
        ['""', 'invalid-format'],
        ['" "', 'invalid-format'],
        ['" 10"', 'invalid-format'],
        ['"10 "', 'invalid-format'],
        ['"1,000.00"', 'invalid-format'],
        ['"1_000"', 'invalid-format'],
        ['"+1"', 'invalid-format'],
        ['".5"', 'invalid-format'],
        ['"5."', 'invalid-format'],
        ['"01"', 'invalid-format'],
        ['"$10"', 'invalid-format'],
        ['"１０"', 'invalid-format'],
        [`"${'1.'.padEnd(65, '0')}"`, 'invalid-format'],
        ['1e400', 'out-of-range'],
        ['"1e400"', 'out-of-range'],
        ['-0.01', 'out-of-range'],
        ['"-1"', 'out-of-range'],
        ['90071992547409.92', 'out-of-range'],
        ['90071992547409.915', 'out-of-range'],
        ['9'.repeat(5_000), 'out-of-range'],
      ] as const;
      for (const [total, code] of cases) await refused({ total }, { '/total': code });
      for (const total of ['NaN', 'Infinity', '-Infinity', '0x10', '+1', '.5', '01']) {
        const reply = await report(text({ total }));
        assert.deepEqual([reply.status, problemCode(reply)], [400, 'malformed-json'], total);
      }
    });
  });

  describe('trackingId', () => {
    it('may be a number or digits in a string', async () => {
      for (const trackingId of [oid, `"${oid}"`, `"000${oid}"`, `${oid}.0`, `${oid}e0`]) {
        assert.equal((await taken({ trackingId })).opportunityId, Number(oid), trackingId);
      }
    });

    it('is refused where it is a fraction, not above zero, beyond 2^53−1, or was never given out', async () => {
      const cases = [
        [undefined, 'required'],
        ['null', 'required'],
        ['1.5', 'wrong-type'],
        ['true', 'wrong-type'],
        [`[${oid}]`, 'wrong-type'],
        ['0', 'out-of-range'],
        ['-1', 'out-of-range'],
        ['"0"', 'out-of-range'],
        ['"-1"', 'out-of-range'],
        ['9007199254740992', 'out-of-range'],
        ['"9007199254740993"', 'out-of-range'],
        ['9223372036854775808', 'out-of-range'],
        ['1e400', 'out-of-range'],
        ['""', 'invalid-format'],
        ['"1.0"', 'invalid-format'],
        ['"1e3"', 'invalid-format'],
        ['" 1"', 'invalid-format'],
        ['"tracking:ada"', 'invalid-format'],
        ['1', 'unknown-opportunity'],
        ['9007199254740991', 'unknown-opportunity'],
      ] as const;
      for (const [trackingId, code] of cases) await refused({ trackingId }, { '/trackingId': code });
    });
  });

  describe('currency', () => {
    it('is an ISO 4217 code in any case', async () => {
      for (const [json, stored] of [
        ['"EUR"', 'EUR'],
        ['"eur"', 'EUR'],
        ['"JpY"', 'JPY'],
        [undefined, 'USD'],
      ] as const) {
        assert.equal((await taken({ currency: json })).currency, stored);
      }
    });

    it('is refused where no sale can be in it', async () => {
      for (const json of ['"XYZ"', '"DEM"', '"XXX"', '""', '" USD"', '"US"', '"USDT"', '"$"', '"ſEK"']) {
        await refused({ currency: json }, { '/currency': 'unknown-value' });
      }
      for (const json of ['840', 'true', '["USD"]']) await refused({ currency: json }, { '/currency': 'wrong-type' });
    });
  });

  describe('items', () => {
    const items = (...list: Record<string, unknown>[]) => ({ items: JSON.stringify(list) });
    const mug = { name: 'Mug', amount: 1 };

    it('are taken up to a thousand, one line each in their order; none is one line, Order', async () => {
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
        [{ externalId: null, name: 'Order', type: 'product', quantity: 1, amount: 1250 }, []],
      );
    });

    it('need not add up to the total', async () => {
      const { total, lines } = await taken({ total: '1', ...items({ name: 'Mug', amount: 5 }) });
      assert.deepEqual([total, lines[0]?.amount], [100, 500]);
    });

    it('keep every field to its bounds', async () => {
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
        { externalId: 'x'.repeat(255), name: 'n'.repeat(255), type: 'discount', quantity: 1_000_000, amount: -29 },
        { externalId: '7', name: 'n', type: 'shipping', quantity: 3, amount: 101 },
        { externalId: null, name: 'Tax\nof many lines', type: 'tax', quantity: 1, amount: 0 },
        { externalId: null, name: 'Fee', type: 'fee', quantity: 1, amount: -1999 },
      ]);
    });

    it('are refused where they are no list of objects', async () => {
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

    it('are refused field by field', async () => {
      const cases: [Record<string, unknown>, string, string][] = [
        [{ name: undefined }, 'name', 'required'],
        [{ name: null }, 'name', 'required'],
        [{ name: '' }, 'name', 'too-short'],
        [{ name: 'n'.repeat(256) }, 'name', 'too-long'],
        [{ name: 7 }, 'name', 'wrong-type'],
        [{ name: 'a\u0000' }, 'name', 'invalid-format'],
        [{ amount: undefined }, 'amount', 'required'],
        [{ amount: null }, 'amount', 'required'],
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

    it('go up to the largest amount in one line and in their sum, either way', async () => {
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

  describe('a refusal', () => {
    const send = (key: string | undefined, body: string, headers: Record<string, string> = {}, method = 'POST') =>
      service.request(method, SALE, { key, body, headers });
    const answers = (reply: Reply, status: number, code: string) =>
      assert.deepEqual([reply.status, problemCode(reply)], [status, code], reply.text);

    it('tells every fault at once, each with its pointer and code', async () => {
      const reply = await report({
        source: ' '.repeat(65),
        externalId: 1.5,
        total: 'NaN',
        currency: 'XYZ',
        items: [{ name: '', amount: null, quantity: 0 }, 7, { name: 'Mug', amount: 1, externalId: [], type: 'gift' }],
      });
      answers(reply, 422, 'invalid-request');
      assert.deepEqual(faultCodes(reply), {
        '/source': 'too-long',
        '/externalId': 'wrong-type',
        '/total': 'invalid-format',
        '/trackingId': 'required',
        '/currency': 'unknown-value',
        '/items/0/name': 'too-short',
        '/items/0/amount': 'required',
        '/items/0/quantity': 'out-of-range',
        '/items/1': 'wrong-type',
        '/items/2/externalId': 'wrong-type',
        '/items/2/type': 'unknown-value',
      });
      const { errors, detail, title, type, status } = reply.body as Record<string, unknown>;
      assert.equal(reply.headers.get('content-type'), 'application/problem+json');
      assert.deepEqual([typeof title, typeof type, status], ['string', 'string', 422]);
      for (const fault of errors as { detail: string }[]) assert.ok(String(detail).includes(fault.detail));
    });

    it('tells a line beyond the largest amount together with the other faults', async () => {
      const reply = await report(
        text({ source: undefined, items: `[{"name": "Most", "amount": ${MAX}, "quantity": 2}]` }),
      );
      const pointers = Object.keys(faultCodes(reply));
      assert.ok(pointers.includes('/source') && pointers.some((each) => each.startsWith('/items')), pointers.join());
    });

    it('comes in the order of the checks: what is wrong first is answered first', async () => {
      const plain = { 'content-type': 'text/plain' };
      const never = text({ trackingId: '123456789' });
      const noMethod = await send(undefined, '{', plain, 'PUT');
      answers(noMethod, 405, 'method-not-allowed');
      assert.equal(noMethod.headers.get('allow'), 'POST');
      const keyless = await send(undefined, '{', plain);
      answers(keyless, 401, 'unauthenticated');
      assert.equal(keyless.headers.get('www-authenticate'), 'Bearer');
      answers(await send(service.publishableKey, '{', plain), 403, 'scope-required');
      answers(await send(service.secretKey, '{', plain), 415, 'unsupported-media-type');
      answers(await send(service.secretKey, '{'), 400, 'malformed-json');
      answers(await send(service.secretKey, `[${never}]`), 400, 'malformed-json');
      const faulty = await send(service.secretKey, text({ trackingId: '123456789', total: undefined }));
      assert.deepEqual(faultCodes(faulty), { '/total': 'required' });
      assert.deepEqual(faultCodes(await send(service.secretKey, never)), { '/trackingId': 'unknown-opportunity' });
    });

    it('is 413 for a body over 1 MiB', async () => {
      answers(await report(text({ x: `"${'x'.repeat(1_048_576)}"` })), 413, 'body-too-large');
    });

    it('is 403 for a secret key without events:write, and for an organization without Essentials', async () => {
      const founder = await service.foundOrganization('Lite');
      const newKey = async (scopes: string[]) => {
        const made = await service.request('POST', '/v1/api-keys', { key: founder, body: { label: 'x', scopes } });
        return (made.body as { rawKey: string }).rawKey;
      };
      const reader = await newKey(['resources:read', 'resources:write', 'keys:write']);
      const reporter = await newKey(['events:write']);
      answers(await report(text(), reader), 403, 'scope-required');
      await service.request('PATCH', '/v1/organization', { key: founder, body: { tier: 'lite' } });
      answers(await report('{', reporter), 403, 'tier-required');
    });

    it('is 409 for the same source and externalId with other content, whichever field differs', async () => {
      const first = { source: '"shop"', externalId: '"once"', total: '10', items: '[{"name": "Mug", "amount": 10}]' };
      await taken(first);
      const other = await shop.visit('ada');
      const changes: [Record<string, string | undefined>, ...string[]][] = [
        [{ total: '10.01' }, '/total'],
        [{ currency: '"EUR"' }, '/currency'],
        [{ trackingId: other, total: '9', currency: '"EUR"' }, '/trackingId', '/total', '/currency'],
        [{ trackingId: other }, '/trackingId'],
        [{ items: undefined }, '/items'],
        [{ items: '[{"name": "Mug", "amount": 10, "externalId": "m"}]' }, '/items'],
        [{ items: '[{"name": "Mug", "amount": 10, "type": "fee"}]' }, '/items'],
        [{ items: '[{"name": "Mug", "amount": 5, "quantity": 2}]' }, '/items'],
        [{ items: '[{"name": "Mug", "amount": 10}, {"name": "Mug", "amount": 10}]' }, '/items'],
      ];
      for (const [change, ...differing] of changes) {
        const reply = await report(text({ ...first, ...change }));
        answers(reply, 409, 'sale-conflict');
        assert.deepEqual(Object.keys(faultCodes(reply)), differing);
      }
      const both = await report(text({ ...first, trackingId: other, items: undefined }));
      assert.match(problemDetail(both), / a sale for another opportunity and with other items was /);
      assert.equal((await report(text(first))).status, 200);
    });
  });
});
