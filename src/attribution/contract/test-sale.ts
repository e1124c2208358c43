import type { CollaboratorId } from '#core/ids.ts';
import { MAX_MINOR } from '#core/money.ts';
import { z } from 'zod';
import { explanation } from './explanation.ts';
import { choice, currencyCode, id, majorAmount, object, optional, text } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { couponCode, refuseHugeLines, saleItems, WITH_SOUND_AMOUNTS } from '#tracking/contract/report-fields.ts';
import { shownAmount, shownChoice, shownCurrency } from '#core/contract/response-fields.ts';
import { LEDGER_KINDS } from '#ledger/domain/ledger.ts';

const TESTED_KINDS = ['sale', 'lead'] as const;

const entry = z
  .strictObject({
    kind: shownChoice(LEDGER_KINDS, { description: 'The change of owed money.' }),
    amount: shownAmount({ description: 'The amount of the change.', example: 500 }),
    currency: shownCurrency(),
  })
  .meta({ id: 'TestLedgerEntry', description: 'A ledger entry that the test wrote before it was rolled back.' });

export const testTransaction = operation({
  method: 'POST',
  path: '/v1/transactions/test',
  tag: 'Transactions',
  summary: 'Run a test sale',
  description:
    'Reports a visit that a collaborator referred and a sale of the same visitor, decides the sale, and then rolls ' +
    'everything back. The test uses the code and configuration of real reports, and includes the ledger entries. ' +
    'Nothing is stored: figures, payouts, the ledger and webhooks never contain a test sale. The ids in the ' +
    'explanation belong to no stored resources.',
  scope: 'resources:write',
  example: { collaboratorId: 7, total: 49.99, currency: 'USD' },
  body: object({
    collaboratorId: id<CollaboratorId>({ description: 'The collaborator who refers the test buyer.', example: 7 }),
    couponCode: optional(couponCode),
    event: optional(
      text(1, 64, {
        description: 'The slug of a custom event to report after the visit.',
        example: 'quiz-done',
      }),
    ),
    kind: optional(choice(TESTED_KINDS, { description: 'Whether the test reports a sale or a lead.' }), 'sale'),
    total: optional(
      majorAmount(0n, MAX_MINOR, {
        description: 'In major units. The default is the sum of the items, or 100.00 without items.',
        example: 49.99,
      }),
    ),
    currency: optional(currencyCode({ description: 'An ISO 4217 code in any case.' }), 'USD'),
    items: saleItems,
  }).superRefine(refuseHugeLines, WITH_SOUND_AMOUNTS),
  repeats: 'none',
  success: {
    description: 'The outcome of the test sale.',
    body: z
      .strictObject({
        total: shownAmount({ description: 'The total. 0 for a lead.', example: 4_999 }),
        currency: z
          .string()
          .meta({ description: 'An ISO 4217 code. `XXX` for a lead, which has no currency.', examples: ['USD'] }),
        explanation,
        ledgerEntries: z.array(entry).meta({ description: 'The ledger entries of the commissions.' }),
      })
      .meta({ id: 'TestSale', description: 'The outcome of a test sale, which is not stored.' }),
  },
  problems: ['event-not-found'],
});
