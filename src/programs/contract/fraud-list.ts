import { FRAUD_LIST_KINDS, FRAUD_LISTS, MAX_FRAUD_LIST_ENTRIES, readListValue } from '../domain/fraud-list.ts';
import type { FraudListEntryId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, id, object, optional, text } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import { shownChoice, shownId, shownText, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Fraud lists');
const ENTRY_STATUSES = ['active', 'deleted'] as const;
const LISTS =
  '`allow`: exempts matching visits, buyers or sign-ups from one fraud signal. `deny`: causes a fraud signal.';
const KINDS =
  '`email-domain`: the domain of the buyer’s email address. `network`: the address of the visitor’s browser. ' +
  '`referrer`: the host of the page with the partner link.';

export const fraudListEntry = z
  .strictObject({
    id: shownId({ description: 'The entry’s id.', example: 3 }),
    list: shownChoice(FRAUD_LISTS, { description: LISTS }),
    kind: shownChoice(FRAUD_LIST_KINDS, { description: KINDS }),
    value: shownText({ description: 'The value, as it is compared.', example: '203.0.113.0/24' }),
    note: shownText({ description: 'Your note.', example: 'Click farm' }).nullable(),
    status: shownChoice(ENTRY_STATUSES, { description: '`active → deleted`.' }),
    createdAt: shownTime({ description: 'When it was created.' }),
    deletedAt: shownTime({ description: 'When it was deleted. Null for an active entry.' }).nullable(),
  })
  .meta({ id: 'FraudListEntry', description: 'An entry of the allow list or the deny list for fraud signals.' });

const entryId = z.object({ id: id<FraudListEntryId>({ description: 'The entry’s id.', example: 3 }) });

export const listFraudListEntries = operation({
  method: 'GET',
  path: '/v1/fraud-list-entries',
  summary: 'List the entries of the fraud lists',
  description:
    'Lists the entries that are not deleted. `status=deleted` lists deleted entries. To exempt a collaborator, or to ' +
    'review all their conversions, use the collaborator’s field `fraudReview`.',
  scope: 'resources:read',
  query: listQuery(['id', 'createdAt'], {
    list: choice(FRAUD_LISTS, { description: 'Entries of this list.' }),
    kind: choice(FRAUD_LIST_KINDS, { description: 'Entries of this kind.' }),
    status: choice(ENTRY_STATUSES, { description: 'Entries in this state.' }),
  }),
  mayLag: true,
  success: listSuccess(fraudListEntry, 'Entries.'),
});

export const createFraudListEntry = operation({
  method: 'POST',
  path: '/v1/fraud-list-entries',
  summary: 'Add an entry to a fraud list',
  description:
    'Adds an entry to the allow list or the deny list. The entry applies to later visits, sales and sign-ups. A ' +
    'value can be on only one list. An organization can have up to ' +
    `${MAX_FRAUD_LIST_ENTRIES.toLocaleString('en-US')} entries.`,
  scope: 'resources:write',
  example: { list: 'deny', kind: 'network', value: '203.0.113.0/24', note: 'Click farm' },
  body: object({
    list: choice(FRAUD_LISTS, { description: LISTS }),
    kind: choice(FRAUD_LIST_KINDS, { description: KINDS }),
    value: text(1, 255, {
      description:
        'A domain such as `mail.example`, a network such as `203.0.113.0/24` (IPv4 with 8 to 32 bits, IPv6 with 16 ' +
        'to 64 bits), or a host such as `coupons.example`. For hosts, `*.coupons.example` includes subdomains, and ' +
        '`coupons.*` includes every suffix of one or two labels, such as `coupons.co.uk`.',
      example: '203.0.113.0/24',
    }),
    note: optional(text(1, 255, { description: 'Your note.', example: 'Click farm' })),
  }).transform(({ note = null, ...entry }, context) => {
    const value = readListValue(entry.kind, entry.value);
    if (value !== undefined) return { ...entry, value, note };
    const message = INVALID[entry.kind];
    addFault(context, ['value'], 'invalid-format', message);
    return z.NEVER;
  }),
  success: { status: 201, description: 'The entry.', body: fraudListEntry },
  problems: ['already-listed', 'too-many-entries'],
});

const INVALID = {
  'email-domain': 'This must be a domain such as mail.example.',
  network: 'This must be a network such as 203.0.113.0/24 or 2001:db8::/32.',
  referrer: 'This must be a host such as coupons.example or *.coupons.example.',
} as const;

export const getFraudListEntry = operation({
  method: 'GET',
  path: '/v1/fraud-list-entries/{id}',
  summary: 'Get an entry of a fraud list',
  description: 'Returns an entry. This also works for deleted entries.',
  scope: 'resources:read',
  params: entryId,
  success: { description: 'The entry.', body: fraudListEntry },
});

export const deleteFraudListEntry = operation({
  method: 'DELETE',
  path: '/v1/fraud-list-entries/{id}',
  reader: getFraudListEntry,
  summary: 'Delete an entry of a fraud list',
  description:
    'Deletes an entry. Earlier visits and sales keep their fraud signals. Repeating the call changes nothing.',
  scope: 'resources:write',
  params: entryId,
  success: {
    description: 'The changed entry.',
    body: fraudListEntry,
    example: { status: 'deleted', deletedAt: '2026-12-01T08:00:00.000Z' },
  },
});
