import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId } from '#core/ids.ts';
import { UNKNOWN_CODE_LIMITS, unknownCodes } from '#collaborators/routes/unknown-codes.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop } from '../support/shop.ts';

describe('a visit with an unknown referral code', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ RATE_LIMIT_PUBLISHABLE: '0' });
    const shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    await shop.collaborator('waits', { status: 'pending' });
    await shop.change(`/v1/collaborators/${await shop.collaborator('left')}`, { status: 'inactive' });
    const gone = await shop.collaborator('gone');
    await service.request('DELETE', `/v1/collaborators/${gone}`, { key: service.secretKey });
  });
  after(() => service.stop());

  const visit = (code: string, address: string, key = service.publishableKey, repeat: string | null = null) =>
    service.request('POST', '/v1/event/site-visited', {
      key,
      body: { collaboratorId: `tracking:${code}` },
      headers: { 'x-forwarded-for': address, ...(repeat === null ? {} : { 'idempotency-key': repeat }) },
    });

  it('gets the same response as a visit for an inactive collaborator if the key is publishable', async () => {
    const replies = [];
    for (const code of ['nobody', 'waits', 'left', 'gone']) replies.push(await visit(code, '203.0.113.1'));
    const [unknown, ...others] = replies;
    assert.ok(unknown);
    assert.deepEqual([unknown.status, faultCodes(unknown)], [422, { '/collaboratorId': 'unknown-collaborator' }]);
    const shown = ({ status, text, headers }: typeof unknown) => ({
      status,
      text,
      headers: [...headers].filter(([name]) => name !== 'date'),
    });
    for (const other of others) assert.deepEqual(shown(other), shown(unknown));
  });

  it('gets a response that differs from the response for an inactive collaborator if the key is secret', async () => {
    for (const [code, fault] of [
      ['nobody', 'unknown-collaborator'],
      ['left', 'inactive-collaborator'],
    ] as const)
      assert.deepEqual(faultCodes(await visit(code, '203.0.113.1', service.secretKey)), { '/collaboratorId': fault });
  });

  it('is rate limited per network address if the key is publishable, without affecting other addresses', async () => {
    const guessing = '203.0.113.2';
    assert.equal((await visit('ada', guessing)).status, 200);
    const tries = Array.from({ length: 2 * UNKNOWN_CODE_LIMITS.burst }, (_, n) => visit(`guess-${n}`, guessing));
    for (const { status } of await Promise.all(tries)) assert.ok(status === 422 || status === 429, `${status}`);
    for (const code of ['ada', 'left', 'guess-1000']) {
      const { status, headers, ...reply } = await visit(code, guessing);
      assert.deepEqual([status, problemCode({ status, headers, ...reply })], [429, 'rate-limited'], code);
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    assert.equal((await visit('ada', '203.0.113.3')).status, 200);
    assert.equal((await visit('ada', guessing, service.secretKey)).status, 200);
  });

  it('is also limited if all codes are sent with the Idempotency-Key of one visit', async () => {
    const guess = (code: string) => visit(code, '203.0.113.4', service.publishableKey, 'one-key');
    assert.equal((await guess('ada')).status, 200);
    for (let n = 0; n < UNKNOWN_CODE_LIMITS.burst; n += 1)
      assert.equal(problemCode(await guess(`guess-${n}`)), 'idempotency-mismatch');
    assert.equal(problemCode(await guess('ada')), 'rate-limited');
  });
});

describe('unknownCodes: the limit of unknown referral codes per address', () => {
  const ORGANIZATION = 1 as OrganizationId;
  const OTHER = 2 as OrganizationId;

  it('allows twenty codes in a burst, then one every five seconds', () => {
    let now = 1_000_000;
    const codes = unknownCodes(() => now);
    for (let n = 0; n < 20; n += 1) {
      assert.equal(codes.waitOf(ORGANIZATION, 'a'), undefined);
      codes.count(ORGANIZATION, 'a');
    }
    assert.equal(codes.waitOf(ORGANIZATION, 'a'), 5);
    assert.equal(codes.waitOf(ORGANIZATION, 'b'), undefined);
    assert.equal(codes.waitOf(OTHER, 'a'), undefined);
    now += 4_999;
    assert.equal(codes.waitOf(ORGANIZATION, 'a'), 1);
    now += 1;
    assert.equal(codes.waitOf(ORGANIZATION, 'a'), undefined);
    codes.count(ORGANIZATION, 'a');
    assert.equal(codes.waitOf(ORGANIZATION, 'a'), 5);
  });

  it('blocks an address after an excessive burst, for about ten minutes at most', () => {
    let now = 0;
    const codes = unknownCodes(() => now);
    for (let n = 0; n < 1_000; n += 1) codes.count(ORGANIZATION, 'a');
    assert.equal(codes.waitOf(ORGANIZATION, 'a'), 605);
    now += 605_000;
    assert.equal(codes.waitOf(ORGANIZATION, 'a'), undefined);
  });

  it('clears all counts when an address beyond the maximum number is counted', () => {
    const codes = unknownCodes(() => 0);
    for (let n = 0; n < 20; n += 1) codes.count(ORGANIZATION, 'a');
    for (let n = 1; n < UNKNOWN_CODE_LIMITS.addresses; n += 1) codes.count(ORGANIZATION, `address-${n}`);
    assert.notEqual(codes.waitOf(ORGANIZATION, 'a'), undefined);
    codes.count(ORGANIZATION, 'one more');
    assert.equal(codes.waitOf(ORGANIZATION, 'a'), undefined);
  });
});
