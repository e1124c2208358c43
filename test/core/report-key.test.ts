import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OpportunityId } from '#core/ids.ts';
import { repeatOf, hashReportKey } from '#core/report-key.ts';

const VISIT = { collaboratorId: { kind: 'id', id: 7 } };
const OPPORTUNITY = 5 as OpportunityId;

it('hashReportKey: hashes a key and its request to 16 bytes each', () => {
  const { key, request } = hashReportKey('secret', 'x', 'site-visited', VISIT);
  for (const digest of [key, request]) assert.match(digest, /^[0-9a-f]{32}$/);
});

it('hashReportKey: the same key text gives different keys for a browser and a server', () => {
  const of = (sender: 'secret' | 'publishable') => hashReportKey(sender, 'x', 'site-visited', VISIT);
  assert.deepEqual(of('secret'), of('secret'));
  assert.notEqual(of('secret').key, of('publishable').key);
  assert.equal(of('secret').request, of('publishable').request);
});

it('repeatOf: the same report with the same key is a repeat of the recorded report', () => {
  const key = hashReportKey('secret', 'x', 'site-visited', VISIT);
  const kept = { request: key.request, opportunityId: OPPORTUNITY };
  assert.deepEqual(repeatOf(key, kept), { kind: 'recorded', opportunityId: OPPORTUNITY });
});

it('repeatOf: other content or another report type with the same key is another request', () => {
  const { request } = hashReportKey('secret', 'x', 'site-visited', VISIT);
  for (const other of [
    hashReportKey('secret', 'x', 'site-visited', { ...VISIT, userId: 1 }),
    hashReportKey('secret', 'x', 'custom', VISIT),
  ]) {
    assert.deepEqual(repeatOf(other, { request, opportunityId: OPPORTUNITY }), { kind: 'other-request' });
  }
});
