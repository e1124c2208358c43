import type * as contract from '../contract/test-sale.ts';
import { invalidRequest, problem } from '#core/contract/problem.ts';
import type { Minor } from '#core/money.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';
import { totalOf, soldLines } from '#programs/domain/sold-lines.ts';
import { type Decide, runTestSale } from '../commands/run-test-sale.ts';
import { collaboratorFault } from '#sales/routes/report-answers.ts';
import { showExplanation } from './explanations.ts';

/** The currency code of a lead, which has no currency. */
const NO_CURRENCY = 'XXX';

export function testSaleHandlers(decide: Decide): HandlersFor<typeof contract> {
  return {
    testTransaction: async ({
      auth,
      tenant,
      body: { collaboratorId, couponCode, event, kind, items = [], ...given },
    }) => {
      const isLead = kind === 'lead';
      const total = isLead ? (0n as Minor) : (given.total ?? totalOf(items, given.currency));
      const currency = isLead ? NO_CURRENCY : given.currency;
      const lines = isLead ? [] : soldLines(items, total, currency);
      const outcome = await runTestSale(
        tenant,
        { collaboratorId, couponCode: couponCode ?? null, event: event ?? null, kind, total, currency, lines },
        { numbers: auth.opportunityNumbers, decide },
      );
      switch (outcome.kind) {
        case 'decided': {
          const { explanation, circumstances, ledgerEntries } = outcome;
          return answer(200, {
            total,
            currency,
            explanation: showExplanation(explanation, circumstances),
            ledgerEntries,
          });
        }
        case 'unknown-event':
          return problem('event-not-found', 'No custom event has this slug. Create the custom event first.');
        case 'unknown-collaborator':
        case 'inactive-collaborator':
          return invalidRequest([collaboratorFault('/collaboratorId', outcome.kind)]);
        default:
          return outcome satisfies never;
      }
    },
  };
}
