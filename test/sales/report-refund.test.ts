import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode, problemDetail } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

const REFUND = '/v1/event/refund';

describe('POST /v1/event/refund', () => {
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

  /** Reports a refund as JSON text, so that numbers keep their digits. */
  const refund = (body: string, key: string | undefined = service.secretKey, headers: Record<string, string> = {}) =>
    service.request('POST', REFUND, { key, body, headers });
  const text = (externalId: string, source = '"shop"', more = '') =>
    `{"source": ${source}, "externalId": ${externalId}${more}}`;
  const answers = (reply: Reply, status: number, code: string) =>
    assert.deepEqual([reply.status, problemCode(reply)], [status, code], reply.text);
  async function refused(body: string, faults: Record<string, string>): Promise<void> {
    const reply = await refund(body);
    assert.equal(reply.status, 422, `taken: ${body.slice(0, 200)}`);
    assert.deepEqual(faultCodes(reply), faults, body.slice(0, 200));
  }
  /** Reports a refund of the sale with the given external id. `more` has additional fields as JSON text. */
  const part = (externalId: string, more: string) => refund(text(`"${externalId}"`, '"shop"', `, ${more}`));
  const statusOf = async (externalId: string) => (await shop.transactionOf(externalId)).status;

  describe('with status 200', () => {
    it('has an empty body with or without an Origin, and also for a repeat', async () => {
      await shop.sell('one', oid);
      for (const headers of [{}, { origin: 'https://shop.example' }]) {
        const reply = await refund(text('"one"'), service.secretKey, headers);
        assert.deepEqual([reply.status, reply.text], [200, '']);
        assert.equal(reply.headers.get('content-length'), '0');
        assert.equal(reply.headers.get('content-type'), null);
      }
      assert.equal(await statusOf('one'), 'refunded');
    });

    it('returns the sale’s opportunity in X-Service-OID for full, partial, repeated and cross-origin refunds', async () => {
      await shop.sell('named', oid);
      const whole = text('"named"');
      for (const body of [text('"named"', '"shop"', ', "refundId": "a", "amount": 10'), whole, whole]) {
        const reply = await refund(body, service.secretKey, { origin: 'https://shop.example' });
        assert.deepEqual([reply.status, reply.headers.get('X-Service-OID')], [200, oid]);
        assert.equal(reply.headers.get('access-control-expose-headers'), 'X-Service-OID');
      }
    });

    it('returns the opportunity into which the sale’s opportunity was merged', async () => {
      const anonymous = await shop.visit('ada');
      const known = await shop.visit('ada', { userId: 77 });
      await shop.sell('merged', known);
      await shop.sell('merged in part', known);
      assert.equal(await shop.visit('ada', { oid: anonymous, userId: 77 }), anonymous);
      const inPart = text('"merged in part"', '"shop"', ', "refundId": "a", "amount": 10');
      for (const body of [text('"merged"'), inPart]) {
        assert.equal((await refund(body)).headers.get('X-Service-OID'), anonymous);
      }
    });

    it('omits X-Service-OID for an order without an opportunity', async () => {
      const order = { source: 'shop', externalId: 'organic', total: 10, trackingId: null };
      await service.request('POST', '/v1/event/sale', { key: service.secretKey, body: order });
      const reply = await refund(text('"organic"'));
      assert.deepEqual([reply.status, reply.headers.get('X-Service-OID')], [200, null]);
    });

    it('ignores unknown fields, and treats null partial-refund fields as absent', async () => {
      await shop.sell('two', oid);
      const more = ', "total": "x", "reason": "\\u0000", "amount": null, "items": null, "refundId": null';
      assert.equal((await refund(text('"two"', '"shop"', more))).status, 200);
      assert.equal(await statusOf('two'), 'refunded');
    });

    it('finds a sale by an integer externalId in any notation', async () => {
      for (const [sold, refunded] of [
        ['3001', '3001'],
        ['3002', '3002.0'],
        ['3003', '3.003e3'],
        ['9007199254740993', '9007199254740993'],
        ['-5', '-5'],
      ] as const) {
        await shop.sell(sold, oid);
        assert.equal((await refund(text(refunded))).status, 200, refunded);
        assert.equal(await statusOf(sold), 'refunded');
      }
    });

    it('accepts a source and an externalId of maximum length', async () => {
      const source = 's'.repeat(64);
      const externalId = 'x'.repeat(255);
      await shop.sell(externalId, oid, { source });
      assert.equal((await refund(text(`"${externalId}"`, `"${source}"`))).status, 200);
      assert.equal(await statusOf(externalId), 'refunded');
    });
  });

  describe('a partial refund', () => {
    const items = [
      { externalId: 'mug', name: 'Mug', amount: 20, quantity: 2 },
      { externalId: 4711, name: 'Hat', amount: 50 },
      { name: 'Nameless', amount: 10 },
    ];
    const takenOf = async (externalId: string) => {
      const { status, refundedAmount } = (await shop.transactionOf(externalId)) as unknown as Record<string, unknown>;
      return [status, refundedAmount];
    };

    it('can have its amount as a number or text, which is rounded to the cent', async () => {
      await shop.sell('digits', oid);
      for (const [n, amount] of ['4.35', '"0.29"', '1.005', '1e1', '0.005'].entries()) {
        assert.equal((await part('digits', `"refundId": "${n}", "amount": ${amount}`)).status, 200, amount);
      }
      assert.deepEqual(await takenOf('digits'), ['complete', 435 + 29 + 101 + 1000 + 1]);
    });

    it('gets an empty body, also for repeats in another form and after a full refund', async () => {
      await shop.sell('forms', oid, { items });
      const forms = [
        ['"refundId": 7, "amount": 5', '"refundId": "7", "amount": "5.00"'],
        [
          '"refundId": "b", "items": [{"externalId": "mug"}, {"externalId": "4711"}, {"externalId": "mug", "quantity": null}]',
          '"refundId": "b", "items": [{"externalId": 4711, "quantity": "1"}, {"externalId": "mug", "quantity": 2.0}]',
        ],
      ] as const;
      for (const round of [1, 2]) {
        for (const [one, other] of forms) {
          for (const form of [one, other]) {
            const reply = await part('forms', form);
            assert.deepEqual([reply.status, reply.text, reply.headers.get('content-length')], [200, '', '0'], form);
          }
        }
        assert.deepEqual(await takenOf('forms'), round === 1 ? ['complete', 9500] : ['refunded', 10_000]);
        if (round === 1) assert.equal((await part('forms', '"refundId": "all"')).status, 200);
      }
      assert.equal((await part('forms', '"refundId": "all"')).status, 200);
      answers(await part('forms', '"refundId": "all", "amount": 1'), 409, 'refund-conflict');
      answers(await part('forms', '"refundId": 7, "amount": 6'), 409, 'refund-conflict');
      answers(await part('forms', '"refundId": "b"'), 409, 'refund-conflict');
      answers(await part('forms', '"refundId": "new", "amount": 1'), 422, 'refund-exceeds-sale');
      assert.equal((await part('forms', '"refundId": "new"')).status, 200);
    });

    it('can have amountMinor as the same amount in the smallest unit of the sale’s currency', async () => {
      await shop.sell('usd', oid);
      assert.equal((await part('usd', '"refundId": "1", "amountMinor": 999')).status, 200);
      assert.equal((await part('usd', '"refundId": "1", "amount": "9.99"')).status, 200);
      answers(await part('usd', '"refundId": "1", "amountMinor": 998'), 409, 'refund-conflict');
      assert.deepEqual(await takenOf('usd'), ['complete', 999]);
      await shop.sell('yen', oid, { currency: 'JPY', total: 1234 });
      assert.equal((await part('yen', '"refundId": "1", "amountMinor": 234')).status, 200);
      assert.deepEqual(await takenOf('yen'), ['complete', 23_400]);
      await shop.sell('dinar', oid, { currency: 'KWD', total: 10 });
      assert.equal((await part('dinar', '"refundId": "1", "amountMinor": 1235')).status, 200);
      assert.deepEqual(await takenOf('dinar'), ['complete', 124]);
      const refusals = [
        ['dinar', '"amountMinor": 4', 422, 'invalid-request', { '/amountMinor': 'out-of-range' }],
        ['usd', '"amountMinor": 9002', 422, 'refund-exceeds-sale', { '/amountMinor': 'exceeds-sale' }],
        ['usd', '"amountMinor": 0', 422, 'invalid-request', { '/amountMinor': 'out-of-range' }],
        ['usd', '"amountMinor": 1.5', 422, 'invalid-request', { '/amountMinor': 'wrong-type' }],
        ['usd', '"amount": 1, "amountMinor": 100', 422, 'invalid-request', { '/amountMinor': 'conflicting' }],
      ] as const;
      for (const [sale, more, status, code, faults] of refusals) {
        const reply = await part(sale, `"refundId": "no", ${more}`);
        answers(reply, status, code);
        assert.deepEqual(faultCodes(reply), faults);
      }
      await refused(text('"usd"', '"shop"', ', "amountMinor": 100'), { '/refundId': 'required' });
      await refused(text('"usd"', '"shop"', ', "upTo": true'), { '/amount': 'required' });
      await refused(text('"usd"', '"shop"', ', "upTo": true, "amount": 1'), { '/refundId': 'required' });
      await refused(text('"usd"', '"shop"', ', "upTo": "yes", "amount": 1, "refundId": "u"'), {
        '/upTo': 'wrong-type',
      });
    });

    it('is rejected if it exceeds the remaining amount or pieces, and records nothing', async () => {
      await shop.sell('left', oid, { items });
      for (const [more, faults, detail] of [
        [
          '"amount": 100.01',
          { '/amount': 'exceeds-sale' },
          '/amount: The refund exceeds what is left of the sale. At most 100.00 can be refunded.',
        ],
        [
          '"items": [{"externalId": "mug", "quantity": 3}]',
          { '/items/0/quantity': 'exceeds-sale' },
          '/items/0/quantity: The quantity exceeds what is left of this item. At most 2 can be refunded.',
        ],
        [
          '"items": [{"externalId": "mug", "quantity": 2}, {"externalId": "4711"}, {"externalId": "mug"}]',
          { '/items/2/quantity': 'exceeds-sale' },
          '/items/2/quantity: The quantity exceeds what is left of this item. At most 0 can be refunded.',
        ],
      ] as const) {
        const reply = await part('left', `"refundId": "r", ${more}`);
        answers(reply, 422, 'refund-exceeds-sale');
        assert.deepEqual(faultCodes(reply), faults);
        assert.equal(problemDetail(reply), detail);
      }
      assert.deepEqual(await takenOf('left'), ['complete', 0]);
      assert.equal((await part('left', '"refundId": "r", "amount": 100')).status, 200);
      const late = await part('left', '"refundId": "s", "items": [{"externalId": "mug"}]');
      answers(late, 422, 'refund-exceeds-sale');
      assert.deepEqual(faultCodes(late), { '/items': 'exceeds-sale' });
    });

    it('is accepted 250 times per sale, and then only if it is a repeat, but a full refund is still accepted', async () => {
      await shop.sell('many', oid, { total: '300' });
      const numbers = Array.from({ length: 250 }, (_, n) => n);
      const replies = await Promise.all(numbers.map((n) => part('many', `"refundId": "r-${n}", "amount": 1`)));
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
      answers(await part('many', '"refundId": "r-250", "amount": 1'), 422, 'too-many-refunds');
      assert.equal((await part('many', '"refundId": "r-7", "amount": 1')).status, 200);
      assert.equal((await refund(text('"many"'))).status, 200);
      assert.equal(await statusOf('many'), 'refunded');
    });

    it('is rejected with every fault of its fields', async () => {
      await shop.sell('faulty', oid, { items });
      const wrong = async (more: string, faults: Record<string, string>) =>
        refused(text('"faulty"', '"shop"', `, ${more}`), faults);
      await wrong('"amount": 5', { '/refundId': 'required' });
      await wrong('"items": [{"externalId": "mug"}]', { '/refundId': 'required' });
      await wrong('"refundId": "a", "amount": 5, "items": [{"externalId": "mug"}]', { '/items': 'conflicting' });
      await wrong('"amount": 5, "items": [{"externalId": "mug"}]', {
        '/items': 'conflicting',
        '/refundId': 'required',
      });
      await wrong('"refundId": "a", "items": []', { '/items': 'too-few' });
      for (const [amount, code] of [
        ['0', 'out-of-range'],
        ['0.004', 'out-of-range'],
        ['-5', 'out-of-range'],
        ['1e400', 'out-of-range'],
        ['90071992547409.92', 'out-of-range'],
        ['"5 "', 'invalid-format'],
        ['"0x5"', 'invalid-format'],
        ['true', 'wrong-type'],
        ['[5]', 'wrong-type'],
      ] as const) {
        await wrong(`"refundId": "a", "amount": ${amount}`, { '/amount': code });
      }
      await wrong('"refundId": "", "amount": 5', { '/refundId': 'too-short' });
      await wrong('"refundId": {}, "amount": "x", "items": {}', {
        '/refundId': 'wrong-type',
        '/amount': 'invalid-format',
        '/items': 'wrong-type',
      });
      await wrong(
        '"refundId": "a", "items": [{}, 5, {"externalId": "mug", "quantity": 0}, {"externalId": "mug", "quantity": 1.5}]',
        {
          '/items/0/externalId': 'required',
          '/items/1': 'wrong-type',
          '/items/2/quantity': 'out-of-range',
          '/items/3/quantity': 'wrong-type',
        },
      );
      const many = Array.from({ length: 1001 }, () => '{"externalId": "mug"}').join();
      await wrong(`"refundId": "a", "items": [${many}]`, { '/items': 'too-many' });
      await wrong(
        '"refundId": "a", "items": [{"externalId": "cap"}, {"externalId": "mug", "quantity": 9}, {"externalId": "Order"}]',
        { '/items/0/externalId': 'unknown-item', '/items/2/externalId': 'unknown-item' },
      );
      assert.deepEqual(await takenOf('faulty'), ['complete', 0]);
    });

    it('gets 404 with the submitted externalId for a sale that was never reported', async () => {
      const reply = await refund('{"source": "shop", "externalId": 40.40e2, "refundId": "a", "amount": 5}');
      answers(reply, 404, 'sale-not-found');
      assert.ok(reply.text.includes('"externalId":40.40e2'), reply.text);
    });
  });

  describe('a response with 404', () => {
    it('echoes source and externalId exactly as submitted, to the last digit', async () => {
      await shop.sell('four', oid);
      for (const [externalId, source] of [
        ['"never"', '"shop"'],
        ['"four"', '"Shop"'],
        ['"four"', '" shop"'],
        ['"Four"', '"shop"'],
        ['"four "', '"shop"'],
        ['1001', '"shop"'],
        ['1001.0', '"shop"'],
        ['1.001e3', '"shop"'],
        ['9007199254740995', '"shop"'],
        ['-0', '"shop"'],
        ['"<b>\\"é\\u202e"', '"=HYPERLINK(\\"x\\")"'],
      ] as const) {
        const reply = await refund(text(externalId, source));
        answers(reply, 404, 'sale-not-found');
        assert.equal(reply.headers.get('content-type'), 'application/problem+json');
        const sent = JSON.parse(source) as string;
        assert.equal((reply.body as { source: unknown }).source, sent);
        const echoed = externalId.startsWith('"') ? JSON.stringify(JSON.parse(externalId)) : externalId;
        assert.ok(reply.text.includes(`"externalId":${echoed}`), `${externalId} in ${reply.text}`);
      }
      assert.equal(await statusOf('four'), 'complete');
    });

    it('is also returned for a sale of another organization', async () => {
      await shop.sell('mine', oid);
      const key = await service.foundOrganization('Other');
      answers(await refund(text('"mine"'), key), 404, 'sale-not-found');
      assert.equal(await statusOf('mine'), 'complete');
    });

    it('is followed by 200 once the sale is reported', async () => {
      answers(await refund(text('"late"')), 404, 'sale-not-found');
      await shop.sell('late', oid);
      assert.equal((await refund(text('"late"'))).status, 200);
    });
  });

  describe('an error response', () => {
    it('lists every fault of source and externalId', async () => {
      const cases = [
        ['null', 'required', 'required'],
        ['""', 'too-short', 'too-short'],
        [`"${'x'.repeat(256)}"`, 'too-long', 'too-long'],
        ['true', 'wrong-type', 'wrong-type'],
        ['["a"]', 'wrong-type', 'wrong-type'],
        ['{}', 'wrong-type', 'wrong-type'],
        ['1.5', 'wrong-type', 'wrong-type'],
        ['"a\\nb"', 'invalid-format', 'invalid-format'],
        ['"\\u0000"', 'invalid-format', 'invalid-format'],
        ['"\\udc00"', 'invalid-format', 'invalid-format'],
      ] as const;
      for (const [json, source, externalId] of cases) {
        await refused(text(json, json), { '/source': source, '/externalId': externalId });
      }
      await refused('{}', { '/source': 'required', '/externalId': 'required' });
      await refused(text('"x"', `"${'s'.repeat(65)}"`), { '/source': 'too-long' });
      await refused(text('"x"', '7'), { '/source': 'wrong-type' });
      await refused(text('9'.repeat(256)), { '/externalId': 'out-of-range' });
      await refused(text('1e400'), { '/externalId': 'out-of-range' });
    });

    it('reports the first failing check: method, key, scope, media type, JSON, fields, sale', async () => {
      const plain = { 'content-type': 'text/plain' };
      const noMethod = await service.request('DELETE', REFUND, { body: '{', headers: plain });
      answers(noMethod, 405, 'method-not-allowed');
      assert.equal(noMethod.headers.get('allow'), 'POST');
      const keyless = await service.request('POST', REFUND, { body: '{', headers: plain });
      answers(keyless, 401, 'unauthenticated');
      assert.equal(keyless.headers.get('www-authenticate'), 'Bearer');
      answers(await refund('{', service.publishableKey, plain), 403, 'scope-required');
      answers(await refund('{', service.secretKey, plain), 415, 'unsupported-media-type');
      answers(await refund('{'), 400, 'malformed-json');
      answers(await refund(`[${text('"never"')}]`), 400, 'malformed-json');
      await refused(text('"never"', 'null'), { '/source': 'required' });
      answers(await refund(text('"never"')), 404, 'sale-not-found');
    });

    it('has status 413 for a body over 1 MiB', async () => {
      answers(await refund(text('"x"', '"shop"', `, "x": "${'x'.repeat(1_048_576)}"`)), 413, 'body-too-large');
    });

    it('has status 403 for a secret key without events:write, and for an organization without the Essentials tier', async () => {
      const founder = await service.foundOrganization('Lite');
      const newKey = async (scopes: string[]) => {
        const made = await service.request('POST', '/v1/api-keys', { key: founder, body: { label: 'x', scopes } });
        return (made.body as { rawKey: string }).rawKey;
      };
      const reader = await newKey(['resources:read', 'resources:write', 'keys:write']);
      const reporter = await newKey(['events:write']);
      answers(await refund(text('"x"'), reader), 403, 'scope-required');
      await service.request('PATCH', '/v1/organization', { key: founder, body: { tier: 'lite' } });
      answers(await refund('{', reporter), 403, 'tier-required');
    });
  });
});
