import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode, problemDetail } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { oidOf, openShop, type Shop } from '../support/shop.ts';
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

  describe('with status 200', () => {
    it('has an empty body, X-Service-OID and its CORS header, with or without an Origin', async () => {
      for (const headers of [{}, { origin: 'https://shop.example' }]) {
        const reply = await service.request('POST', SALE, { key: service.secretKey, body: text(), headers });
        assert.deepEqual([reply.status, reply.text], [200, '']);
        assert.equal(reply.headers.get('content-length'), '0');
        assert.equal(reply.headers.get('X-Service-OID'), oid);
        assert.equal(reply.headers.get('access-control-expose-headers'), 'X-Service-OID');
        assert.equal(reply.headers.get('content-type'), null);
      }
    });

    it('records the reported sale under its source and externalId', async () => {
      const sale = await taken({ source: '"headless"', externalId: '"A-1"', total: '49.99' });
      assert.deepEqual(
        [sale.source, sale.externalId, sale.total, sale.currency, sale.opportunityId],
        ['headless', 'A-1', 4999, 'USD', Number(oid)],
      );
    });

    it('returns the opportunity for a repeat, even after a refund', async () => {
      const body = text();
      await report(body);
      const { externalId } = JSON.parse(body) as { externalId: string };
      await shop.refund(externalId);
      assert.equal(oidOf(await report(body)), oid);
    });

    it('ignores unknown fields, regardless of their content', async () => {
      const { lines } = await taken({
        id: '1',
        opportunityId: '7',
        Total: '"x"',
        nothing: '"\\u0000"',
        items: '[{"name": "Mug", "amount": 1, "sku": "\\ud800", "price": {}}]',
      });
      assert.equal(lines.length, 1);
    });

    it('treats optional fields that are null as absent', async () => {
      const { currency, lines } = await taken({ currency: 'null', items: 'null' });
      assert.deepEqual([currency, lines.map(({ name }) => name)], ['USD', ['Order']]);
      const item = '{"name": "Mug", "amount": 1, "externalId": null, "quantity": null, "type": null}';
      assert.deepEqual((await taken({ items: `[${item}]` })).lines, [
        { externalId: null, name: 'Mug', type: 'product', quantity: 1, amount: 100, total: 100 },
      ]);
    });
  });

  describe('source and externalId of a sale', () => {
    it('are stored unchanged up to 64 and 255 characters, and an integer externalId is stored as its digits', async () => {
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

    it('are rejected if missing, empty, too long, of another type or with control characters', async () => {
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

  describe('total of a sale', () => {
    it('can be a number or numeric text from zero to the maximum amount, and is rounded to the cent', async () => {
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

    it('can be zero, and a sale without items then has an Order line of zero', async () => {
      const { total, lines } = await taken({ total: '0' });
      assert.deepEqual([total, lines.length, lines[0]?.name, lines[0]?.amount], [0, 1, 'Order', 0]);
    });

    it('is rejected if not a number, below zero, or above the maximum amount', async () => {
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

  describe('trackingId of a sale', () => {
    it('can be a number or digits in a string', async () => {
      for (const trackingId of [oid, `"${oid}"`, `"000${oid}"`, `${oid}.0`, `${oid}e0`]) {
        assert.equal((await taken({ trackingId })).opportunityId, Number(oid), trackingId);
      }
    });

    it('is rejected if it is a fraction, out of range, malformed or unknown', async () => {
      const cases = [
        [undefined, 'required'],
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

  describe('currency of a sale', () => {
    it('can be an ISO 4217 code in any case', async () => {
      for (const [json, stored] of [
        ['"EUR"', 'EUR'],
        ['"eur"', 'EUR'],
        ['"JpY"', 'JPY'],
        [undefined, 'USD'],
      ] as const) {
        assert.equal((await taken({ currency: json })).currency, stored);
      }
    });

    it('is rejected if it is unknown or can’t be used for a sale', async () => {
      for (const json of ['"XYZ"', '"DEM"', '"XXX"', '""', '" USD"', '"US"', '"USDT"', '"$"', '"ſEK"']) {
        await refused({ currency: json }, { '/currency': 'unknown-value' });
      }
      for (const json of ['840', 'true', '["USD"]']) await refused({ currency: json }, { '/currency': 'wrong-type' });
    });
  });

  describe('an error response', () => {
    const send = (key: string | undefined, body: string, headers: Record<string, string> = {}, method = 'POST') =>
      service.request(method, SALE, { key, body, headers });
    const answers = (reply: Reply, status: number, code: string) =>
      assert.deepEqual([reply.status, problemCode(reply)], [status, code], reply.text);

    it('lists every fault with its pointer and code', async () => {
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

    it('reports a line above the maximum amount together with the other faults', async () => {
      const reply = await report(
        text({ source: undefined, items: `[{"name": "Most", "amount": ${MAX}, "quantity": 2}]` }),
      );
      const pointers = Object.keys(faultCodes(reply));
      assert.ok(pointers.includes('/source') && pointers.some((each) => each.startsWith('/items')), pointers.join());
    });

    it('reports the first failing check: method, key, scope, media type, JSON, fields, opportunity', async () => {
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

    it('has status 413 for a body over 1 MiB', async () => {
      answers(await report(text({ x: `"${'x'.repeat(1_048_576)}"` })), 413, 'body-too-large');
    });

    it('has status 403 for a secret key without events:write, and for an organization without the Essentials tier', async () => {
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

    it('has status 409 and lists the differing fields for the same externalId with other content', async () => {
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
      assert.match(problemDetail(both), / a sale with another trackingId and with other items\. /);
      assert.equal((await report(text(first))).status, 200);
    });
  });
});
