import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { signWebhook, verifyWebhook, WebhookVerificationError } from '#sdk/whence.ts';

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const BODY =
  '{"type":"payout.paid","timestamp":"2026-11-21T09:30:00.000Z","data":{"id":61,"note":"für"},"deliveryId":"7"}';
const event: unknown = JSON.parse(BODY);

function refused(detail: RegExp) {
  return (error: unknown) => error instanceof WebhookVerificationError && detail.test(error.message);
}

describe('verifyWebhook', () => {
  it('accepts Standard Webhooks signatures, and signWebhook creates them', async () => {
    const now = new Date();
    const headers = {
      'webhook-id': '7',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(SECRET).sign('7', now, BODY),
    };
    assert.deepEqual(await verifyWebhook(BODY, headers, SECRET), event);
    assert.deepEqual(new Webhook(SECRET).verify(BODY, await signWebhook(BODY, SECRET)), event);
  });

  it('accepts the body as text or bytes, and the headers as an object or as Headers, ignoring case', async () => {
    const headers = await signWebhook(BODY, SECRET, { id: '7' });
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value] as const]),
    );
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, Buffer.from(BODY), bytes.buffer]) {
      for (const form of [headers, new Headers(headers), shouted]) {
        assert.deepEqual(await verifyWebhook(body, form, SECRET), event);
      }
    }
  });

  it('accepts a delivery if one of several signatures matches, and ignores unknown signature formats', async () => {
    const headers = await signWebhook(BODY, SECRET);
    const other = await signWebhook(BODY, `whsec_${btoa('another secret of some length')}`);
    const both = `v1a,abc v2,=== v1,!!! ${other['webhook-signature']} ${headers['webhook-signature']}`;
    assert.deepEqual(await verifyWebhook(BODY, { ...headers, 'webhook-signature': both }, SECRET), event);
  });

  it('rejects a different body, id, time or secret', async () => {
    const headers = await signWebhook(BODY, SECRET, { id: '7' });
    const later = String(Number(headers['webhook-timestamp']) + 1);
    const fits = refused(/No signature matches/);
    await assert.rejects(verifyWebhook(`${BODY} `, headers, SECRET), fits);
    await assert.rejects(verifyWebhook(BODY, { ...headers, 'webhook-id': '8' }, SECRET), fits);
    await assert.rejects(verifyWebhook(BODY, { ...headers, 'webhook-timestamp': later }, SECRET), fits);
    await assert.rejects(verifyWebhook(BODY, headers, `whsec_${btoa('another')}`), fits);
    await assert.rejects(verifyWebhook(BODY, { ...headers, 'webhook-signature': 'v1,' }, SECRET), fits);
  });

  it('rejects a past or future timestamp outside the tolerance', async () => {
    const at = (seconds: number) => signWebhook(BODY, SECRET, { timestamp: new Date(Date.now() + seconds * 1_000) });
    assert.deepEqual(await verifyWebhook(BODY, await at(-240), SECRET), event);
    await assert.rejects(verifyWebhook(BODY, await at(-400), SECRET), refused(/not within 300 s/));
    await assert.rejects(verifyWebhook(BODY, await at(400), SECRET), refused(/not within 300 s/));
    assert.deepEqual(await verifyWebhook(BODY, await at(-400), SECRET, { toleranceSeconds: 600 }), event);
    // A tolerance of NaN, such as from an unset variable, must not accept every delivery.
    await assert.rejects(
      verifyWebhook(BODY, await at(-400), SECRET, { toleranceSeconds: Number.NaN }),
      refused(/not within/),
    );
    const odd = { ...(await at(0)), 'webhook-timestamp': 'now' };
    await assert.rejects(verifyWebhook(BODY, odd, SECRET), refused(/not within/));
  });

  it('names a missing header in its error', async () => {
    const headers: Record<string, string> = await signWebhook(BODY, SECRET);
    for (const name of Object.keys(headers)) {
      await assert.rejects(verifyWebhook(BODY, { ...headers, [name]: '' }, SECRET), refused(new RegExp(name)));
    }
  });

  it('rejects bytes that are not UTF-8, and a signed body that is not JSON', async () => {
    const headers = await signWebhook('no JSON', SECRET);
    await assert.rejects(verifyWebhook('no JSON', headers, SECRET), refused(/not JSON/));
    await assert.rejects(verifyWebhook(new Uint8Array([0xff]), headers, SECRET), refused(/not UTF-8/));
  });

  it('throws a TypeError, not a WebhookVerificationError, for a parsed body or an invalid secret', async () => {
    const headers = await signWebhook(BODY, SECRET);
    await assert.rejects(verifyWebhook(event as string, headers, SECRET), /^TypeError: Pass the raw body/);
    for (const secret of ['', 'whsec_', 'whsec_?', SECRET.slice(6)]) {
      await assert.rejects(verifyWebhook(BODY, headers, secret), /^TypeError: The secret must/);
    }
  });
});
