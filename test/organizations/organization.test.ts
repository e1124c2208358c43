import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';

type Organization = { id: number; name: string; tier: string; timeZone: string; demo: boolean; updatedAt: string };

describe('/v1/organization', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const call = async (method: string, body?: unknown) => {
    const reply = await service.request(method, '/v1/organization', { key: service.secretKey, body });
    return { ...reply, body: reply.body as Organization };
  };

  it('GET returns the organization of the key, with the Essentials tier by default', async () => {
    const { body } = await call('GET');
    assert.equal(body.tier, 'essentials');
    const key = await service.foundOrganization('Other');
    const other = (await service.request('GET', '/v1/organization', { key })).body as Organization;
    assert.equal(other.name, 'Other');
    assert.notEqual(other.id, body.id);
  });

  it('PATCH changes only the submitted fields of the organization', async () => {
    const named = await call('PATCH', { name: 'Ada’s Mugs' });
    assert.deepEqual([named.status, named.body.name, named.body.tier], [200, 'Ada’s Mugs', 'essentials']);
    const lite = await call('PATCH', { tier: 'lite', name: null });
    assert.deepEqual([lite.body.name, lite.body.tier], ['Ada’s Mugs', 'lite']);
    const same = await call('PATCH', { tier: 'lite' });
    assert.equal(same.body.updatedAt, lite.body.updatedAt);
  });

  it('PATCH stores the IANA spelling of a time zone, and refuses offsets, short names and unknown names', async () => {
    assert.equal((await call('GET')).body.timeZone, 'UTC');
    const changed = await call('PATCH', { timeZone: 'asia/kolkata' });
    assert.deepEqual([changed.status, changed.body.timeZone], [200, 'Asia/Kolkata']);
    for (const timeZone of ['+05:30', 'Mars/Olympus', 'EST', '', 7, `Europe/${'x'.repeat(64)}`])
      assert.equal((await call('PATCH', { timeZone })).status, 422, String(timeZone));
    assert.equal((await call('PATCH', { timeZone: null })).body.timeZone, 'Asia/Kolkata');
    assert.equal((await call('PATCH', { timeZone: 'UTC' })).body.timeZone, 'UTC');
  });

  it('PATCH can’t turn the organization into a demo', async () => {
    const { body } = await call('PATCH', { demo: true, name: 'Real' });
    assert.equal(body.demo, false);
  });

  it('PATCH refuses invalid names, tiers and time zones', async () => {
    const reply = await service.request('PATCH', '/v1/organization', {
      key: service.secretKey,
      body: { name: 'x'.repeat(256), tier: 'gold', timeZone: 'CET' },
    });
    assert.equal(reply.status, 422);
    assert.deepEqual(faultCodes(reply), {
      '/name': 'too-long',
      '/tier': 'unknown-value',
      '/timeZone': 'unknown-value',
    });
  });
});
