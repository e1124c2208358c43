import type { Body } from '#contract/operation.ts';
import { invalidRequest, type Problem, problem } from '#contract/problem.ts';
import type { reportSale } from '#contract/sale-report.ts';
import type { Minor } from '#domain/money.ts';
import type { Line } from '#domain/reward.ts';
import { type Answer, answer, type HandlersFor } from '../handler.ts';
import { readOpportunityNumber, type ReportBatches } from '../report-batches.ts';

/** The three reports: each goes into the batch of its organization that is waiting, and is answered once it is durable. */
export function eventHandlers(batches: ReportBatches): HandlersFor<'reportVisit' | 'reportSale' | 'reportRefund'> {
  return {
    reportVisit: async ({ auth, body, bodyBytes, serviceHeader }) => {
      const userId = (auth.kind === 'secret' ? body.userId : undefined) ?? null;
      const outcome = await (userId === null ? batches.visits : batches.userVisits).submit(
        auth.organizationId,
        {
          collaborator: body.collaboratorId,
          presented: readOpportunityNumber(serviceHeader('OID')),
          userId,
          numbers: auth.opportunityNumbers,
        },
        { lines: 0, bytes: bodyBytes },
      );
      switch (outcome.kind) {
        case 'recorded':
          return accepted(outcome.number);
        case 'unknown-collaborator':
          return fault('/collaboratorId', 'unknown-collaborator', 'No collaborator has this id or alias.');
        case 'inactive-collaborator':
          return fault('/collaboratorId', 'inactive-collaborator', 'This collaborator is not active.');
        default:
          return outcome satisfies never;
      }
    },

    reportSale: async ({ auth, body, bodyBytes }) => {
      const { items, trackingId, ...sale } = body;
      const lines = linesOf(items, sale.total);
      const outcome = await batches.sales.submit(
        auth.organizationId,
        { ...sale, lines, trackingId, numbers: auth.opportunityNumbers },
        { lines: lines.length, bytes: bodyBytes },
      );
      switch (outcome.kind) {
        case 'recorded':
        case 'repeated':
          return accepted(outcome.number);
        case 'conflict':
          return problem(
            'sale-conflict',
            'Under this source and externalId a sale with other content was reported before.',
          );
        case 'unknown-opportunity':
          return fault('/trackingId', 'unknown-opportunity', 'This number was never given out by a visit.');
        default:
          return outcome satisfies never;
      }
    },

    reportRefund: async ({ auth, body: { source, externalId }, bodyBytes, sent }) => {
      const report = { source, externalId };
      const outcome = await batches.refunds.submit(auth.organizationId, report, { lines: 0, bytes: bodyBytes });
      switch (outcome.kind) {
        case 'recorded':
          return answer(200);
        case 'unknown-sale':
          return problem('sale-not-found', 'No sale was reported under this source and externalId.', {
            members: { source, externalId: (sent as { externalId: unknown }).externalId },
          });
        default:
          return outcome satisfies never;
      }
    },
  };
}

function accepted(number: number): Answer {
  return answer(200, undefined, { serviceHeaders: { OID: String(number) } });
}

function fault(pointer: string, code: string, detail: string): Problem {
  return invalidRequest([{ pointer, code, detail }]);
}

type Item = NonNullable<Body<typeof reportSale>['items']>[number];

/** Without items a sale is one line, Order, that carries the total. */
function linesOf(items: readonly Item[] | undefined, total: Minor): Line[] {
  if (items === undefined || items.length === 0) {
    return [{ externalId: null, name: 'Order', type: 'product', quantity: 1, amount: total }];
  }
  return items.map(({ externalId, ...item }) => ({ externalId: externalId ?? null, ...item }));
}
