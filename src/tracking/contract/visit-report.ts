import { aliasKey } from '#collaborators/domain/alias.ts';
import type { CollaboratorReference } from '#collaborators/domain/collaborator.ts';
import { type CollaboratorId, MAX_ID } from '#core/ids.ts';
import { readDecimal } from '#core/contract/decimal.ts';
import { field, object, optional, refusal, type Refusal, text } from '#core/contract/fields.ts';
import { NumberLiteral } from '#core/contract/number-literal.ts';
import { operation } from '#core/contract/operation.ts';
import { opportunityHeader, occurredAt } from './report-fields.ts';
import { hasControlCharacters, isStorableText } from '#core/contract/text.ts';
import { guestOrUser } from '#core/contract/user-fields.ts';

const MAX_REFERENCE = 320;
const MAX_REFERRER = 2_048;
const DIGITS = /^[0-9]+$/;

export const collaboratorReference = field<CollaboratorReference>(
  {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: MAX_ID },
      { type: 'string', minLength: 1, maxLength: MAX_REFERENCE },
    ],
  },
  {
    description:
      'The collaborator who referred the visitor: an id (a number, or its digits as text), or an alias ' +
      '`<type>:<code>`. For a tracking link, send `tracking:<code>` with the code of the `?ref=` URL. The case of ' +
      'codes is ignored.',
    example: 'tracking:ada',
  },
  (value) => {
    const text = value instanceof NumberLiteral ? value.text : value;
    if (typeof text !== 'string') return refusal('wrong-type', 'This must be an integer or a string.');
    if (value instanceof NumberLiteral || DIGITS.test(text)) return readId(text);
    if (text.length > MAX_REFERENCE) return refusal('too-long', `This must have at most ${MAX_REFERENCE} characters.`);
    const colon = text.indexOf(':');
    if (colon < 1 || colon === text.length - 1 || !isStorableText(text) || hasControlCharacters(text)) {
      return refusal('invalid-format', 'This must be an id, or an alias such as tracking:ada.');
    }
    return { kind: 'alias', type: text.slice(0, colon), codeKey: aliasKey(text.slice(colon + 1)) };
  },
);

function readId(text: string): CollaboratorReference | Refusal {
  const read = readDecimal(text.replace(/^0+(?=\d)/, ''), 0);
  if (read.kind === 'fraction') return refusal('wrong-type', 'This must be an integer or a string.');
  return read.kind === 'exact' && read.value >= 1n && read.value <= BigInt(MAX_ID)
    ? { kind: 'id', id: Number(read.value) as CollaboratorId }
    : refusal('out-of-range', `An id must be an integer from 1 to ${MAX_ID}.`);
}

const referrer = text(0, MAX_REFERRER, {
  description:
    'The web address of the page with the link, as in `document.referrer`. Only its host is used, for fraud signals. ' +
    'Any other text counts as absent.',
  example: 'https://www.google.com/',
});

export const reportVisit = operation({
  method: 'POST',
  path: '/v1/event/site-visited',
  tag: 'Events',
  summary: 'Report a referred visit',
  description:
    'Creates an opportunity for a referred visitor, or continues the opportunity in the request header. Creates ' +
    'or updates its engagements before the response is sent. Store the number in the response header with the ' +
    'visitor’s session. An unknown, malformed or invalid number in the request header is ignored, and the visit ' +
    'still counts. With a publishable key, `userId` and `occurredAt` are ignored, because anyone can use the key.',
  scope: 'events:write',
  keys: ['secret', 'publishable'],
  tier: 'essentials',
  crossOrigin: true,
  requestServiceHeaders: opportunityHeader('The opportunity to continue.'),
  body: object({
    collaboratorId: collaboratorReference,
    userId: guestOrUser({
      description:
        'The visitor’s user id in your platform: an integer, or text of 1 to 255 characters without control ' +
        'characters. An integer and its digits without leading zeros are the same user. Other ids are compared ' +
        'exactly. 0 and null count as absent.',
      example: 42,
    }),
    referrer: optional(referrer),
    occurredAt,
  }),
  repeats: 'event-row',
  success: { description: 'The visit is durably recorded.', serviceHeaders: opportunityHeader('The opportunity.') },
  problems: ['tier-required', 'origin-not-allowed'],
});
