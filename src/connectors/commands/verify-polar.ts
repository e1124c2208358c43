import type { Verify } from '../domain/connector.ts';
import { objectIn, textIn, timeIn } from '../domain/json.ts';
import { isSigned } from './body-signature.ts';
import { parseMessage } from './parse-message.ts';

/**
 * The maximum difference between the time of a signature and the current time, in seconds. Standard Webhooks recommends
 * five minutes.
 */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies the headers of Standard Webhooks: `webhook-signature` contains signatures `v1,<base64>` of
 * `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces. Polar uses the whole text of the secret as the key,
 * whereas the standard decodes the part after `whsec_`. If Polar sends an event again, `webhook-id` stays the same.
 */
export const verifyPolar: Verify = (body, header, secret, now) => {
  const id = header('webhook-id') ?? '';
  const timestamp = header('webhook-timestamp') ?? '';
  const signatures = (header('webhook-signature') ?? '').split(' ').map((each) => each.split(','));
  const known = signatures.filter(([version]) => version === 'v1').map(([, signature]) => signature);
  const age = Math.abs(now.getTime() / 1_000 - Number(timestamp || Number.NaN));
  const isCurrent = id !== '' && age <= TOLERANCE_SECONDS;
  if (!isCurrent || !isSigned([`${id}.${timestamp}.`, body], known, secret)) {
    return Promise.resolve({ kind: 'invalid-signature' });
  }
  const event = parseMessage(body);
  if (event === undefined) return Promise.resolve({ kind: 'malformed' });
  const [type, occurredAt] = [textIn(event, 'type'), timeIn(event, 'timestamp')];
  if (type === undefined || occurredAt === undefined) return Promise.resolve({ kind: 'malformed' });
  const data = objectIn(event, 'data');
  const subject = type.startsWith('customer.') ? textIn(data, 'id') : textIn(data, 'customer_id');
  return Promise.resolve({
    kind: 'verified',
    event: { id, type, mode: null, occurredAt, subject: subject ?? null },
  });
};
