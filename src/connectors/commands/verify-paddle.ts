import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Verify } from '../domain/connector.ts';
import { objectIn, textIn, timeIn } from '../domain/json.ts';
import { parseMessage } from './parse-message.ts';

/**
 * The maximum difference between the time of a signature and the current time, in seconds. Paddle's own library accepts
 * 5 seconds, which slow networks can exceed.
 */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies `Paddle-Signature`: `ts=<Unix seconds>;h1=<hex>`, where `h1` is the HMAC-SHA256 of `<ts>:<body>`. While a
 * secret is being replaced, Paddle sends one `h1` for each secret. Paddle's own library reads only the last `h1`.
 */
export const verifyPaddle: Verify = (body, header, secret, now) => {
  const fields = (header('paddle-signature') ?? '').split(';').map((field) => field.split('=', 2));
  const timestamp = fields.find(([name]) => name === 'ts')?.[1] ?? '';
  const age = Math.abs(now.getTime() / 1_000 - Number(timestamp || Number.NaN));
  const expected = createHmac('sha256', secret).update(`${timestamp}:`).update(body).digest();
  const isSigned = fields.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex');
    return name === 'h1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned || !(age <= TOLERANCE_SECONDS)) return Promise.resolve({ kind: 'invalid-signature' });
  const event = parseMessage(body);
  if (event === undefined) return Promise.resolve({ kind: 'malformed' });
  const [id, type] = [textIn(event, 'event_id'), textIn(event, 'event_type')];
  const occurredAt = timeIn(event, 'occurred_at');
  if (id === undefined || type === undefined || occurredAt === undefined) return Promise.resolve({ kind: 'malformed' });
  const data = objectIn(event, 'data');
  const subject = type.startsWith('customer.') ? textIn(data, 'id') : textIn(data, 'customer_id');
  return Promise.resolve({
    kind: 'verified',
    event: { id, type, mode: null, occurredAt, subject: subject ?? null },
  });
};
