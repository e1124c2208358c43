import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { oidOf, openShop, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

const VISIT = '/v1/event/site-visited';
const MAX_ID = '9007199254740991';

describe('POST /v1/event/site-visited', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program();
    ada = await shop.collaborator('ada');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  /** Reports a visit as JSON text, so that numbers keep their digits. */
  const visit = (body: string, headers: Record<string, string> = {}, key: string | undefined = service.secretKey) =>
    service.request('POST', VISIT, { key, body, headers });
  const visitOf = (collaboratorId: string, more = '') => visit(`{"collaboratorId": ${collaboratorId}${more}}`);
  async function refused(body: string, faults: Record<string, string>): Promise<void> {
    const reply = await visit(body);
    assert.equal(reply.status, 422, `taken: ${body.slice(0, 200)}`);
    assert.equal(problemCode(reply), 'invalid-request');
    assert.deepEqual(faultCodes(reply), faults, body.slice(0, 200));
  }
  /** Returns the ids of the collaborators with an engagement on an opportunity. */
  async function engaged(oid: string): Promise<number[]> {
    const found = await shop.get<{ collaboratorId: number }[]>(`/v1/engagements?opportunityId=${oid}`);
    return found.map(({ collaboratorId }) => collaboratorId);
  }

  describe('with status 200', () => {
    it('returns an empty body with X-Service-OID, readable from other origins, for both kinds of keys', async () => {
      for (const key of [service.secretKey, service.publishableKey]) {
        for (const headers of [{}, { origin: 'https://shop.example' }]) {
          const reply = await visit('{"collaboratorId": "tracking:ada"}', headers, key);
          assert.deepEqual([reply.status, reply.text], [200, '']);
          assert.equal(reply.headers.get('content-length'), '0');
          assert.match(oidOf(reply), /^[1-9]\d{0,15}$/);
          assert.equal(reply.headers.get('access-control-expose-headers'), 'X-Service-OID');
          assert.equal(reply.headers.get('content-type'), null);
        }
      }
    });

    it('returns a distinct integer of at most 2^53−1 in X-Service-OID for each visitor', async () => {
      const numbers = await Promise.all(Array.from({ length: 50 }, async () => Number(await shop.visit('ada'))));
      assert.equal(new Set(numbers).size, 50);
      assert.ok(numbers.every((number) => Number.isSafeInteger(number) && number > 0));
    });

    it('accepts a collaborator by number, by digits in a string, or by alias', async () => {
      for (const reference of [`${ada}`, `"${ada}"`, `"00${ada}"`, '"tracking:ada"', '"tracking:ADA"']) {
        assert.deepEqual(await engaged(oidOf(await visitOf(reference))), [ada], reference);
      }
    });

    it('accepts a collaborator’s number in any JSON notation', async () => {
      for (const reference of [`${ada}.0`, `${ada}e0`]) {
        const reply = await visitOf(reference);
        assert.equal(reply.status, 200, `${reference}: ${reply.text}`);
      }
    });

    it('returns the same opportunity for a userId as an integer or as digits', async () => {
      for (const [users, name] of [
        [['42', '"42"', '42.0', '4.2e1'], 'an ordinary id'],
        [[MAX_ID, `"${MAX_ID}"`], 'the largest id'],
      ] as const) {
        const oids = [];
        for (const user of users) oids.push(oidOf(await visitOf('"tracking:ada"', `, "userId": ${user}`)));
        assert.equal(new Set(oids).size, 1, name);
      }
    });

    it('treats a userId of 0 or null as absent', async () => {
      const oids = [];
      for (const user of ['0', '"0"', '-0', 'null']) {
        oids.push(oidOf(await visitOf('"tracking:ada"', `, "userId": ${user}`)));
      }
      assert.equal(new Set(oids).size, 4, 'each visit is a separate visitor');
    });

    it('ignores unknown fields, regardless of their content', async () => {
      const unknown = '"id": 1, "programId": "x", "UserId": -1, "nothing": "\\u0000\\ud800", "deep": {"userId": 1.5}';
      assert.equal((await visitOf('"tracking:ada"', `, ${unknown}`)).status, 200);
    });

    it('continues the opportunity in X-Service-OID, even with a publishable key or surrounding blanks', async () => {
      const oid = await shop.visit('ada');
      for (const key of [service.secretKey, service.publishableKey]) {
        const reply = await visit('{"collaboratorId": "tracking:ada"}', { 'x-service-oid': ` ${oid} ` }, key);
        assert.equal(oidOf(reply), oid);
      }
    });

    it('starts a new opportunity if X-Service-OID is invalid or was never issued', async () => {
      const oid = await shop.visit('ada');
      const headers = ['', '0', '-1', `${oid}.0`, `+${oid}`, `0x${oid}`, `${oid}, ${oid}`, MAX_ID, '9007199254740992'];
      for (const header of [...headers, '9'.repeat(5_000), `"${oid}"`, 'null', '<script>', '1e400']) {
        const reply = await visit('{"collaboratorId": "tracking:ada"}', { 'X-Service-OID': header });
        assert.equal(reply.status, 200, header.slice(0, 40));
        assert.notEqual(oidOf(reply), oid, header.slice(0, 40));
      }
    });

    it('does not continue another organization’s opportunity', async () => {
      const oid = await shop.visit('ada');
      const key = await service.foundOrganization('Other');
      const made = await service.request('POST', '/v1/collaborators', { key, body: { name: 'Eve' } });
      const body = JSON.stringify({ collaboratorId: (made.body as { id: number }).id });
      assert.notEqual(oidOf(await visit(body, { 'X-Service-OID': oid }, key)), oid);
      assert.deepEqual(await engaged(oid), [ada]);
    });
  });

  describe('a response with 422', () => {
    it('reports the fault code of an invalid collaboratorId', async () => {
      const cases = [
        ['null', 'required'],
        ['true', 'wrong-type'],
        ['[1]', 'wrong-type'],
        ['{"id": 1}', 'wrong-type'],
        ['0', 'out-of-range'],
        ['-1', 'out-of-range'],
        ['"0"', 'out-of-range'],
        ['9007199254740992', 'out-of-range'],
        ['"9007199254740993"', 'out-of-range'],
        ['9223372036854775808', 'out-of-range'],
        ['1e400', 'out-of-range'],
        ['9'.repeat(5_000), 'out-of-range'],
        ['""', 'invalid-format'],
        ['" "', 'invalid-format'],
        ['"ada"', 'invalid-format'],
        ['":ada"', 'invalid-format'],
        ['"tracking:"', 'invalid-format'],
        ['"1.5"', 'invalid-format'],
        ['"-1"', 'invalid-format'],
        ['"1e3"', 'invalid-format'],
        ['"0x10"', 'invalid-format'],
        ['"tracking:a\\u0000"', 'invalid-format'],
        ['"tracking:a\\nb"', 'invalid-format'],
        ['"tracking:\\ud800"', 'invalid-format'],
        [`"tracking:${'x'.repeat(1_000)}"`, 'too-long'],
      ] as const;
      await refused('{}', { '/collaboratorId': 'required' });
      for (const [json, code] of cases) await refused(`{"collaboratorId": ${json}}`, { '/collaboratorId': code });
      const fraction = await visitOf('1.5');
      assert.deepEqual([fraction.status, Object.keys(faultCodes(fraction))], [422, ['/collaboratorId']]);
    });

    it('reports a collaborator that is unknown or not active', async () => {
      for (const json of ['"tracking:nobody"', '"coupon:ada"', '"Tracking:ada"', '" tracking:ada"', '987654', MAX_ID]) {
        await refused(`{"collaboratorId": ${json}}`, { '/collaboratorId': 'unknown-collaborator' });
      }
      for (const status of ['pending', 'inactive', 'rejected']) {
        const id = await shop.collaborator(`is-${status}`, status === 'inactive' ? {} : { status: 'pending' });
        if (status !== 'pending') await shop.change(`/v1/collaborators/${id}`, { status });
        for (const json of [`${id}`, `"tracking:is-${status}"`]) {
          await refused(`{"collaboratorId": ${json}}`, { '/collaboratorId': 'inactive-collaborator' });
        }
      }
      const gone = await shop.collaborator('gone');
      await service.request('DELETE', `/v1/collaborators/${gone}`, { key: service.secretKey });
      assert.equal((await visitOf(`${gone}`)).status, 422);
      const key = await service.foundOrganization('Of another');
      assert.equal((await visit(`{"collaboratorId": ${ada}}`, {}, key)).status, 422);
    });

    it('reports the fault code of an invalid userId', async () => {
      const cases = [
        ['1.5', 'wrong-type'],
        ['1e-400', 'wrong-type'],
        ['true', 'wrong-type'],
        ['[1]', 'wrong-type'],
        ['-1', 'out-of-range'],
        ['9007199254740992', 'out-of-range'],
        ['9223372036854775808', 'out-of-range'],
        ['1e400', 'out-of-range'],
        ['""', 'too-short'],
        [`"${'x'.repeat(256)}"`, 'too-long'],
        ['"a\\u0000b"', 'invalid-format'],
        ['"a\\nb"', 'invalid-format'],
        ['"\\ud800"', 'invalid-format'],
      ] as const;
      for (const [json, code] of cases) {
        await refused(`{"collaboratorId": "tracking:ada", "userId": ${json}}`, { '/userId': code });
      }
    });

    it('lists every fault of a visit report', async () => {
      await refused('{"collaboratorId": "ada", "userId": 1.5}', {
        '/collaboratorId': 'invalid-format',
        '/userId': 'wrong-type',
      });
      await refused('{"userId": -1}', { '/collaboratorId': 'required', '/userId': 'out-of-range' });
    });
  });

  describe('an Idempotency-Key of a visit', () => {
    const under = (idempotencyKey: string, body: string, headers: Record<string, string> = {}, key?: string) =>
      visit(body, { 'Idempotency-Key': idempotencyKey, ...headers }, key);
    const ADA = '{"collaboratorId": "tracking:ada"}';
    async function scores(oid: string): Promise<[number, number][]> {
      const found = await shop.get<{ collaboratorId: number; score: number }[]>(`/v1/engagements?opportunityId=${oid}`);
      return found.map(({ collaboratorId, score }) => [collaboratorId, score]);
    }
    async function mismatched(idempotencyKey: string, body: string, key?: string): Promise<void> {
      const reply = await under(idempotencyKey, body, {}, key);
      assert.deepEqual([reply.status, problemCode(reply)], [422, 'idempotency-mismatch'], body);
    }

    it('makes a repeated visit return the same opportunity and count once', async () => {
      for (const key of [service.secretKey, service.publishableKey]) {
        const oid = oidOf(await under('again', ADA, {}, key));
        for (let time = 0; time < 3; time += 1) {
          const reply = await under('again', ADA, {}, key);
          assert.deepEqual([reply.status, reply.text, oidOf(reply)], [200, '', oid]);
          assert.equal(reply.headers.get('access-control-expose-headers'), 'X-Service-OID');
        }
        assert.deepEqual(await scores(oid), [[ada, 1]]);
      }
    });

    it('matches a repeat in another JSON notation or with another X-Service-OID', async () => {
      const held = await shop.visit('ada');
      const oid = oidOf(await under('meant', '{"collaboratorId": "tracking:ada", "userId": 4711}'));
      for (const body of [
        '{ "userId": "4711", "collaboratorId": "tracking:ADA" }',
        '{"collaboratorId":"tracking:ada","userId":4711.0,"unknown":true}',
      ]) {
        assert.equal(oidOf(await under('meant', body, { 'X-Service-OID': held })), oid, body);
      }
      assert.deepEqual(await scores(oid), [[ada, 1]]);
      assert.deepEqual(await scores(held), [[ada, 1]]);
      assert.notEqual(await shop.visit('ada', { oid: held }), oid, 'the opportunity in the repeats was not merged');
    });

    it('can’t be used again for another collaborator, an id instead of an alias, another user, or another type of report', async () => {
      const oid = oidOf(await under('one', ADA));
      await mismatched('one', `{"collaboratorId": ${ada}}`);
      await mismatched('one', '{"collaboratorId": "tracking:nobody"}');
      await mismatched('one', '{"collaboratorId": "tracking:ada", "userId": 5}');
      const body = { trackingId: oid, code: 'ADA' };
      const headers = { 'Idempotency-Key': 'one' };
      const coupon = await service.request('POST', '/v1/event/coupon-applied', {
        key: service.secretKey,
        body,
        headers,
      });
      assert.deepEqual([coupon.status, problemCode(coupon)], [422, 'idempotency-mismatch']);
      assert.deepEqual(await scores(oid), [[ada, 1]]);
    });

    it('is separate for secret keys, publishable keys and other organizations', async () => {
      const oids = [oidOf(await under('apart', ADA)), oidOf(await under('apart', ADA, {}, service.publishableKey))];
      const other = await service.foundOrganization('Apart');
      const made = await service.request('POST', '/v1/collaborators', { key: other, body: { name: 'Eve' } });
      const eve = JSON.stringify({ collaboratorId: (made.body as { id: number }).id });
      oids.push(oidOf(await under('apart', eve, {}, other)));
      assert.equal(new Set(oids).size, 3);
      const { rawKey } = (
        await service.request('POST', '/v1/api-keys', { key: service.secretKey, body: { label: 'another server' } })
      ).body as { rawKey: string };
      assert.equal(oidOf(await under('apart', ADA, {}, rawKey)), oids[0], 'secret keys share idempotency keys');
    });

    it('stays unused if the visit is rejected', async () => {
      assert.equal((await under('free', '{"collaboratorId": "tracking:nobody"}')).status, 422);
      assert.equal((await under('free', '{"collaboratorId": true}')).status, 422);
      assert.deepEqual(await scores(oidOf(await under('free', ADA))), [[ada, 1]]);
    });

    it('gets the first response again, even after the collaborator is deactivated', async () => {
      const carl = await shop.collaborator('carl');
      const body = '{"collaboratorId": "tracking:carl"}';
      const oid = oidOf(await under('gone', body));
      await shop.change(`/v1/collaborators/${carl}`, { status: 'inactive' });
      assert.equal(oidOf(await under('gone', body)), oid);
      await mismatched('gone', '{"collaboratorId": "tracking:carl", "userId": 5}');
    });

    it('must have 1 to 255 visible ASCII characters', async () => {
      for (const key of ['x', '!~', 'x'.repeat(255)]) assert.equal((await under(key, ADA)).status, 200);
      for (const key of ['', 'x'.repeat(256), 'a b', 'caf\u00e9', 'a, a']) {
        const reply = await under(key, ADA);
        assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/Idempotency-Key': 'invalid-format' }], key);
      }
    });
  });

  describe('an error response', () => {
    const answers = (reply: Reply, status: number, code: string) =>
      assert.deepEqual([reply.status, problemCode(reply)], [status, code], reply.text);

    it('reports the first failing check: method, key, scope, media type, JSON, fields, collaborator', async () => {
      const plain = { 'content-type': 'text/plain' };
      const wrong = (method: string, key?: string) =>
        service.request(method, VISIT, { key, body: '{', headers: plain });
      const noMethod = await wrong('PATCH');
      answers(noMethod, 405, 'method-not-allowed');
      assert.equal(noMethod.headers.get('allow'), 'POST, OPTIONS');
      const keyless = await wrong('POST');
      answers(keyless, 401, 'unauthenticated');
      assert.equal(keyless.headers.get('www-authenticate'), 'Bearer');
      const made = { label: 'x', scopes: ['resources:read'] };
      const reader = await service.request('POST', '/v1/api-keys', { key: service.secretKey, body: made });
      answers(await wrong('POST', (reader.body as { rawKey: string }).rawKey), 403, 'scope-required');
      answers(await wrong('POST', service.secretKey), 415, 'unsupported-media-type');
      answers(await visit('{'), 400, 'malformed-json');
      answers(await visit('["collaboratorId"]'), 400, 'malformed-json');
      await refused('{"collaboratorId": "tracking:nobody", "userId": true}', { '/userId': 'wrong-type' });
      await refused('{"collaboratorId": "tracking:nobody"}', { '/collaboratorId': 'unknown-collaborator' });
    });

    it('has status 413 for a body over 16 KiB', async () => {
      answers(await visitOf('"tracking:ada"', `, "x": "${'x'.repeat(16_384)}"`), 413, 'body-too-large');
    });

    it('has status 403 with any key of an organization without the Essentials tier', async () => {
      const founder = await service.foundOrganization('Lite');
      const keys = [];
      for (const body of [{ label: 'a' }, { label: 'b', kind: 'publishable' }]) {
        const made = await service.request('POST', '/v1/api-keys', { key: founder, body });
        keys.push((made.body as { rawKey: string }).rawKey);
      }
      await service.request('PATCH', '/v1/organization', { key: founder, body: { tier: 'lite' } });
      for (const key of keys) answers(await visit('{', {}, key), 403, 'tier-required');
    });
  });
});

describe('visits, sales and refunds', () => {
  it('are served below BASE_PATH, with headers that start with HEADER_PREFIX', async () => {
    const service = await startService({ BASE_PATH: '/attribution/api', HEADER_PREFIX: 'X-Acme' });
    const report = (operation: string, body: unknown, headers: Record<string, string> = {}) =>
      service.request('POST', `/v1/event/${operation}`, { key: service.secretKey, body, headers });
    try {
      assert.match(service.url, /\/attribution\/api$/);
      const made = await service.request('POST', '/v1/collaborators', {
        key: service.secretKey,
        body: { name: 'Ada' },
      });
      const { id: collaboratorId } = made.body as { id: number };
      const first = await report('site-visited', { collaboratorId });
      const trackingId = first.headers.get('X-Acme-OID') ?? '';
      assert.match(trackingId, /^[1-9]\d{0,15}$/);
      assert.equal(first.headers.get('access-control-expose-headers'), 'X-Acme-OID');
      assert.equal(first.headers.get('X-Service-OID'), null);

      const next = await report('site-visited', { collaboratorId }, { 'X-Acme-OID': trackingId });
      assert.equal(next.headers.get('X-Acme-OID'), trackingId);
      const other = await report('site-visited', { collaboratorId }, { 'X-Service-OID': trackingId });
      assert.notEqual(other.headers.get('X-Acme-OID'), trackingId);
      const sale = await report('sale', { source: 'shop', externalId: 1, total: 1, trackingId });
      assert.equal(sale.headers.get('X-Acme-OID'), trackingId);
      assert.equal(sale.headers.get('access-control-expose-headers'), 'X-Acme-OID');
      assert.equal((await report('refund', { source: 'shop', externalId: 1 })).status, 200);

      const preflight = await service.request('OPTIONS', VISIT, { headers: { origin: 'https://shop.example' } });
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\bX-Acme-OID\b/);
      for (const path of [VISIT, '/attribution/v1/event/site-visited', '/ATTRIBUTION/API/v1/event/site-visited']) {
        assert.equal((await fetch(new URL(path, service.url), { method: 'POST' })).status, 404, path);
      }
    } finally {
      await service.stop();
    }
  });
});
