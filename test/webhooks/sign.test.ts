import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { SECRET_BYTES, signingSecretOf } from '#webhooks/domain/webhook.ts';
import { signedHeaders } from '#webhooks/reactions/sign.ts';

const BODY = '{"type":"payout.paid","data":{"name":"Zoë 🎈"}}';

describe('a webhook signature', () => {
  const secret = signingSecretOf(randomBytes(SECRET_BYTES));
  const older = signingSecretOf(randomBytes(SECRET_BYTES));
  const now = (): number => Math.floor(Date.now() / 1000);
  const sign = (secrets: readonly string[], timestamp = now()): Record<string, string> =>
    signedHeaders(['X-Acme'], { deliveryId: 12, type: 'payout.paid', sequence: 99, timestamp, body: BODY, secrets });

  it('is verified by the Standard Webhooks package', () => {
    assert.deepEqual(new Webhook(secret).verify(BODY, sign([secret])), JSON.parse(BODY));
  });

  it('is valid only for its body, timestamp, delivery and secret', () => {
    const headers = sign([secret]);
    const webhook = new Webhook(secret);
    assert.throws(() => webhook.verify(`${BODY} `, headers));
    assert.throws(() => webhook.verify(BODY, { ...headers, 'webhook-id': '13' }));
    assert.throws(() => webhook.verify(BODY, { ...headers, 'webhook-timestamp': String(now() + 1) }));
    assert.throws(() => new Webhook(older).verify(BODY, headers));
    assert.throws(() => webhook.verify(BODY, sign([secret], now() - 600)), /too old/);
  });

  it('is made with both secrets during a rotation, and can be verified with each of them', () => {
    const headers = sign([secret, older]);
    new Webhook(secret).verify(BODY, headers);
    new Webhook(older).verify(BODY, headers);
  });

  it('has a plain form: sha256= and the hex HMAC-SHA256 of the body with the newest secret', () => {
    const expected = `sha256=${createHmac('sha256', secret).update(BODY).digest('hex')}`;
    assert.equal(sign([secret, older])['X-Acme-Signature'], expected);
  });

  it('is sent with the event, delivery and sequence in headers with the configured prefix', () => {
    const { 'X-Acme-Event': event, 'X-Acme-Delivery': delivery, 'X-Acme-Sequence': sequence } = sign([secret]);
    assert.deepEqual([event, delivery, sequence], ['payout.paid', '12', '99']);
  });
});
