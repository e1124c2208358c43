import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#store/verify.ts';

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

  /** Sends JSON text, so that a number keeps its digits. */
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
  const statusOf = async (externalId: string) => (await shop.transactionOf(externalId)).status;

  describe('200', () => {
    it('has an empty body, with an Origin and without, and again for a repeat', async () => {
      await shop.sell('one', oid);
      for (const headers of [{}, { origin: 'https://shop.example' }]) {
        const reply = await refund(text('"one"'), service.secretKey, headers);
        assert.deepEqual([reply.status, reply.text], [200, '']);
        assert.equal(reply.headers.get('content-length'), '0');
        assert.equal(reply.headers.get('content-type'), null);
      }
      assert.equal(await statusOf('one'), 'refunded');
    });

    it('is for fields that nobody knows, and for those of a partial refund that are null', async () => {
      await shop.sell('two', oid);
      const more = ', "total": "x", "reason": "\\u0000", "amount": null, "items": null';
      assert.equal((await refund(text('"two"', '"shop"', more))).status, 200);
      assert.equal(await statusOf('two'), 'refunded');
    });

    it('finds a sale by an integer as by its digits, however the number is written', async () => {
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

    it('is for ids at their limits', async () => {
      const source = 's'.repeat(64);
      const externalId = 'x'.repeat(255);
      await shop.sell(externalId, oid, { source });
      assert.equal((await refund(text(`"${externalId}"`, `"${source}"`))).status, 200);
      assert.equal(await statusOf(externalId), 'refunded');
    });
  });

  describe('404', () => {
    it('echoes both fields as they were sent, to the last digit', async () => {
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

    it('is for the sale of another organization too', async () => {
      await shop.sell('mine', oid);
      const key = await service.foundOrganization('Other');
      answers(await refund(text('"mine"'), key), 404, 'sale-not-found');
      assert.equal(await statusOf('mine'), 'complete');
    });

    it('becomes 200 once the sale is reported', async () => {
      answers(await refund(text('"late"')), 404, 'sale-not-found');
      await shop.sell('late', oid);
      assert.equal((await refund(text('"late"'))).status, 200);
    });
  });

  describe('a refusal', () => {
    it('names the fields that can be no binding, all at once', async () => {
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

    it('comes in the order of the checks: what is wrong first is answered first', async () => {
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

    it('is 413 for a body over 1 MiB', async () => {
      answers(await refund(text('"x"', '"shop"', `, "x": "${'x'.repeat(1_048_576)}"`)), 413, 'body-too-large');
    });

    it('is 403 for a secret key without events:write, and for an organization without Essentials', async () => {
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
