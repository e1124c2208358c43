import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { webhookMessages } from '#webhooks/contract/webhook-messages.ts';
import { RETRY_GAPS } from '#webhooks/domain/delivery.ts';
import {
  isForeignName,
  MESSAGE_TYPES,
  type MessageType,
  FOREIGN_NAMES,
  nounOf,
  type SubscribableType,
  signingSecretOf,
} from '#webhooks/domain/webhook.ts';
import { signedHeaders } from '#webhooks/reactions/sign.ts';

const page = readFileSync(new URL('../../docs/reference/webhooks.md', import.meta.url), 'utf8');

describe('docs/reference/webhooks.md', () => {
  it('lists every native event type with its description and data', () => {
    const types = MESSAGE_TYPES.filter((type) => !isForeignName(type));
    assert.ok(page.includes(`| Type | When | \`data\` |\n|---|---|---|\n${rowsOf(types)}\n`));
  });

  it('lists every compatible event name with its description and data', () => {
    assert.ok(page.includes(`| Name | When | \`data\` |\n|---|---|---|\n${rowsOf(FOREIGN_NAMES)}\n`));
  });

  const rowsOf = (types: readonly MessageType[]): string =>
    types
      .map((type) => `| \`${type}\` | ${webhookMessages[type].description} | ${nounOf(type as SubscribableType)} |`)
      .join('\n');

  it('states the number of retries', () => {
    assert.ok(page.includes(`tried ${RETRY_GAPS.length} more times`));
  });

  it('has sample code that accepts signatures with the old and the new secret, and rejects everything else', async () => {
    const [, source = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
    const { isFromWhence } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
      isFromWhence: (headers: object, body: string | Buffer, secret: string) => boolean;
    };
    const [older, newer, other] = [1, 2, 3].map((byte) => signingSecretOf(Buffer.alloc(32, byte))) as [
      string,
      string,
      string,
    ];
    const body = '{"type":"payout.paid","timestamp":"2026-11-21T09:30:00.000Z","data":{"name":"Åsa"},"deliveryId":"7"}';
    const sign = (timestamp: number) =>
      signedHeaders(['X-Service'], {
        deliveryId: 7,
        type: 'payout.paid',
        sequence: 9,
        timestamp,
        body,
        secrets: [newer, older],
      });
    const now = Math.floor(Date.now() / 1000);
    for (const [headers, sent, secret, expected] of [
      [sign(now), body, newer, true],
      [sign(now), Buffer.from(body), older, true],
      [sign(now), body, other, false],
      [sign(now), `${body} `, newer, false],
      [sign(now - 3_600), body, newer, false],
      [{ ...sign(now), 'webhook-id': '8' }, body, newer, false],
      [{ ...sign(now), 'webhook-signature': 'v1,AAAA' }, body, newer, false],
      [{ ...sign(now), 'webhook-signature': undefined }, body, newer, false],
      [sign(Number.NaN), body, newer, false],
      [{}, body, newer, false],
    ] as const) {
      assert.equal(isFromWhence(headers, sent, secret), expected);
    }
  });
});
